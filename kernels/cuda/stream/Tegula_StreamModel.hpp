// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MODEL_HPP
#define TEGULA_STREAM_MODEL_HPP

#include <array>

/// What the planner knows of the stream family, fitted to times measured on an H200.

namespace Tegula::Impl {

struct StreamModel {
  double memory;  // of the bandwidth
  double start;   // seconds, of a team before its first tile and behind its last
  double added;   // seconds, more where C is read
  double warps;   // of a multiprocessor, with which it issues half as many instructions as it can
  double alone;   // cycles of a warp by itself for an instruction
  double turn;    // cycles in which scratch answers a warp, or as much of it as reaches different banks
  // Instructions: of a warp around a tile; for a column, where columns are contiguous; of a lane for 16 bytes that it
  // copies or stores, in rows without gaps and in columns.
  double tile, column;
  std::array<double, 2> chunk;
};

template <class T>
inline constexpr StreamModel stream_model{};
template <>
inline constexpr StreamModel stream_model<float>{.memory = 3.55,
                                                 .start  = 1.59e-06,
                                                 .added  = 9.07e-07,
                                                 .warps  = 3.75,
                                                 .alone  = 1.97,
                                                 .turn   = 1.68,
                                                 .tile   = 162,
                                                 .column = 9.7,
                                                 .chunk  = {60.8, 104}};
template <>
inline constexpr StreamModel stream_model<double>{.memory = 1.11,
                                                  .start  = 1.92e-06,
                                                  .added  = 1.14e-06,
                                                  .warps  = 5.11,
                                                  .alone  = 2.63,
                                                  .turn   = 1.31,
                                                  .tile   = 216,
                                                  .column = 1.47,
                                                  .chunk  = {30.9, 52.5}};

}  // namespace Tegula::Impl

#endif
