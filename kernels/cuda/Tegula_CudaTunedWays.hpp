// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_TUNED_WAYS_HPP
#define TEGULA_CUDA_TUNED_WAYS_HPP

#include <vector>

#include "Tegula_CudaPlanner.hpp"
#include "tuning/Tegula_TunedWay.hpp"

namespace Tegula::Impl {

/// A way to compute a call, and its plan.
struct CudaCandidate {
  TunedWay way;
  Plan plan;
};

/// 1, 2, 3, 4, 6, 8, 12, ...: cuts of the inner dimension that are worth a measurement.
inline std::int64_t next_split(std::int64_t split) {
  const bool is_power_of_two = (split & (split - 1)) == 0;
  return split < 3 ? split + 1 : is_power_of_two ? split / 2 * 3 : split / 3 * 4;
}

/// The way that the planner takes by itself, and behind it all others that options can ask for: each tile of each
/// family that proposes it, for the call or for one of its products, with the splits that the planner looks at, and
/// next_split's up to those. No plan is there twice.
std::vector<CudaCandidate> cuda_candidates(const Call& call, const CudaMachine& machine);

/// The plan of a call computed this way. Throws std::invalid_argument if that is not possible.
Plan plan_cuda_way(const Call& call, const CudaMachine& machine, const TunedWay& way, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
