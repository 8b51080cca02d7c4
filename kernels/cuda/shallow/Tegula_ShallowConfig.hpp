// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_CONFIG_HPP
#define TEGULA_SHALLOW_CONFIG_HPP

#include <algorithm>
#include <array>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaCall.hpp"

/// The tiles of the shallow family, and the scratch that a team needs for them.

namespace Tegula::Impl {

inline constexpr int shallow_warps = 4, shallow_threads = 32 * shallow_warps;

/// Places of 16 bytes that a lane has of dC in each step.
inline constexpr int shallow_runs = 4;

/// What a warp has of dC in each step, and keeps sums of: by fused multiply-adds a run of every lane side by side, and
/// four rows; by tensor cores four lanes side by side, twice, and sixteen rows.
template <class Bits>
struct ShallowWarp {
  static constexpr bool by_tensor_cores = sizeof(Bits) == 2;
  static constexpr int run = 16 / int(sizeof(Bits)), rows = by_tensor_cores ? 16 : 4,
                       columns = by_tensor_cores ? 64 : 32 * run;

  // Where run q of a lane begins.
  TEGULA_HOST_DEVICE static constexpr int row(int lane, int q) { return by_tensor_cores ? lane / 4 + q / 2 * 8 : q; }
  TEGULA_HOST_DEVICE static constexpr int column(int lane, int q) {
    return by_tensor_cores ? q % 2 * 32 + lane % 4 * run : lane * run;
  }
};

/// Sums of up to Depth elements of a line of A or B. Registers are for Teams teams a multiprocessor.
template <class Bits, int Depth, int Teams>
struct ShallowConfig {
  using element = Bits;
  using sum     = sum_t<Bits>;
  using Warp    = ShallowWarp<Bits>;

  static constexpr int depth = Depth, threads = shallow_threads, teams = Teams;
  static constexpr int group = 8, groups = depth / group;  // of the depth, that are multiplied at once
  static_assert(groups * group == depth);

  // Scratch, in elements of sums: what every warp adds to rows, in two steps that take turns, with the sums of rows;
  // lines of the operand that belongs to these rows; the other operand. In the end sums of columns take their place.
  static constexpr int widest    = shallow_warps * Warp::columns;
  static constexpr int step_sums = Warp::rows * (depth + 1);
  static constexpr int left_at = 2 * shallow_warps * step_sums, left = Warp::by_tensor_cores ? 0 : Warp::rows * depth;
  static constexpr int right_at = left_at + shallow_warps * left, right = Warp::by_tensor_cores ? 0 : depth * widest;
  static constexpr int pitch       = Warp::columns + 4 / (int(sizeof(sum)) / 4);  // so that lines reach all banks
  static constexpr int column_sums = group * pitch;                               // of a warp
  static constexpr int used        = std::max(right_at + right, shallow_warps* column_sums);
  static constexpr int alignment = 16, used_bytes = used * int(sizeof(sum)), scratch_bytes = used_bytes + alignment;
};

template <class Bits>
using ShallowConfigs = ConfigList<ShallowConfig<Bits, 8, 3>, ShallowConfig<Bits, 16, 2>, ShallowConfig<Bits, 24, 2>,
                                  ShallowConfig<Bits, 32, 2>>;

/// Teams of a multiprocessor that there are registers for, of so many where dC is read in words.
constexpr int shallow_teams(int in_words, bool reads_words, std::size_t element_bytes) {
  return reads_words || element_bytes > 2 || in_words < 2 ? in_words : 2;
}

/// A tile of dC whose rows, or columns if these are contiguous, take `across` warps of a team; the other warps lie
/// below. It has all of the depth.
struct ShallowTile {
  ConfigChoice choice;  // its tile where rows are contiguous
  int across_log2;
};

template <class Config>
constexpr ShallowTile shallow_tile_of(int across_log2) {
  using Warp       = typename Config::Warp;
  const int across = 1 << across_log2;
  return {{{Warp::rows * shallow_warps / across, Warp::columns * across, Config::depth},
           Config::threads,
           Config::scratch_bytes,
           Config::teams},
          across_log2};
}

inline constexpr int shallow_ways_across = 3;  // 1, 2 or 4 warps

template <class... Configs>
constexpr auto shallow_tiles_of(ConfigList<Configs...>) {
  std::array<ShallowTile, sizeof...(Configs) * shallow_ways_across> tiles{};
  std::size_t number = 0;
  const auto add     = [&]<class Config>() {
    for (int across = 0; across < shallow_ways_across; ++across) tiles[number++] = shallow_tile_of<Config>(across);
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}

template <class Bits>
inline constexpr auto shallow_tiles = shallow_tiles_of(ShallowConfigs<Bits>());

}  // namespace Tegula::Impl

#endif
