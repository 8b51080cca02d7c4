// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_CONFIG_HPP
#define TEGULA_SHALLOW_CONFIG_HPP

#include <algorithm>
#include <array>
#include <bit>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaCall.hpp"

/// The tiles of the shallow family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// How steps are multiplied. By registers: warps take dZ from the registers that it was formed in, in 16 bits by tensor
/// cores, short sums of float and double by fused multiply-adds. By blocks: a warp puts dZ into scratch and reads it by
/// rows and by columns, longer sums of float and, by tensor cores, of double. By groups: four warps do so in 16 bits,
/// for longer sums, by wgmma.
enum class ShallowWay { registers, blocks, groups };

template <class Bits>
inline constexpr bool shallow_of_16_bits = sizeof(Bits) == 2;

/// Places of 16 bytes that a lane has of dC in each step.
inline constexpr int shallow_runs = 4;

/// What a unit, which is a warp or four, has of dC in each step, and keeps sums of: a run of every lane side by side,
/// and four rows.
template <class Bits, ShallowWay way>
struct ShallowUnit {
  static constexpr int threads = 32, run = 16 / int(sizeof(Bits)), rows = 4, columns = 32 * run;

  // Where run q of a lane begins.
  TEGULA_HOST_DEVICE static constexpr int row(int, int q) { return q; }
  TEGULA_HOST_DEVICE static constexpr int column(int lane, int) { return lane * run; }
};

/// By tensor cores: runs of four lanes side by side, twice, and sixteen rows.
template <>
struct ShallowUnit<std::uint16_t, ShallowWay::registers> {
  static constexpr int threads = 32, run = 8, rows = 16, columns = 64;

  TEGULA_HOST_DEVICE static constexpr int row(int lane, int q) { return lane / 4 + q / 2 * 8; }
  TEGULA_HOST_DEVICE static constexpr int column(int lane, int q) { return q % 2 * 32 + lane % 4 * run; }
};

/// Through scratch: a lane has a column, of which it asks for `asked` rows at once.
template <class Bits>
struct ShallowUnit<Bits, ShallowWay::blocks> {
  static constexpr int threads = 32, rows = 128 / int(sizeof(Bits)), columns = 32, asked = 8;
};

/// A block of 64 rows and columns: runs of eight lanes side by side, and every sixteenth row.
template <>
struct ShallowUnit<std::uint16_t, ShallowWay::groups> {
  static constexpr int threads = 128, run = 8, rows = 64, columns = 64;
  static constexpr int lanes_across = columns / run, lanes_down = threads / lanes_across;

  TEGULA_HOST_DEVICE static constexpr int row(int lane, int q) { return lane / lanes_across + q * lanes_down; }
  TEGULA_HOST_DEVICE static constexpr int column(int lane, int) { return lane % lanes_across * run; }
};

/// Sums of up to Depth elements of a line of A or B, by teams of Warps warps, Teams of which are on a multiprocessor.
template <class Bits, int Depth, int Warps, int Teams>
struct ShallowConfig {
  using element = Bits;
  using sum     = sum_t<Bits>;

  static constexpr bool of_16_bits = shallow_of_16_bits<Bits>, by_blocks = !of_16_bits && Depth > 8;
  static constexpr ShallowWay way = by_blocks ? ShallowWay::blocks : ShallowWay::registers;
  using Unit                      = ShallowUnit<Bits, way>;

  static constexpr int depth = Depth, units = Warps, threads = Unit::threads * units, teams = Teams;
  static constexpr int group = 8, groups = depth / group;  // of the depth, that are multiplied at once
  static constexpr int columns = Unit::columns;            // of a unit
  static_assert(groups * group == depth);

  // Units side by side, and the rest below: a quarter of all, a half, or all.
  static constexpr int least_across = units / 4, most_across = units;

  // Scratch, in elements of sums: what every warp adds to rows, with the sums of rows, twice, for steps take turns; or
  // once, where its dZ lies there before. Then operands. In 16 bits they stay in registers. Else every warp has its
  // own: its lines of the left one in a step, and of the right one. By blocks teams have them: the panel's lines of the
  // right one, and those of the left one that belong to the rows of this step and of the next. In the end sums of
  // columns take the place of all.
  static constexpr int pitch       = columns + 4;  // so that lines reach all banks
  static constexpr int line_pitch  = by_blocks && sizeof(sum) == 8 ? depth + 4 : depth;  // likewise, of operands
  static constexpr int sums_pitch  = depth;
  static constexpr int step_sums   = Unit::rows * (by_blocks ? pitch : depth + 1);
  static constexpr int operands_at = (by_blocks ? 1 : 2) * units * step_sums;
  static constexpr int put_at_once = by_blocks ? depth : group;  // of the depth, in the end
  static constexpr int column_sums = put_at_once * pitch;        // of a unit
  static constexpr int left_at = operands_at, right_at = left_at + units * Unit::rows * depth;
  static constexpr int lines_of_team(int across) { return across * columns + 2 * (units / across) * Unit::rows; }
  static constexpr int operand_lines = by_blocks    ? std::max(lines_of_team(least_across), lines_of_team(most_across))
                                       : of_16_bits ? 0
                                                    : units * (Unit::rows + columns);
  static constexpr int used          = std::max(operands_at + operand_lines * line_pitch, units* column_sums);
  static constexpr int alignment = 16, used_bytes = used * int(sizeof(sum)), scratch_bytes = used_bytes + alignment;

  /// Teams that there are registers for, where dC is read in words, or not.
  static constexpr int teams_of(bool reads_words) { return reads_words || !of_16_bits ? teams : 2; }
};

/// The same by groups, each of which has Blocks blocks, one after the other. Those of all groups lie side by side.
template <int Depth, int Groups, int Blocks>
struct ShallowGroupConfig {
  using element = std::uint16_t;
  using sum     = float;

  static constexpr bool of_16_bits = true;
  static constexpr ShallowWay way  = ShallowWay::groups;
  using Unit                       = ShallowUnit<element, way>;

  static constexpr int depth = Depth, units = Groups, threads = Unit::threads * units, teams = 1, blocks = Blocks;
  static constexpr int group = 8, groups = depth / group;
  static constexpr int columns = Unit::columns * blocks;
  static_assert(groups * group == depth);

  static constexpr int least_across = units / 4, most_across = units;

  // Scratch. Two blocks of dZ for each group, which take turns; lines of the right operand for all columns of the
  // team, and twice those of the left one for its rows, as elements; twice sums of rows of dZ. In the end sums of
  // columns take the place of these. Last sums of columns of dZ: of every lane for its run in every block.
  static constexpr int block_bytes = Unit::rows * Unit::columns * int(sizeof(element));
  static constexpr int line_bytes  = depth * int(sizeof(element));
  static constexpr int lines_of_team(int across) { return across * columns + 2 * (units / across) * Unit::rows; }
  static constexpr int operands_at = 2 * units * block_bytes;
  static constexpr int row_totals_at =
      operands_at + line_bytes * std::max(lines_of_team(least_across), lines_of_team(most_across));
  static constexpr int pitch       = columns + 4;
  static constexpr int put_at_once = group, column_sums = put_at_once * pitch;
  static constexpr int totals_at =
      std::max(row_totals_at + 2 * units * Unit::rows * int(sizeof(sum)), units* column_sums* int(sizeof(sum)));
  static constexpr int used_bytes = totals_at + threads * blocks * Unit::run * int(sizeof(sum));
  static constexpr int alignment = 1024, scratch_bytes = used_bytes + alignment;  // of the swizzle

  static constexpr int teams_of(bool) { return teams; }
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

/// By groups: registers hold sums of 512 columns of 32 numbers, or of 256 of 48. For 64 the compiler had too few of
/// them.
using ShallowGroupConfigs = ConfigList<ShallowGroupConfig<32, 4, 2>, ShallowGroupConfig<48, 4, 1>>;

/// The shortest sums that the planner gives to groups. Shorter ones are for registers unless a tile is asked for: on an
/// H100 groups with a tile of depth 16, which is gone, took 0.97 to 1.24 times as long for five layers with k of 5
/// to 12.
inline constexpr int shallow_shortest_of_groups = 17;

/// The deepest sums; `reads_words`: dC is read in whole words. More than a tile has are multiplied by a team for each
/// part of the depth: they read dC at the same time. In 16 bits that took 0.9 to 3.9 times as long as the pass and two
/// products by wgmma, of 24 layers with k of 32 to 128 on an H100, in the geometric mean 2.1 times.
template <class Bits>
constexpr int shallow_deepest(bool reads_words) {
  return !shallow_of_16_bits<Bits> ? 128 : reads_words ? 48 : 32;
}

/// A tile of dC whose rows, or columns if these are contiguous, take `across` units of a team; the other units lie
/// below. It has all of the depth, or a part of it.
struct ShallowTile {
  ConfigChoice choice;  // its tile where rows are contiguous
  int across, teams_without_words;
  ShallowWay way;

  /// By groups only whole words are read, and by wgmma: on compute capability 9.0.
  constexpr bool needs_words() const { return way == ShallowWay::groups; }
  constexpr bool needs_hopper() const { return way == ShallowWay::groups; }
};

template <class Config>
constexpr ShallowTile shallow_tile_of(int across) {
  return {{{Config::Unit::rows * Config::units / across, Config::columns * across, Config::depth},
           Config::threads,
           Config::scratch_bytes,
           Config::teams},
          across,
          Config::teams_of(false),
          Config::way};
}

/// Ways to lay the units of a team: the fewest side by side, twice as many, and so on.
template <class Config>
inline constexpr int shallow_ways_across = std::bit_width(unsigned(Config::most_across / Config::least_across));

template <class... Configs>
constexpr auto shallow_tiles_of(ConfigList<Configs...>) {
  std::array<ShallowTile, (shallow_ways_across<Configs> + ...)> tiles{};
  std::size_t number = 0;
  const auto add     = [&]<class Config>() {
    for (int across = Config::least_across; across <= Config::most_across; across *= 2)
      tiles[number++] = shallow_tile_of<Config>(across);
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}

template <class... A, class... B>
constexpr auto shallow_tiles_of(ConfigList<A...>, ConfigList<B...>) {
  return shallow_tiles_of(ConfigList<A..., B...>());
}

template <class Bits>
inline constexpr auto shallow_tiles = [] {
  if constexpr (shallow_of_16_bits<Bits>) {
    return shallow_tiles_of(ShallowConfigs<Bits>(), ShallowGroupConfigs());
  } else {
    return shallow_tiles_of(ShallowConfigs<Bits>());
  }
}();

}  // namespace Tegula::Impl

#endif
