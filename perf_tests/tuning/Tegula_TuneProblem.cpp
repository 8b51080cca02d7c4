// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TuneProblem.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>

#include "Tegula_PerfMachine.hpp"
#include "tuning/Tegula_PlanningDevice.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_CallClock.hpp"
#include "cuda/Tegula_CudaTunedWays.hpp"
#else
#include "Tegula_HostTimes.hpp"
#endif

namespace Tegula::Perf {
namespace {

#ifdef KOKKOS_ENABLE_CUDA

constexpr const char* method = "CUDA graphs with cold caches, lower quartile";

/// Seconds of a call on the device.
class Stopwatch {
 public:
  template <class CallOfSet>
  double time(std::size_t sets, const CallOfSet& call, double best) {
    return clock_.time(sets, call, best).seconds;
  }
  int most_sets() const { return clock_.effort().most_copies; }

 private:
  CallClock clock_;
};

#else

constexpr const char* method = "calls in a row on data in caches, lower quartile of batches";

class Stopwatch {
 public:
  /// Of one call, or of a batch if calls are short.
  template <class CallOfSet>
  double time(std::size_t sets, const CallOfSet& call, double best) {
    const double once = batch_of(1, [&] { call(0); });
    if (once > hopeless * best) return once;
    std::size_t set = 0;
    const int calls = std::max(static_cast<int>(sets), calls_in_a_batch(once));
    return batch_of(calls, [&] { call(set++ % sets); });
  }
  int most_sets() const { return 4; }

 private:
  static constexpr double hopeless = 3;
};

#endif

/// Made once: on devices it has memory of its own.
Stopwatch& stopwatch() {
  static Stopwatch& watch = *new Stopwatch();
  return watch;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Candidates that run.
class Runs {
 public:
  Runs(const Impl::ProblemClass& problem, const std::vector<Candidate>& candidates, const RunPlan& run)
      : memory_(problem, sets_of(problem, stopwatch().most_sets())), candidates_(candidates), run_(run) {}

  /// Checked, then timed.
  double first(std::size_t way, double best) {
    make_workspace(candidates_[way].plan.workspace_bytes());
    memory_.forget_results();
    run(way, 0);
    ExecutionSpace().fence();
    try {
      memory_.check_results();
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(text(candidates_[way].way) + ": " + error.what());
    }
    // A first time that something else on the machine made longer would end the race for a good way.
    constexpr int times          = runs_on_host ? 3 : 1;
    constexpr double long_enough = 2e-3;
    double seconds               = again(way, best);
    for (int time = 1; time < times && seconds < long_enough; ++time) seconds = std::min(seconds, again(way, best));
    return seconds;
  }

  double again(std::size_t way, double best) {
    return stopwatch().time(
        memory_.sets(), [&](std::size_t set) { run(way, set); }, best);
  }

 private:
  void run(std::size_t way, std::size_t set) const {
    run_(memory_.call(set), candidates_[way].plan, workspace_.data());
  }

  void make_workspace(std::size_t bytes) {
    if (bytes > workspace_.extent(0))
      workspace_ =
          Workspace<ExecutionSpace>(Kokkos::view_alloc(std::string("workspace"), Kokkos::WithoutInitializing), bytes);
  }

  ProblemMemory memory_;
  const std::vector<Candidate>& candidates_;
  const RunPlan& run_;
  Workspace<ExecutionSpace> workspace_;
};

Impl::Element element_of_type(const std::string& type) {
  static const std::map<std::string, Impl::Element> elements{{"double", Impl::element_of<double>},
                                                             {"float", Impl::element_of<float>},
                                                             {"half", Impl::element_of<half_t>},
                                                             {"bhalf", Impl::element_of<bhalf_t>}};
  return elements.at(type);
}

/// Where no memory is: only how a matrix lies counts.
void* some_address() { return reinterpret_cast<void*>(std::uintptr_t(4096)); }

}  // namespace

std::vector<Candidate> candidates_of(const Impl::Call& call) {
  std::vector<Candidate> candidates;
  const auto add_all = [&](const auto& all) {
    for (const auto& [way, plan] : all) candidates.push_back({way, plan});
  };
#ifdef KOKKOS_ENABLE_CUDA
  add_all(Impl::cuda_candidates(call, Impl::cuda_machine(ExecutionSpace())));
#else
  add_all(Impl::host_candidates(call, host_space()));
#endif
  return candidates;
}

RunPlan run_plan_of_library() {
  return [](const Impl::Call& call, const Plan& plan, char* workspace) {
    Impl::run_plan(ExecutionSpace(), call, plan, workspace);
  };
}

TunedProblem tune_problem(const Impl::ProblemClass& problem, const std::vector<Candidate>& candidates,
                          const RaceLimits& limits, const RunPlan& run) {
  Runs runs(problem, candidates, run);
  std::vector<double> predicted;
  for (const Candidate& candidate : candidates) predicted.push_back(candidate.plan.seconds());
  const RaceResult result = race(predicted, limits,
                                 {[&](std::size_t way, double best) { return runs.first(way, best); },
                                  [&](std::size_t way, double best) { return runs.again(way, best); }, now});
  TunedProblem tuned{untuned(problem), result.failures};
  tuned.entry.way           = candidates[result.best].way;
  tuned.entry.seconds       = result.seconds[result.best];
  tuned.entry.model_way     = candidates[0].way;
  tuned.entry.model_seconds = result.seconds[0];
  tuned.entry.predicted     = predicted[0];
  tuned.entry.ways          = result.measured;
  tuned.entry.method        = method;
  return tuned;
}

Impl::TuningDevice device_at_hand() { return Impl::tuning_device(Impl::planning_device(ExecutionSpace())); }

Impl::TuningEntry untuned(const Impl::ProblemClass& problem) {
  Impl::TuningEntry entry;
  entry.device  = device_at_hand();
  entry.version = Impl::library_version();
  entry.commit  = tegula_commit();
  entry.problem = problem;
  return entry;
}

Impl::ProblemClass problem_of(const Shape& shape, const ProblemKind& kind) {
  const Impl::Element element = element_of_type(kind.type);
  const auto bytes            = static_cast<std::size_t>(Impl::element_bytes(element));
  const auto matrix           = [&](std::int64_t rows, std::int64_t columns) {
    return Impl::CallMatrix{some_address(), element, bytes, rows, columns, columns, 1};
  };
  const auto operand = [&](char op, std::int64_t rows, std::int64_t columns) {
    return op == 'T' ? matrix(columns, rows).transposed() : matrix(rows, columns);
  };
  const auto [name, m, n, k] = shape;
  const auto names           = Impl::activation_names();
  const bool has_layer       = kind.epilogue != "none";
  Impl::Call call;
  call.is_backward = kind.is_backward;
  call.compute     = kind.compute;
  call.activation.position =
      has_layer ? static_cast<int>(std::find(names.begin(), names.end(), kind.epilogue) - names.begin()) : 0;
  call.A               = operand(kind.ops[0], m, k);
  call.B               = operand(kind.ops[1], k, n);
  Impl::CallMatrix row = matrix(kind.is_backward ? 1 : m, n);
  row.row_stride       = 0;
  if (kind.is_backward) {
    call.dC = matrix(m, n);
    call.dA = call.A;
    call.dB = call.B;
    if (call.activation.position > 0) call.saved = matrix(m, n);
    if (has_layer) call.dbias = row;
  } else {
    call.C = matrix(m, n);
    if (has_layer) call.bias = row;
  }
  return *Impl::problem_class(call, !runs_on_host);
}

}  // namespace Tegula::Perf
