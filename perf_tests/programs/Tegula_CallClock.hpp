// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALL_CLOCK_HPP
#define TEGULA_CALL_CLOCK_HPP

#include <Tegula.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfGraph.hpp"
#include "Tegula_PerfMatrix.hpp"
#include "Tegula_PerfStatistics.hpp"
#include "Tegula_PerfTimes.hpp"

/// The time that calls of gemm take on a CUDA device whose caches are cold.

namespace Tegula::Perf {

struct ReadAll {
  VectorView<double> values;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (values(i) != 0) values(i) = 0;  // it never is, which compilers cannot know
  }
};

/// Reads an array that is larger than the caches, so that nothing else is left in them.
class CacheFlush {
 public:
  CacheFlush() : values_("flush", flush_bytes() / sizeof(double)) {}

  void operator()() const {
    const auto size = static_cast<std::int64_t>(values_.size());
    Kokkos::parallel_for("Tegula::Perf::flush",
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, size),
                         ReadAll{values_});
  }

  /// Twice the second cache.
  static std::size_t flush_bytes() {
    int cache = 0;
    check_cuda(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, ExecutionSpace().cuda_device()),
               "cudaDeviceGetAttribute");
    return 2 * static_cast<std::size_t>(cache);
  }

 private:
  VectorView<double> values_;
};

/// How long calls are measured.
struct Effort {
  double graph_seconds = 2e-4;  ///< of the calls in a graph, of which there are at most most_copies
  int most_copies      = 20;
  double way_seconds   = 8e-3;  ///< of all launches of a graph, of which there are at most most_launches
  int most_launches    = 3;
  double give_up       = 3;     ///< a way that takes so many times as long as the best one is run once
  double host_seconds  = 2e-5;  ///< by which a single run may seem longer than it is
};

/// Device times of calls in a CUDA graph behind a flush of the caches.
class CallClock {
 public:
  struct Time {
    double seconds;
    bool is_rough;
  };

  /// Of call(set), set = 0 .. sets - 1, in turns. `best` is the best time of others.
  template <class CallOfSet>
  Time time(std::size_t sets, const CallOfSet& call, double best) {
    const double single = single_seconds([&] { call(0); });
    const bool is_slow  = single > effort_.give_up * best + effort_.host_seconds;
    if (is_slow || single > effort_.way_seconds) return {single, is_slow};
    const int copies = std::clamp(static_cast<int>(std::ceil(effort_.graph_seconds / single)), 1, effort_.most_copies);
    const double batch = single * copies;
    const int launches = std::clamp(static_cast<int>(effort_.way_seconds / batch), 1, effort_.most_launches);
    return {graph_seconds(copies, launches, [&](int copy) { call(static_cast<std::size_t>(copy) % sets); }), false};
  }

  /// What one of call(0) .. call(copies - 1) takes in a graph, behind a flush: the median of so many launches.
  template <class Call>
  double graph_seconds(int copies, int launches, const Call& call) {
    const Graph graph(Kokkos::Cuda().cuda_stream(), [&] {
      flush_();
      events_.record_in_graph(0);
      for (int copy = 0; copy < copies; ++copy) call(copy);
      events_.record_in_graph(1);
    });
    std::vector<double> times;
    for (int launch = 0; launch <= launches; ++launch) {  // the first one brings the graph to the device
      graph.launch();
      ExecutionSpace().fence();
      if (launch > 0) times.push_back(events_.seconds_between(0, 1) / copies);
    }
    return quantile(times, 0.5);
  }

  const Effort& effort() const { return effort_; }

 private:
  /// The first call loads the kernels, and gives the host a lead.
  template <class Call>
  double single_seconds(const Call& call) {
    call();
    flush_();
    events_.record(2);
    call();
    events_.record(3);
    events_.wait(3);
    return events_.seconds_between(2, 3);
  }

  Effort effort_;
  CacheFlush flush_;
  Events events_;
};

/// The matrices of a call, operands of T and results of R, in so many sets that a graph need not come back to one while
/// it is in the caches.
template <class T, class R>
class CallSets {
 public:
  CallSets(const GemmCall& call, int most_sets, std::uint64_t seed) : call_(call) {
    const auto bytes = stored_bytes(call);
    const auto all   = static_cast<double>(bytes[0] + bytes[1] + bytes[2] + (call.stores_Z ? bytes[2] : 0));
    const auto sets  = static_cast<std::size_t>(
        std::clamp(std::ceil(static_cast<double>(CacheFlush::flush_bytes()) / all), 1.0, double(most_sets)));
    A_ = filled<T>("A", sets, bytes[0], seed);
    B_ = filled<T>("B", sets, bytes[1], seed + 1);
    C_ = filled<R>("C", sets, bytes[2], seed + 2);
    if (call.stores_Z) Z_ = filled<R>("Z", sets, bytes[2], seed + 2);
    bias_ = VectorView<R>("bias", static_cast<std::size_t>(call.shape.n));
    fill_random(bias_, seed + 3);
  }

  std::size_t sets() const { return A_.size(); }

  /// Queues the call, computed in this way.
  void run(std::size_t set, const Way& way, const Workspace<ExecutionSpace>& workspace) const {
    with_epilogue(set, [&](const auto& epilogue) {
      Tegula::gemm(exec_, view(A_[set], 0), view(B_[set], 1), view(C_[set], 2), epilogue, options(way), workspace);
    });
  }

  /// Throws std::invalid_argument if there is no such way.
  std::size_t workspace_bytes(const Way& way) const {
    std::size_t bytes = 0;
    with_epilogue(0, [&](const auto& epilogue) {
      bytes = Tegula::workspace_bytes(exec_, view(A_[0], 0), view(B_[0], 1), view(C_[0], 2), epilogue, options(way));
    });
    return bytes;
  }

 private:
  template <class Element>
  static std::vector<VectorView<Element>> filled(const char* label, std::size_t sets, std::int64_t bytes,
                                                 std::uint64_t seed) {
    const auto matrices = new_vectors<Element>(label, sets, bytes / static_cast<std::int64_t>(sizeof(Element)));
    for (const VectorView<Element>& values : matrices) fill_random(values, seed);
    return matrices;
  }

  template <class Visitor>
  void with_epilogue(std::size_t set, const Visitor& visit) const {
    if (!call_.has_layer) return visit(Epilogue<>());
    visit_activation(Activations(), call_.activation, [&](const auto& activation) {
      if (call_.stores_Z) {
        visit(Epilogue(activation, bias_, view(Z_[set], 2)));
      } else {
        visit(Epilogue(activation, bias_));
      }
    });
  }

  /// Memory in the order of one of A, B and C.
  template <class Element>
  auto view(const VectorView<Element>& memory, std::size_t which) const {
    using View                  = MatrixView<Element, Kokkos::LayoutStride>;
    const Impl::Extents extents = stored_extents(call_)[which];
    return View(memory.data(), Kokkos::LayoutStride(extents.rows, call_.leading[which], extents.columns, 1));
  }

  GemmOptions options(const Way& way) const {
    GemmOptions options;
    options.op_a    = call_.op_a;
    options.op_b    = call_.op_b;
    options.beta    = call_.beta;
    options.compute = call_.compute;
    options.plan    = way.options();
    return options;
  }

  GemmCall call_;
  ExecutionSpace exec_;
  std::vector<VectorView<T>> A_, B_;  // of each set
  std::vector<VectorView<R>> C_, Z_;
  VectorView<R> bias_;
};

}  // namespace Tegula::Perf

#endif
