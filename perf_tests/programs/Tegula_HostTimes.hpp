// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_TIMES_HPP
#define TEGULA_HOST_TIMES_HPP

#include <Tegula.hpp>
#include <algorithm>
#include <array>
#include <ctime>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "Tegula_PerfGemmCall.hpp"
#include "Tegula_PerfMatrix.hpp"
#include "Tegula_PerfRandom.hpp"
#include "Tegula_PerfStatistics.hpp"
#include "Tegula_PerfTimer.hpp"
#include "host/Tegula_HostFamily.hpp"

/// Times of the ways in which the host family computes calls, on data that stays in the caches that it fits.

namespace Tegula::Perf {

struct HostWayTime {
  std::string way;
  double seconds;
};

struct HostTimes {
  GemmCall call;
  std::vector<HostWayTime> ways;
};

/// "1xN:tiles:pr:512x1024x256/1": threads of a team, whether turned, how sums are formed, which operands are packed
/// (l, r), the tile and the parts of the inner dimension.
inline std::string host_way(const Plan& plan) {
  const ProductPlan& p = plan.products[0];
  return std::to_string(plan.threads) + 'x' + (p.transposed ? 'T' : 'N') + (p.inner ? ":inner:p" : ":tiles:p") +
         (p.packs_left ? "l" : "") + (p.packs_right ? "r" : "") + ':' + text(p.tile) + '/' + std::to_string(p.split_k);
}

inline Impl::HostSpace host_space() {
  return {ExecutionSpace::name(), ExecutionSpace().concurrency(),
          static_cast<std::size_t>(Kokkos::TeamPolicy<ExecutionSpace>::scratch_size_max(1))};
}

/// The planner's own plan.
inline Plan chosen_host_plan(const GemmCall& call) {
  return Impl::plan_host_call(planned_call(call), host_space(), {}, Impl::ArgumentList("gemm"));
}

/// The matrices of a call of gemm.
template <class T>
class HostMatrices {
 public:
  explicit HostMatrices(const GemmCall& call) : call_(call), bias_("bias", static_cast<std::size_t>(call.shape.n)) {
    const auto bytes = stored_bytes(call);
    for (std::size_t matrix = 0; matrix < storage_.size(); ++matrix) {
      storage_[matrix] = VectorView<T>("matrix", static_cast<std::size_t>(bytes[matrix]) / sizeof(T));
      fill_random(storage_[matrix], matrix);
    }
    fill_random(bias_, storage_.size());
  }

  /// visit(A, B, C, epilogue, options)
  template <class Visit>
  void with_arguments(const Visit& visit) const {
    GemmOptions options;
    options.op_a = call_.op_a;
    options.op_b = call_.op_b;
    options.beta = call_.beta;
    if (call_.has_layer) return visit(matrix(0), matrix(1), matrix(2), Epilogue(Relu(), bias_), options);
    visit(matrix(0), matrix(1), matrix(2), Epilogue<>(), options);
  }

 private:
  MatrixView<T, Kokkos::LayoutStride> matrix(std::size_t which) const {
    const Impl::Extents extents = stored_extents(call_)[which];
    return MatrixView<T, Kokkos::LayoutStride>(
        storage_[which].data(), Kokkos::LayoutStride(extents.rows, call_.leading[which], extents.columns, 1));
  }

  GemmCall call_;
  std::array<VectorView<T>, 3> storage_;
  VectorView<T> bias_;
};

/// How long ways are measured. Those that once take more than `give_up` times the best are measured no further.
/// Of the rounds the quarter that was disturbed least counts.
constexpr double batch_seconds = 2e-4, give_up = 1.6, quiet = 0.25;
constexpr int rounds = 9;

/// Seconds of a call, of a batch of them. A single thread's are those of the processor, so that what else runs on the
/// machine counts less.
template <class Run>
double batch_of(int calls, const Run& run) {
  if (ExecutionSpace().concurrency() > 1) return seconds_of(ExecutionSpace(), calls, run) / calls;
  const std::clock_t start = std::clock();
  for (int call = 0; call < calls; ++call) run();
  return std::max(1.0, static_cast<double>(std::clock() - start)) / CLOCKS_PER_SEC / calls;
}

inline int calls_in_a_batch(double seconds) { return std::max(1, static_cast<int>(batch_seconds / seconds)); }

template <class T>
HostTimes measured_ways_of(const GemmCall& call) {
  const HostMatrices<T> matrices(call);
  const ExecutionSpace exec;
  HostTimes times{call, {}};
  matrices.with_arguments([&](const auto& A, const auto& B, const auto& C, const auto& epilogue, const auto& options) {
    const Plan own = make_plan(exec, A, B, C, epilogue, options);
    const Workspace<ExecutionSpace> workspace(Kokkos::view_alloc("workspace", Kokkos::WithoutInitializing),
                                              std::size_t(1) << 28);
    std::vector<Plan> plans;  // of times.ways
    const auto run = [&](const Plan& plan) { gemm(exec, plan, A, B, C, epilogue, options, workspace); };
    run(own);
    double best = std::numeric_limits<double>::infinity();
    for (Plan plan : Impl::host_plans(planned_call(call), host_space())) {
      plan.planned_for      = own.planned_for;
      const std::string way = host_way(plan);
      if (plan.workspace_bytes() > workspace.extent(0) ||
          std::any_of(times.ways.begin(), times.ways.end(), [&](const HostWayTime& t) { return t.way == way; }))
        continue;
      double once = batch_of(1, [&] { run(plan); });
      // What else runs here makes times longer only; the first run of a way may be its slowest.
      for (int more = 0; more == 0 || (more < 3 && (once < batch_seconds || once < give_up * best)); ++more)
        once = std::min(once, batch_of(calls_in_a_batch(once), [&] { run(plan); }));
      best = std::min(best, once);
      times.ways.push_back({way, once});
      plans.push_back(plan);
    }
    std::vector<std::vector<double>> seconds(times.ways.size());
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t at = 0; at < plans.size(); ++at) {
        const auto& [way, once] = times.ways[at];
        if (once > give_up * best && way != host_way(own)) continue;
        seconds[at].push_back(batch_of(calls_in_a_batch(once), [&] { run(plans[at]); }));
      }
    }
    for (std::size_t at = 0; at < seconds.size(); ++at)
      if (!seconds[at].empty()) times.ways[at].seconds = quantile(seconds[at], quiet);
  });
  return times;
}

inline HostTimes measured_ways(const GemmCall& call) {
  return call.type == "f64" ? measured_ways_of<double>(call) : measured_ways_of<float>(call);
}

/// "gemm f32 NT 100 50 30 | way microseconds | ..."
inline std::string text(const HostTimes& times) {
  std::ostringstream line;
  line << text(times.call);
  for (const HostWayTime& way : times.ways) line << " | " << way.way << ' ' << way.seconds * 1e6;
  return line.str();
}

inline std::vector<HostTimes> read_host_times(std::istream& lines) {
  std::vector<HostTimes> all;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> call;
    std::string word;
    while (words >> word && word != "|") call.push_back(word);
    HostTimes times{gemm_call_of(call), {}};
    for (HostWayTime way; words >> way.way >> way.seconds; words >> word)
      times.ways.push_back({way.way, way.seconds * 1e-6});
    all.push_back(times);
  }
  return all;
}

/// Median seconds of gemm_backward beside its predicted ones.
struct HostPrediction {
  double seconds, predicted;
  double ratio() const { return seconds / predicted; }
};

template <class T, class Activation>
HostPrediction backward_prediction(const GemmShape& shape, const Activation& activation) {
  using Rows = Kokkos::View<T**, Kokkos::LayoutRight, ExecutionSpace>;
  const ExecutionSpace exec;
  const Rows A("A", shape.m, shape.k), B("B", shape.k, shape.n), dC("dC", shape.m, shape.n), C("C", shape.m, shape.n);
  const Rows dA("dA", shape.m, shape.k), dB("dB", shape.k, shape.n);
  const VectorView<T> dbias("dbias", static_cast<std::size_t>(shape.n));
  for (const Rows& matrix : {A, B, dC, C}) fill_random(VectorView<T>(matrix.data(), matrix.size()), 1);
  const auto saved       = saved_for(activation, C, C);
  const auto run         = [&] { gemm_backward(exec, dC, A, B, saved, dA, dB, dbias, activation); };
  const double predicted = make_plan(exec, dC, A, B, saved, dA, dB, dbias, activation).seconds();
  run();
  const int calls = calls_in_a_batch(batch_of(1, run));
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) seconds.push_back(batch_of(calls, run));
  return {quantile(seconds, quiet), predicted};
}

template <class T>
std::vector<HostPrediction> backward_predictions_of(int calls, std::uint64_t seed, bool prints) {
  std::vector<HostPrediction> all;
  const auto add = [&](const GemmShape& shape, const char* name, const auto& activation) {
    all.push_back(backward_prediction<T>(shape, activation));
    if (prints)
      std::cout << all.back().ratio() << "  " << shape.m << 'x' << shape.n << 'x' << shape.k << ' ' << name << ' '
                << all.back().seconds * 1e6 << " us\n";
  };
  int turn = 0;
  for (const GemmCall& call : draw_calls(ScalarTraits<T>::name, Compute::native, calls, seed, Sides::of_hosts)) {
    switch (turn++ % 4) {
      case 0:
        add(call.shape, "identity", Identity());
        break;
      case 1:
        add(call.shape, "relu", Relu());
        break;
      case 2:
        add(call.shape, "tanh", Tanh());
        break;
      default:
        add(call.shape, "gelu_tanh", GeluTanh());
    }
  }
  return all;
}

inline std::vector<HostPrediction> backward_predictions(const std::string& type, int calls, std::uint64_t seed,
                                                        bool prints) {
  return type == "f64" ? backward_predictions_of<double>(calls, seed, prints)
                       : backward_predictions_of<float>(calls, seed, prints);
}

}  // namespace Tegula::Perf

#endif
