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
inline constexpr StreamModel stream_model<float>{.memory    = 4.69,
                                                 .start     = 7.99e-07,
                                                 .added     = 8.13e-07,
                                                 .biased    = 1.44e-07,
                                                 .warps     = 3.1,
                                                 .alone     = 2.22,
                                                 .turn      = 1.59,
                                                 .tile      = 263,
                                                 .column    = 7.57,
                                                 .chunk     = {67.1, 90.9, 90.9},
                                                 .activated = 166,
                                                 .kept      = 2.25,
                                                 .held      = 30};
template <>
inline constexpr StreamModel stream_model<double>{.memory    = 1.17,
                                                  .start     = 5.66e-07,
                                                  .added     = 1.62e-06,
                                                  .biased    = 1.74e-07,
                                                  .warps     = 0.0257,
                                                  .alone     = 2.37,
                                                  .turn      = 1.52,
                                                  .tile      = 319,
                                                  .column    = 18.9,
                                                  .chunk     = {72.1, 59.2, 59.2},
                                                  .activated = 93.8,
                                                  .kept      = 8.99,
                                                  .held      = 30};

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
inline constexpr StreamMmaModel stream_model<std::uint16_t>{.memory     = 1.12,
                                                            .start      = 5.45e-07,
                                                            .added      = 8.71e-07,
                                                            .biased     = 5.65e-07,
                                                            .warps      = 4.85,
                                                            .alone      = 3.36,
                                                            .tile       = 241,
                                                            .read       = {41.8, 98.1},
                                                            .multiplied = 12.8,
                                                            .put        = 19.3,
                                                            .column     = 0.0334,
                                                            .chunk      = {47.2, 78.8, 78.8},
                                                            .activated  = 100,
                                                            .kept       = 10,
                                                            .held       = 147};

}  // namespace Tegula::Impl

#endif
