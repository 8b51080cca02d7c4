// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_CONFIG_HPP
#define TEGULA_STREAM_CONFIG_HPP

#include <array>
#include <cstdint>

#include "../Tegula_ConfigList.hpp"

/// The tiles of the stream family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// The short operand has up to Width lines, and sums are of up to Depth products. LanesBeside of a warp's lanes lie
/// along the short side, and share LaneLines lines of the long operand, of which a lane has Width / LanesBeside sums
/// each. Registers are for Teams teams a multiprocessor.
template <class T, int Width, int Depth, int LaneLines, int LanesBeside, int Teams>
struct StreamConfig {
  using element              = T;
  static constexpr int warps = 4, threads = 32 * warps, teams = Teams;
  static constexpr int block = 16 / int(sizeof(T));  // elements of a chunk of 16 bytes
  static constexpr int width = Width, depth = Depth;
  static constexpr int lanes_beside = LanesBeside, lane_rows = 32 / LanesBeside;
  static constexpr int lane_lines = LaneLines, lane_width = Width / LanesBeside, lines = lane_rows * LaneLines;
  static_assert(lane_width % block == 0 && lane_width * LanesBeside == Width && lane_rows * LanesBeside == 32);
  static_assert(Width <= Depth, "results take the place of what they were formed of");

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
/// them at once.
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

  // Scratch, in bytes: tiles of the long operand; results, in place of what they were formed of where that is as wide;
  // the short operand as instructions take it; the bias.
  static constexpr int alignment     = 128;            // of the swizzle
  static constexpr int pitch         = lines + block;  // elements from a column to the next
  static constexpr int stages        = 2;
  static constexpr int tile_bytes    = pitch * Depth * 2;
  static constexpr bool are_in_place = Lines == lines_once && Width <= Depth;

  // Where more is done than to round them, sums are in scratch as floats: of the whole tile, where there is room.
  static constexpr int finished_lines = are_in_place && pitch * Width * 4 > tile_bytes ? 16 : Lines;
  static constexpr int finished_pitch = finished_lines + block;

  static constexpr int results_bytes = Width * (pitch * 2 > finished_pitch * 4 ? pitch * 2 : finished_pitch * 4);
  static constexpr int stage_bytes   = are_in_place && results_bytes > tile_bytes ? results_bytes : tile_bytes;
  static constexpr int results_at    = warps * stages * stage_bytes;
  static constexpr int held_at       = results_at + (are_in_place ? 0 : warps * results_bytes);
  static constexpr int bias_at       = held_at + steps * 16 * Width * 2;
  static constexpr int used_bytes    = bias_at + Width * 4;
  static constexpr int scratch_bytes = used_bytes + alignment;
  static_assert(stage_bytes % alignment == 0 && results_bytes % alignment == 0);

  static constexpr TileShape shape() { return {lines, Width, Depth}; }

  /// Lines that are finished at once.
  struct Finished {
    static constexpr int lines = finished_lines, pitch = finished_pitch, block = StreamMmaConfig::block;
  };
};

template <class T>
struct StreamConfigList;
template <>
struct StreamConfigList<float> {
  using type = ConfigList<StreamConfig<float, 4, 8, 4, 1, 6>, StreamConfig<float, 8, 8, 4, 1, 5>,
                          StreamConfig<float, 8, 32, 2, 2, 5>, StreamConfig<float, 8, 64, 1, 2, 5>,
                          StreamConfig<float, 8, 128, 1, 2, 2>, StreamConfig<float, 16, 16, 4, 1, 3>,
                          StreamConfig<float, 16, 32, 2, 2, 5>, StreamConfig<float, 24, 24, 2, 1, 4>,
                          StreamConfig<float, 32, 32, 4, 4, 5>, StreamConfig<float, 32, 32, 2, 1, 3>>;
};
template <>
struct StreamConfigList<double> {
  using type = ConfigList<StreamConfig<double, 4, 8, 2, 1, 6>, StreamConfig<double, 8, 8, 4, 2, 5>,
                          StreamConfig<double, 8, 32, 2, 2, 3>, StreamConfig<double, 8, 64, 1, 2, 2>,
                          StreamConfig<double, 16, 16, 2, 1, 3>, StreamConfig<double, 16, 32, 2, 4, 5>,
                          StreamConfig<double, 24, 24, 2, 4, 5>, StreamConfig<double, 24, 24, 4, 4, 3>,
                          StreamConfig<double, 32, 32, 2, 4, 4>, StreamConfig<double, 32, 32, 4, 4, 2>>;
};
template <>
struct StreamConfigList<std::uint16_t> {
  using type =
      ConfigList<StreamMmaConfig<8, 8, 128, 6>, StreamMmaConfig<8, 32, 64, 4>, StreamMmaConfig<16, 16, 64, 5>,
                 StreamMmaConfig<64, 16, 32, 4>, StreamMmaConfig<32, 32, 64, 3>, StreamMmaConfig<16, 64, 32, 5>,
                 StreamMmaConfig<64, 64, 32, 3>, StreamMmaConfig<8, 128, 32, 2>, StreamMmaConfig<32, 128, 32, 2>>;
};
template <class T>
using StreamConfigs = typename StreamConfigList<T>::type;

template <class... Configs>
constexpr std::array<int, sizeof...(Configs)> lanes_beside_of(ConfigList<Configs...>) {
  return {Configs::lanes_beside...};
}

}  // namespace Tegula::Impl

#endif
