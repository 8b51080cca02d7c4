// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_MODEL_HPP
#define TEGULA_SHALLOW_MODEL_HPP

#include "Tegula_ShallowConfig.hpp"

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
/// bits by registers: on an H200, all ways to compute the gradients of 28 layers drawn at random, from which they
/// differ by 9 %; what they take more where rows are not whole words was fitted later, to 105 ways on an H100: nothing
/// would fit as well. By groups: on an H200, 74 ways for 37 layers, from which they differ by 10 %. Float and double:
/// on an H100, with up to 20 ways to cut each of 60 layers, from which they differ by 9 to 10 %; the best predicted way
/// takes 1.01 to 1.02 of the time of the best one.
struct ShallowModels {
  ShallowModel registers, other;  // blocks, or groups
};
template <class Bits>
inline constexpr ShallowModels shallow_models{{0.174, 0.0295, 0.02, 3290, 515, 2940, 0.9, 1.24, 0.214},
                                              {0.206, 0, 0, 6030, 245, 0, 0.9, 3.05, 0.198}};
template <>
inline constexpr ShallowModels shallow_models<float>{{0.348, 0.00916, 0.139, 9420, 107, 1920, 0.9, 3.09, 0.206},
                                                     {0.624, 0.0134, 0, 0, 405, 10500, 0.9, 2.19, 0.299}};
template <>
inline constexpr ShallowModels shallow_models<double>{{0.831, 0.0345, 0.0708, 5730, 230, 1860, 0.9, 2.8, 0.46},
                                                      {1.04, 0.00488, 0, 2890, 193, 4170, 0.9, 2.43, 0.441}};

template <class Bits>
constexpr const ShallowModel& shallow_model(ShallowWay way) {
  return way == ShallowWay::registers ? shallow_models<Bits>.registers : shallow_models<Bits>.other;
}

}  // namespace Tegula::Impl

#endif
