// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_CONFIG_HPP
#define TEGULA_WGMMA_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"

/// The tiles of the wgmma family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A tile of TileM x TileN sums; each consumer warpgroup has TileM / Consumers rows of it. Stages tiles of both
/// operands are on their way or in use at a time. One more warpgroup fetches them.
template <int TileM, int TileN, int Stages, int Consumers>
struct WgmmaConfig {
  static constexpr int warpgroup = 128;
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = 64;  // 64 16-bit elements: a row of 128 bytes
  static constexpr int stages = Stages, consumers = Consumers, teams = 1;
  static constexpr int threads    = warpgroup * (consumers + 1);
  static constexpr int row_blocks = tile_m / 64 / consumers;  // of 64 rows, of a consumer
  static_assert(tile_m == 64 * row_blocks * consumers && tile_n % 64 == 0);

  // Scratch, in bytes from its beginning: operands; blocks of 64 x 64 results to be stored; bias; barriers.
  static constexpr int block_bytes  = 64 * 64 * 2;  // of 64 lines x 64 16-bit elements
  static constexpr int left_bytes   = tile_m / 64 * block_bytes;
  static constexpr int right_bytes  = tile_n / 64 * block_bytes;
  static constexpr int stage_bytes  = left_bytes + right_bytes;
  static constexpr int blocks       = row_blocks * tile_n / 64;  // of 64 x 64 results, of a consumer
  static constexpr int stores_at    = stages * stage_bytes;
  static constexpr bool has_buffers = true;  // for results
  static constexpr int bias_at      = stores_at + consumers * blocks * block_bytes;
  static constexpr int barriers_at  = bias_at + consumers * tile_n * 4;
  static constexpr int used_bytes   = barriers_at + 2 * stages * 8;

  static constexpr int alignment     = 1024;  // of the 128-byte swizzle
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// Largest first, with as many stages as fit the scratch of a Hopper GPU.
using WgmmaConfigs = ConfigList<WgmmaConfig<128, 256, 3, 2>, WgmmaConfig<128, 192, 4, 2>, WgmmaConfig<128, 128, 5, 2>,
                                WgmmaConfig<128, 64, 8, 2>, WgmmaConfig<64, 64, 10, 1>>;

}  // namespace Tegula::Impl

#endif
