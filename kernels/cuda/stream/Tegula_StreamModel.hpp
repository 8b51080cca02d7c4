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
    .memory = 0.937, .start = 2e-06, .warps = 10.1, .tile = 190, .column = 2.3, .chunk = {16.2, 47.4}};
template <>
inline constexpr StreamModel stream_model<double>{
    .memory = 0.893, .start = 2e-06, .warps = 10.7, .tile = 174, .column = 9.3, .chunk = {1, 17.6}};

}  // namespace Tegula::Impl

#endif
