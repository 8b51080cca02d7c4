// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MODEL_HPP
#define TEGULA_STREAM_MODEL_HPP

#include <array>

/// What the planner knows of the stream family, fitted to times measured on an H200.

namespace Tegula::Impl {

struct StreamModel {
  double memory;         // of the bandwidth
  double start;          // seconds, of a team before its first tile and behind its last
  double added, biased;  // seconds until a C that is read, or a bias, is there
  double warps;          // of a multiprocessor, with which it issues half as many instructions as it can
  double alone;          // cycles of a warp by itself for an instruction
  double turn;           // cycles in which scratch answers a warp, or as much of it as reaches different banks
  // Instructions: of a warp around a tile; for a column, where columns are contiguous; of a lane for 16 bytes that it
  // copies or stores, in rows without gaps and in columns.
  double tile, column;
  std::array<double, 2> chunk;
};

template <class T>
inline constexpr StreamModel stream_model{};
template <>
inline constexpr StreamModel stream_model<float>{.memory = 3.63,
                                                 .start  = 1.37e-06,
                                                 .added  = 9.86e-07,
                                                 .biased = 1.6e-07,
                                                 .warps  = 2.82,
                                                 .alone  = 1.96,
                                                 .turn   = 1.66,
                                                 .tile   = 196,
                                                 .column = 20.5,
                                                 .chunk  = {68.2, 79.1}};
template <>
inline constexpr StreamModel stream_model<double>{.memory = 1.19,
                                                  .start  = 1.01e-06,
                                                  .added  = 1.6e-06,
                                                  .biased = 2.74e-07,
                                                  .warps  = 3.81,
                                                  .alone  = 2.51,
                                                  .turn   = 1.31,
                                                  .tile   = 232,
                                                  .column = 2.88,
                                                  .chunk  = {48.1, 84.7}};

}  // namespace Tegula::Impl

#endif
