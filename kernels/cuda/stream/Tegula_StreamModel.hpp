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
    .memory = 1.15, .start = 2.88e-06, .warps = 9.51, .turn = 1.5, .tile = 156, .column = 18.8, .chunk = {19.3, 52.5}};
template <>
inline constexpr StreamModel stream_model<double>{
    .memory = 1.08, .start = 3.28e-06, .warps = 9.22, .turn = 1.29, .tile = 206, .column = 3.71, .chunk = {1.99, 26}};

}  // namespace Tegula::Impl

#endif
