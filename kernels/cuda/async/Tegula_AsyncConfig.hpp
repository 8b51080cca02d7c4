// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_CONFIG_HPP
#define TEGULA_ASYNC_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"

/// The tiles of families that fetch operands by cp.async, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A tile of TileM x TileN sums, computed by WarpsM x WarpsN warps in steps of TileK along the inner dimension. Stages
/// tiles of both operands are on their way or in use at a time. Registers are for Teams teams a multiprocessor. Element
/// is what copies move; Sum is what is summed. WarpsK groups of warps share the depth of a stage: a small product has
/// no more tiles to keep all warps busy.
template <class Element, class Sum, int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int Teams,
          int WarpsK = 1>
struct AsyncConfig {
  using element               = Element;
  using sum                   = Sum;
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = TileK;
  static constexpr int stages = Stages, teams = Teams;
  static constexpr int warps_m = WarpsM, warps_n = WarpsN, warps_k = WarpsK;
  static constexpr int sharers = 32 * WarpsM * WarpsN, threads = sharers * WarpsK;  // sharers of sums, all threads
  static constexpr int warp_m = TileM / WarpsM, warp_n = TileN / WarpsN;
  static constexpr bool is_power_of_two(int number) { return (number & (number - 1)) == 0; }
  static_assert(is_power_of_two(warp_m) && is_power_of_two(warp_n));
  static_assert(tile_m == warp_m * WarpsM && tile_n == warp_n * WarpsN && stages >= 3);
  static_assert(is_power_of_two(tile_m) && is_power_of_two(tile_n) && is_power_of_two(tile_k));

  // Scratch, in bytes.
  static constexpr int left_bytes    = tile_m * tile_k * int(sizeof(Element));
  static constexpr int stage_bytes   = left_bytes + tile_n * tile_k * int(sizeof(Element));
  static constexpr int bias_at       = stages * stage_bytes;  // as sums
  static constexpr int used_bytes    = bias_at + tile_n * int(sizeof(Sum));
  static constexpr int alignment     = 16;  // of a chunk
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

}  // namespace Tegula::Impl

#endif
