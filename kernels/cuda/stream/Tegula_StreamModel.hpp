// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MODEL_HPP
#define TEGULA_STREAM_MODEL_HPP

#include <array>
#include <cstdint>

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
  // copies or stores, in rows without gaps, in columns of whole chunks and in others; of a warp for results of its
  // lanes whose activation takes an exponential, and for a Z.
  double tile, column;
  std::array<double, 3> chunk;
  double activated, kept;
  double held;  // cycles in which a team brings an element of the short operand with each thread
};

template <class T>
inline constexpr StreamModel stream_model{};
template <>
inline constexpr StreamModel stream_model<float>{.memory    = 1.12,
                                                 .start     = 8.5e-07,
                                                 .added     = 1.1e-06,
                                                 .biased    = 7.11e-08,
                                                 .warps     = 2.83,
                                                 .alone     = 1.63,
                                                 .turn      = 1.57,
                                                 .tile      = 335,
                                                 .column    = 3.4,
                                                 .chunk     = {38.4, 44.4, 126},
                                                 .activated = 166,
                                                 .kept      = 2.25,
                                                 .held      = 127};
template <>
inline constexpr StreamModel stream_model<double>{.memory    = 1.05,
                                                  .start     = 7.84e-07,
                                                  .added     = 1.49e-06,
                                                  .biased    = 1.2e-07,
                                                  .warps     = 1.9,
                                                  .alone     = 2.26,
                                                  .turn      = 1.51,
                                                  .tile      = 406,
                                                  .column    = 0.118,
                                                  .chunk     = {23.8, 30.9, 103},
                                                  .activated = 93.8,
                                                  .kept      = 8.99,
                                                  .held      = 2.69};

/// The same of 16 bits, which tensor cores multiply. Instructions: of a warp around a tile; for 32 lines and 16 steps
/// of depth, which lie as rows of whole chunks or as columns of them, or not; for the multiplication of these by 8
/// columns; for 32 lines of 8 results; for a column, where columns are contiguous; of a lane for 8 elements that it
/// copies or stores.
struct StreamMmaModel {
  double memory, start, added, biased, warps, alone;  // as of StreamModel
  double tile;
  std::array<double, 2> read;
  double multiplied, put, column;
  std::array<double, 3> chunk;
  double activated, kept;
  double held;
};
template <>
inline constexpr StreamMmaModel stream_model<std::uint16_t>{.memory     = 1.08,
                                                            .start      = 8.08e-07,
                                                            .added      = 1.53e-06,
                                                            .biased     = 5.18e-07,
                                                            .warps      = 10.9,
                                                            .alone      = 2.83,
                                                            .tile       = 255,
                                                            .read       = {3.7, 46.3},
                                                            .multiplied = 8.35,
                                                            .put        = 46.7,
                                                            .column     = 0.00306,
                                                            .chunk      = {8.48, 16.4, 90.6},
                                                            .activated  = 100,
                                                            .kept       = 10,
                                                            .held       = 287};

}  // namespace Tegula::Impl

#endif
