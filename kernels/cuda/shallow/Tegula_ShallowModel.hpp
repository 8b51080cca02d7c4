// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_MODEL_HPP
#define TEGULA_SHALLOW_MODEL_HPP

#include <cstdint>

/// What the planner reckons with for the shallow family.

namespace Tegula::Impl {

/// Cycles are of a multiprocessor.
struct ShallowModel {
  double places;       // cycles for a place of a tile of dC
  double products;     // more for each unit of the depth of the tile
  double gathered;     // more where dC does not lie in words, for each matrix that is read
  double start;        // cycles of a team before its first step and behind its last
  double more_start;   // more for each unit of the depth of the tile
  double step;         // of a step, at least: until what was asked for is there
  double memory;       // of the bandwidth
  double slices;       // of a kernel's time: the kernel that adds slices
  double slice_bytes;  // of the bandwidth of memory: their bytes, which are most often in the cache
};

/// Fitted to measured times on an H200 (tegula_times has products only, so they are not in perf_tests) of all ways to
/// compute the gradients of 28 layers drawn at random, the bandwidth given: they differ from these by 9 % (16 bits), 11
/// % (float) and 8 %, and the best predicted way takes 1.08, 1.07 and 1.05 of the time of the best one. What 16 bits
/// take more where rows are not whole words was fitted later, to 105 ways on an H100: nothing would fit as well.
template <class Bits>
inline constexpr ShallowModel shallow_model{0.001, 0.0753, 0.293, 4310, 562, 1800, 0.9, 1.51, 0.140};
template <>
inline constexpr ShallowModel shallow_model<double>{0.001, 0.158, 0.412, 3460, 390, 1870, 0.9, 1.37, 0.280};
template <>
inline constexpr ShallowModel shallow_model<std::uint16_t>{0.174, 0.0295, 0.02, 3290, 515, 2940, 0.9, 1.24, 0.214};

}  // namespace Tegula::Impl

#endif
