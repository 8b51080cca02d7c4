// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_CONFIG_HPP
#define TEGULA_SHALLOW_CONFIG_HPP

#include <algorithm>
#include <array>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaCall.hpp"

/// The tiles of the shallow family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// How steps are multiplied. 16 bits by tensor cores, which take dZ from the registers that it was formed in; short
/// sums of float and double there, too, by fused multiply-adds. For longer ones a warp puts dZ into scratch and reads
/// it by rows and by columns, in double for tensor cores.
template <class Bits>
inline constexpr bool shallow_of_16_bits = sizeof(Bits) == 2;
template <class Bits>
constexpr bool shallow_by_scratch(int depth) {
  return !shallow_of_16_bits<Bits> && depth > 8;
}

/// Places of 16 bytes that a lane has of dC in each step, where dZ stays in registers.
inline constexpr int shallow_runs = 4;

/// What a warp has of dC in each step, and keeps sums of: a run of every lane side by side, and four rows.
template <class Bits, bool by_scratch>
struct ShallowWarp {
  static constexpr int run = 16 / int(sizeof(Bits)), rows = 4, columns = 32 * run;

  // Where run q of a lane begins.
  TEGULA_HOST_DEVICE static constexpr int row(int, int q) { return q; }
  TEGULA_HOST_DEVICE static constexpr int column(int lane, int) { return lane * run; }
};

/// By tensor cores: runs of four lanes side by side, twice, and sixteen rows.
template <>
struct ShallowWarp<std::uint16_t, false> {
  static constexpr int run = 8, rows = 16, columns = 64;

  TEGULA_HOST_DEVICE static constexpr int row(int lane, int q) { return lane / 4 + q / 2 * 8; }
  TEGULA_HOST_DEVICE static constexpr int column(int lane, int q) { return q % 2 * 32 + lane % 4 * run; }
};

/// Through scratch: a lane has a column, of which it asks for `asked` rows at once.
template <class Bits>
struct ShallowWarp<Bits, true> {
  static constexpr int rows = 128 / int(sizeof(Bits)), columns = 32, asked = 8;
};

/// Sums of up to Depth elements of a line of A or B, by teams of Warps warps, Teams of which are on a multiprocessor.
template <class Bits, int Depth, int Warps, int Teams>
struct ShallowConfig {
  using element = Bits;
  using sum     = sum_t<Bits>;

  static constexpr bool of_16_bits = shallow_of_16_bits<Bits>, by_scratch = shallow_by_scratch<Bits>(Depth);
  using Warp = ShallowWarp<Bits, by_scratch>;

  static constexpr int depth = Depth, warps = Warps, threads = 32 * warps, teams = Teams;
  static constexpr int group = 8, groups = depth / group;  // of the depth, that are multiplied at once
  static_assert(groups * group == depth);

  // Warps side by side, and the rest below: a quarter of all, a half, or all.
  static constexpr int least_across = warps / 4, most_across = warps;

  // Scratch, in elements of sums: what every warp adds to rows, with the sums of rows, twice, for steps take turns; or
  // once, where its dZ lies there before. Then operands. In 16 bits they stay in registers. Else every warp has its
  // own: its lines of the left one in a step, and of the right one. Through scratch teams have them: the panel's lines
  // of the right one, and those of the left one that belong to the rows of this step and of the next. In the end sums
  // of columns take the place of all.
  static constexpr int pitch       = Warp::columns + 4;  // so that lines reach all banks
  static constexpr int line_pitch  = by_scratch && sizeof(sum) == 8 ? depth + 4 : depth;  // likewise, of operands
  static constexpr int step_sums   = Warp::rows * (by_scratch ? pitch : depth + 1);
  static constexpr int operands_at = (by_scratch ? 1 : 2) * warps * step_sums;
  static constexpr int put_at_once = by_scratch ? depth : group;  // of the depth, in the end
  static constexpr int column_sums = put_at_once * pitch;         // of a warp
  static constexpr int left_at = operands_at, right_at = left_at + warps * Warp::rows * depth;
  static constexpr int lines_of_team(int across) { return across * Warp::columns + 2 * (warps / across) * Warp::rows; }
  static constexpr int operand_lines = by_scratch   ? std::max(lines_of_team(least_across), lines_of_team(most_across))
                                       : of_16_bits ? 0
                                                    : warps * (Warp::rows + Warp::columns);
  static constexpr int used          = std::max(operands_at + operand_lines * line_pitch, warps* column_sums);
  static constexpr int alignment = 16, used_bytes = used * int(sizeof(sum)), scratch_bytes = used_bytes + alignment;

  /// Teams that there are registers for, where dC is read in words, or not.
  static constexpr int teams_of(bool reads_words) { return reads_words || !of_16_bits ? teams : 2; }
};

template <class Bits>
struct ShallowConfigsOf {
  using type = ConfigList<ShallowConfig<Bits, 8, 4, 3>, ShallowConfig<Bits, 16, 4, 2>, ShallowConfig<Bits, 24, 4, 2>,
                          ShallowConfig<Bits, 32, 4, 2>>;
};
template <>
struct ShallowConfigsOf<float> {
  using type = ConfigList<ShallowConfig<float, 8, 4, 3>, ShallowConfig<float, 16, 8, 2>, ShallowConfig<float, 24, 8, 2>,
                          ShallowConfig<float, 32, 8, 2>>;
};
template <>
struct ShallowConfigsOf<double> {
  using type = ConfigList<ShallowConfig<double, 8, 4, 3>, ShallowConfig<double, 16, 4, 3>,
                          ShallowConfig<double, 24, 4, 2>, ShallowConfig<double, 32, 4, 2>>;
};
template <class Bits>
using ShallowConfigs = typename ShallowConfigsOf<Bits>::type;

/// The deepest sums. More than a tile has are multiplied by a team for each part of the depth: they read dC at the same
/// time. In 16 bits that took 0.9 to 3.9 times as long as the pass and two products by wgmma, of 24 layers with k of 32
/// to 128 on an H100, in the geometric mean 2.1 times.
template <class Bits>
inline constexpr int shallow_deepest = sizeof(Bits) == 2 ? 32 : 128;

/// A tile of dC whose rows, or columns if these are contiguous, take `across` warps of a team; the other warps lie
/// below. It has all of the depth, or a part of it.
struct ShallowTile {
  ConfigChoice choice;  // its tile where rows are contiguous
  int across, teams_without_words;
  bool by_scratch;
};

inline constexpr int shallow_ways_across = 3;

template <class Config>
constexpr ShallowTile shallow_tile_of(int across) {
  using Warp = typename Config::Warp;
  return {{{Warp::rows * Config::warps / across, Warp::columns * across, Config::depth},
           Config::threads,
           Config::scratch_bytes,
           Config::teams},
          across,
          Config::teams_of(false),
          Config::by_scratch};
}

template <class... Configs>
constexpr auto shallow_tiles_of(ConfigList<Configs...>) {
  std::array<ShallowTile, sizeof...(Configs) * shallow_ways_across> tiles{};
  std::size_t number = 0;
  const auto add     = [&]<class Config>() {
    for (int way = 0; way < shallow_ways_across; ++way)
      tiles[number++] = shallow_tile_of<Config>(Config::least_across << way);
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}

template <class Bits>
inline constexpr auto shallow_tiles = shallow_tiles_of(ShallowConfigs<Bits>());

}  // namespace Tegula::Impl

#endif
