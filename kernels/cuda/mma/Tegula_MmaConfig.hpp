// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_CONFIG_HPP
#define TEGULA_MMA_CONFIG_HPP

#include <array>

#include "Tegula_TileOrder.hpp"

/// The tiles of the mma family, and what a team needs of scratch for them.

namespace Tegula::Impl {

/// A tile of TileM x TileN sums, shared out among WarpsM x WarpsN warps, in steps of TileK along the inner dimension;
/// Stages tiles of both operands are on their way or in use at a time. Registers are for Teams teams a multiprocessor.
template <int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int Teams>
struct MmaConfig {
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = TileK;
  static constexpr int stages = Stages, teams = Teams;
  static constexpr int warps_n = WarpsN, threads = 32 * WarpsM * WarpsN;
  static constexpr int warp_m = TileM / WarpsM, warp_n = TileN / WarpsN;
  static constexpr bool is_power_of_two(int number) { return (number & (number - 1)) == 0; }
  static_assert(is_power_of_two(warp_m) && is_power_of_two(warp_n) && warp_m >= 32 && warp_n >= 32);
  static_assert(tile_m == warp_m * WarpsM && tile_n == warp_n * WarpsN && stages >= 3);
  static_assert(is_power_of_two(tile_m) && is_power_of_two(tile_n) && is_power_of_two(tile_k));

  static constexpr int parts = tile_k / 16;  // what an mma multiplies

  // Scratch, in bytes.
  static constexpr int left_bytes    = tile_m * tile_k * 2;
  static constexpr int stage_bytes   = left_bytes + tile_n * tile_k * 2;
  static constexpr int bias_at       = stages * stage_bytes;  // as floats
  static constexpr int used_bytes    = bias_at + tile_n * 4;
  static constexpr int alignment     = 16;  // of a chunk
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

template <class... Configs>
struct MmaConfigList {};

/// Of one size there are a tile that wants more than the 48 KiB that every team may have, and one that does not: with
/// longer steps fewer and longer pieces of rows are copied.
using MmaConfigs = MmaConfigList<MmaConfig<128, 256, 32, 4, 2, 4, 1>, MmaConfig<128, 128, 64, 3, 2, 2, 2>,
                                 MmaConfig<128, 128, 16, 4, 2, 2, 2>, MmaConfig<128, 64, 64, 3, 2, 2, 2>,
                                 MmaConfig<128, 64, 32, 3, 2, 2, 3>, MmaConfig<64, 64, 64, 3, 2, 2, 4>,
                                 MmaConfig<64, 64, 32, 4, 2, 2, 4>>;

/// A configuration without its type.
struct MmaChoice {
  TileShape tile;
  int threads, scratch_bytes, teams;
};

template <class... Configs>
constexpr std::array<MmaChoice, sizeof...(Configs)> mma_choices(MmaConfigList<Configs...>) {
  return {MmaChoice{Configs::shape(), Configs::threads, Configs::scratch_bytes, Configs::teams}...};
}

}  // namespace Tegula::Impl

#endif
