// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TUNE_PROBLEM_HPP
#define TEGULA_TUNE_PROBLEM_HPP

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfShapes.hpp"
#include "Tegula_ProblemMemory.hpp"
#include "Tegula_Race.hpp"
#include "tuning/Tegula_TuningFile.hpp"

/// Tuning a call: all ways to compute it that may be the fastest are run on memory of its own, checked, and timed.

namespace Tegula::Perf {

/// A way to compute a call, and its plan.
struct Candidate {
  Impl::TunedWay way;
  Plan plan;
};

/// The planner's own way, and behind it all others on the device at hand. None if there is nothing to compute.
std::vector<Candidate> candidates_of(const Impl::Call& call);

/// Runs a plan; by default as the library does. Tests put wrong kernels in its place.
using RunPlan = std::function<void(const Impl::Call& call, const Plan& plan, char* workspace)>;
RunPlan run_plan_of_library();

struct TunedProblem {
  Impl::TuningEntry entry;
  std::vector<std::string> failures;  // of ways: they are left out
};

/// Races the candidates, whose predictions count. Throws std::runtime_error if the planner's own way is wrong.
TunedProblem tune_problem(const Impl::ProblemClass& problem, const std::vector<Candidate>& candidates,
                          const RaceLimits& limits, const RunPlan& run = run_plan_of_library());

/// The device at hand, as entries name it.
Impl::TuningDevice device_at_hand();

/// An entry of the device at hand and this library for a problem that was not tuned yet.
Impl::TuningEntry untuned(const Impl::ProblemClass& problem);

/// What is to be tuned of a shape.
struct ProblemKind {
  std::string type     = "float";  ///< "double", "float", "half", "bhalf"
  std::string epilogue = "none";   ///< or the name of an activation, with a bias
  std::string ops      = "NN";
  bool is_backward     = false;
  Compute compute      = Compute::native;
};

/// The class of a call on row-major matrices without gaps.
Impl::ProblemClass problem_of(const Shape& shape, const ProblemKind& kind);

}  // namespace Tegula::Perf

#endif
