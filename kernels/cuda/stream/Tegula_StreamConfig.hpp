// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_CONFIG_HPP
#define TEGULA_STREAM_CONFIG_HPP

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
  static constexpr int alignment     = 16;
  static constexpr int used_bytes    = held_at + (Depth + 1) * Width * int(sizeof(T)),
                       scratch_bytes = used_bytes + alignment;

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
template <class T>
using StreamConfigs = typename StreamConfigList<T>::type;

}  // namespace Tegula::Impl

#endif
