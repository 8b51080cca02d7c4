// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_CONFIG_HPP
#define TEGULA_STREAM_CONFIG_HPP

#include <cstdint>

#include "../Tegula_ConfigList.hpp"

/// The tiles of the stream family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A warp takes 32 LaneLines lines of the long operand at a time, and a lane LaneLines of them, with all their sums.
/// The short operand has up to Width lines, and sums are of up to Depth products. Registers are for Teams teams a
/// multiprocessor.
template <class T, int Width, int Depth, int LaneLines, int Teams>
struct StreamConfig {
  using element              = T;
  static constexpr int warps = 4, threads = 32 * warps, teams = Teams;
  static constexpr int width = Width, depth = Depth, lane_lines = LaneLines, lines = 32 * LaneLines;
  static constexpr int block = 16 / int(sizeof(T));  // elements of a chunk of 16 bytes
  static_assert(Width % block == 0 && Width <= Depth, "results take the place of what they were formed of");

  // Scratch, in bytes. A run of elements may begin in the middle of a chunk, so that a column has one chunk more.
  static constexpr int pitch         = lines + block;  // elements from a column to the next
  static constexpr int stages        = 2;              // tiles of the long operand that are on their way or in use
  static constexpr int stage_bytes   = pitch * Depth * int(sizeof(T));
  static constexpr int held_at       = warps * stages * stage_bytes;
  static constexpr int alignment     = 128;  // of the swizzle
  static constexpr int used_bytes    = held_at + (Depth + 1) * Width * int(sizeof(T)),
                       scratch_bytes = used_bytes + alignment;
  static_assert(stage_bytes % alignment == 0);

  static constexpr TileShape shape() { return {lines, Width, Depth}; }
};

/// The same for 16 bits, which tensor cores multiply: a warp takes Lines lines of the long operand at a time, 32 of
/// them at once. Its sums are floats and have scratch of their own.
template <int Width, int Depth, int Lines, int Teams>
struct StreamMmaConfig {
  using element              = std::uint16_t;
  static constexpr int warps = 4, threads = 32 * warps, teams = Teams;
  static constexpr int width = Width, depth = Depth, lines = Lines;
  static constexpr int block      = 8;                  // elements of a chunk of 16 bytes
  static constexpr int lines_once = 32;                 // that are multiplied at once
  static constexpr int steps      = (Depth + 15) / 16;  // of depth, of an instruction
  static constexpr int blocks     = Width / 8;          // of columns, of an instruction
  static_assert(Width % 8 == 0 && Lines % lines_once == 0);

  // Scratch, in bytes: tiles of the long operand, sums, the short operand as instructions take it, the bias.
  static constexpr int pitch         = lines + block;  // elements from a column to the next
  static constexpr int stages        = 2;
  static constexpr int stage_bytes   = pitch * Depth * 2;
  static constexpr int sums_at       = warps * stages * stage_bytes;
  static constexpr int sums_bytes    = pitch * Width * 4;
  static constexpr int held_at       = sums_at + warps * sums_bytes;
  static constexpr int bias_at       = held_at + steps * 16 * Width * 2;
  static constexpr int alignment     = 128;  // of the swizzle
  static constexpr int used_bytes    = bias_at + Width * 4;
  static constexpr int scratch_bytes = used_bytes + alignment;
  static_assert(stage_bytes % alignment == 0 && sums_bytes % alignment == 0);

  static constexpr TileShape shape() { return {lines, Width, Depth}; }
};

template <class T>
struct StreamConfigList;
template <>
struct StreamConfigList<float> {
  using type =
      ConfigList<StreamConfig<float, 4, 8, 4, 6>, StreamConfig<float, 8, 8, 4, 6>, StreamConfig<float, 8, 32, 1, 5>,
                 StreamConfig<float, 16, 16, 4, 3>, StreamConfig<float, 16, 32, 2, 3>,
                 StreamConfig<float, 24, 24, 2, 4>, StreamConfig<float, 32, 32, 2, 3>>;
};
template <>
struct StreamConfigList<double> {
  using type =
      ConfigList<StreamConfig<double, 4, 8, 2, 6>, StreamConfig<double, 8, 8, 2, 6>, StreamConfig<double, 8, 32, 1, 3>,
                 StreamConfig<double, 16, 16, 2, 3>, StreamConfig<double, 16, 32, 1, 3>,
                 StreamConfig<double, 24, 24, 1, 3>, StreamConfig<double, 32, 32, 1, 2>>;
};
template <>
struct StreamConfigList<std::uint16_t> {
  using type =
      ConfigList<StreamMmaConfig<8, 8, 128, 6>, StreamMmaConfig<8, 32, 64, 4>, StreamMmaConfig<16, 16, 64, 5>,
                 StreamMmaConfig<64, 16, 32, 4>, StreamMmaConfig<32, 32, 64, 3>, StreamMmaConfig<16, 64, 32, 4>,
                 StreamMmaConfig<64, 64, 32, 2>, StreamMmaConfig<8, 128, 32, 2>, StreamMmaConfig<32, 128, 32, 2>>;
};
template <class T>
using StreamConfigs = typename StreamConfigList<T>::type;

}  // namespace Tegula::Impl

#endif
