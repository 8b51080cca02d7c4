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
inline constexpr StreamModel stream_model<float>{.memory = 3.96,
                                                 .start  = 1.45e-06,
                                                 .added  = 9.3e-07,
                                                 .biased = 1.35e-07,
                                                 .warps  = 3.05,
                                                 .alone  = 2.04,
                                                 .turn   = 1.73,
                                                 .tile   = 137,
                                                 .column = 14.9,
                                                 .chunk  = {69.2, 100}};
template <>
inline constexpr StreamModel stream_model<double>{.memory = 1.26,
                                                  .start  = 1.29e-06,
                                                  .added  = 1.47e-06,
                                                  .biased = 1.54e-07,
                                                  .warps  = 3.48,
                                                  .alone  = 2.38,
                                                  .turn   = 1.31,
                                                  .tile   = 201,
                                                  .column = 2.35,
                                                  .chunk  = {54.3, 99.2}};

}  // namespace Tegula::Impl

#endif
