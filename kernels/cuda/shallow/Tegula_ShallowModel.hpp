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

/// Fitted to measured times (tegula_times has products only, so they are not in perf_tests), the bandwidth given. 16
/// bits: on an H200, all ways to compute the gradients of 28 layers drawn at random, from which they differ by 9 %;
/// what they take more where rows are not whole words was fitted later, to 105 ways on an H100: nothing would fit as
/// well. Float and double: on an H100, with up to 20 ways to cut each of 60 layers, from which they differ by 9 to 10
/// %; the best predicted way takes 1.01 to 1.02 of the time of the best one. By_scratch: as ShallowConfig.
template <class Bits, bool by_scratch>
inline constexpr ShallowModel shallow_model{0.174, 0.0295, 0.02, 3290, 515, 2940, 0.9, 1.24, 0.214};
template <>
inline constexpr ShallowModel shallow_model<float, false>{0.369, 0.00687, 0.144, 9440, 16.2, 1960, 0.9, 3.27, 0.204};
template <>
inline constexpr ShallowModel shallow_model<float, true>{0.686, 0.00601, 0, 0, 441, 10200, 0.9, 1.51, 0.220};
template <>
inline constexpr ShallowModel shallow_model<double, false>{0.402, 0.099, 0.0492, 1090, 870, 1930, 0.9, 2.02, 0.404};
template <>
inline constexpr ShallowModel shallow_model<double, true>{1.35, 0.0108, 0, 1470, 274, 5670, 0.9, 2.49, 0.381};

}  // namespace Tegula::Impl

#endif
