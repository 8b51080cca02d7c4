// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MODEL_HPP
#define TEGULA_STREAM_MODEL_HPP

#include <array>

/// What the planner knows of the stream family, fitted to times measured on an
/// H200.

namespace Tegula::Impl {

struct StreamModel {
  double memory;  // of the bandwidth
  double start;   // seconds, of a team before its first tile and behind its last
  double warps;   // of a multiprocessor, with which it issues half as many
                  // instructions as it can
  double turn;    // cycles in which scratch answers a warp, or as much of it as
                  // reaches different banks
  // Instructions: of a warp around a tile; for a column, where columns are
  // contiguous; of a lane for 16 bytes that it copies or stores, in rows
  // without gaps and in columns.
  double tile, column;
  std::array<double, 2> chunk;
};

template <class T>
inline constexpr StreamModel stream_model{};
template <>
inline constexpr StreamModel stream_model<float>{
    .memory = 1.16, .start = 2.86e-06, .warps = 9.63, .turn = 1.48, .tile = 166, .column = 18.5, .chunk = {17.8, 51.2}};
template <>
inline constexpr StreamModel stream_model<double>{
    .memory = 1.08, .start = 3.23e-06, .warps = 9.11, .turn = 1.28, .tile = 205, .column = 3.73, .chunk = {2.1, 26.8}};

}  // namespace Tegula::Impl

#endif
