// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MEASUREMENT_HPP
#define TEGULA_MEASUREMENT_HPP

#include <string>
#include <vector>

#include "Tegula_Plan.hpp"

namespace Tegula {

/// A kernel of a plan, and how long it took.
struct MeasuredStep {
  PlanStep step;       ///< with the predicted time
  double seconds = 0;  ///< measured
};

/// What `measure` found out. Where the predicted time of a product includes that of its copies and slices, these have
/// measured times of their own, but no predicted ones.
struct Measurement {
  Plan plan;
  std::vector<MeasuredStep> steps{};  ///< in the order in which they run; none if there is nothing to compute
  double seconds = 0;                 ///< measured, of the whole call, with nothing between its kernels

  /// The steps in words: what each does, its predicted time if there is one, and its measured time.
  std::string text() const;
};

}  // namespace Tegula

#endif
