// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MODEL_HPP
#define TEGULA_STREAM_MODEL_HPP

#include <array>

/// What the planner knows of the stream family, fitted to times measured on an H200.

namespace Tegula::Impl {

struct StreamModel {
  double memory;  // of the bandwidth
  double start;   // seconds, of a team before its first tile and behind its last
  double warps;   // of a multiprocessor, with which it issues half as many instructions as it can
  // Instructions: of a warp around a tile; for a column, where columns are contiguous; of a lane for 16 bytes that it
  // copies or stores, in rows without gaps and in columns.
  double tile, column;
  std::array<double, 2> chunk;
};

template <class T>
inline constexpr StreamModel stream_model{};
template <>
inline constexpr StreamModel stream_model<float>{
    .memory = 1.87, .start = 2.52e-06, .warps = 15.3, .tile = 102, .column = 5.8, .chunk = {53.3, 51.6}};
template <>
inline constexpr StreamModel stream_model<double>{
    .memory = 1.01, .start = 3.3e-06, .warps = 10.6, .tile = 220, .column = 10.6, .chunk = {2.79, 16.3}};

}  // namespace Tegula::Impl

#endif
