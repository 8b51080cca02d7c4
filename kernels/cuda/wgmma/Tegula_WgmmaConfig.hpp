// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_CONFIG_HPP
#define TEGULA_WGMMA_CONFIG_HPP

#include <algorithm>

#include "../Tegula_ConfigList.hpp"

/// The tiles of the wgmma family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// How many consumer warpgroups a team has, and how they get work: `two` and `three` share the rows of every tile; in
/// `turns` each of two has a tile for itself, and multiplies while the other one stores.
enum class WgmmaConsumers { one, two, three, turns };

/// A team has TileM x TileN sums at a time. Stages tiles of both operands are on their way or in use. One more
/// warpgroup fetches them. A tile has one team, or one above the other two or four of them, a cluster: each fetches a
/// part of their right operand for all, so that the cache is read less.
template <int TileM, int TileN, int Stages, WgmmaConsumers Consumers, int TileTeams = 1>
struct WgmmaConfig {
  static constexpr int warpgroup = 128;
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = 64;  // 64 16-bit elements: a row of 128 bytes
  static constexpr int stages = Stages, teams = 1, tile_teams = TileTeams;
  static constexpr bool takes_turns = Consumers == WgmmaConsumers::turns;
  static constexpr int consumers    = Consumers == WgmmaConsumers::one ? 1 : Consumers == WgmmaConsumers::three ? 3 : 2;
  static constexpr int tile_consumers = takes_turns ? 1 : consumers;  // of one tile
  static constexpr int threads        = warpgroup * (consumers + 1);
  static constexpr int row_blocks     = tile_m / 64 / tile_consumers;  // of 64 rows, of a consumer
  static constexpr int column_blocks  = (tile_n + 63) / 64;            // of 64 columns, side by side
  static_assert(tile_m == 64 * row_blocks * tile_consumers && tile_n >= 64 && tile_n % (8 * tile_teams) == 0);

  // Where columns are no multiple of 64, the last block of them begins earlier, and what two blocks have of a result is
  // stored twice, with the same bits. That may be where nothing is read from where results go.
  static constexpr bool overlaps = tile_n % 64 != 0;

  // Scratch, in bytes from its beginning: operands; buffers for results; bias, or sums of columns, which three warps of
  // a consumer hand to the first; barriers.
  static constexpr int block_bytes = 64 * 64 * 2;  // of 64 lines x 64 16-bit elements
  static constexpr int left_bytes  = tile_m / 64 * block_bytes;
  static constexpr int right_bytes = column_blocks * block_bytes;
  static constexpr int stage_bytes = left_bytes + right_bytes;
  static constexpr int blocks      = row_blocks * column_blocks;  // of 64 x 64 results, of a consumer
  static constexpr int buffers     = blocks > 1 ? blocks : 2;     // of a block of 16 bits; floats take two
  static constexpr int stores_at   = stages * stage_bytes;
  static constexpr int bias_at     = stores_at + consumers * buffers * block_bytes;
  static constexpr int row_floats  = tile_n > 3 * 64 ? tile_n : 3 * 64;
  static constexpr int barriers_at = bias_at + consumers * row_floats * 4;
  static constexpr int turns_at    = barriers_at + 2 * stages * 8;                  // barriers, one for each consumer
  static constexpr int fetches_at  = turns_at + (takes_turns ? consumers * 8 : 0);  // one for each buffer
  static constexpr int used_bytes  = fetches_at + consumers * buffers * 8;

  static constexpr int alignment     = 1024;  // of the 128-byte swizzle
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m * tile_teams, tile_n, tile_k}; }
};

/// Largest first, with as many stages as fit the scratch that a Hopper GPU gives a TeamPolicy, or, where teams of a
/// tile need Tegula's own entry, a block. Sizes lie close to each other, so that for most products one of them fills
/// the device in few waves. Four teams of 64 rows read the cache least, and use most multiprocessors. Where two
/// configurations have one tile, the second, of more teams, is for products whose tiles all run at once
/// (choice_of_works()): they leave half of the multiprocessors idle otherwise, and nobody has two tiles to take turns.
using WgmmaConfigs =
    ConfigList<WgmmaConfig<192, 192, 3, WgmmaConsumers::three, 2>, WgmmaConfig<192, 176, 3, WgmmaConsumers::three, 2>,
               WgmmaConfig<128, 256, 3, WgmmaConsumers::two, 2>, WgmmaConfig<128, 192, 4, WgmmaConsumers::two, 2>,
               WgmmaConfig<64, 160, 6, WgmmaConsumers::one, 4>, WgmmaConfig<192, 192, 3, WgmmaConsumers::three>,
               WgmmaConfig<128, 144, 4, WgmmaConsumers::two, 2>, WgmmaConfig<128, 256, 3, WgmmaConsumers::two>,
               WgmmaConfig<128, 192, 4, WgmmaConsumers::two>, WgmmaConfig<128, 128, 5, WgmmaConsumers::turns, 2>,
               WgmmaConfig<64, 96, 8, WgmmaConsumers::one, 4>, WgmmaConfig<128, 128, 4, WgmmaConsumers::turns>,
               WgmmaConfig<64, 64, 10, WgmmaConsumers::one, 4>, WgmmaConfig<64, 192, 5, WgmmaConsumers::one>,
               WgmmaConfig<64, 160, 6, WgmmaConsumers::one>, WgmmaConfig<128, 64, 7, WgmmaConsumers::two>,
               WgmmaConfig<64, 128, 7, WgmmaConsumers::one>, WgmmaConfig<64, 96, 8, WgmmaConsumers::one>,
               WgmmaConfig<64, 64, 10, WgmmaConsumers::one>, WgmmaConfig<64, 192, 5, WgmmaConsumers::one, 4>,
               WgmmaConfig<64, 128, 7, WgmmaConsumers::one, 4>>;

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());

/// Whether a configuration is the second one of its tile. Products that share a launch take the first.
constexpr bool is_second_of_tile(const ConfigChoice& choice) {
  return std::ranges::any_of(wgmma_choices, [&](const auto& other) {
    return other.tile == choice.tile && other.tile_teams < choice.tile_teams;
  });
}

/// Whether blocks of a configuration's tile overlap.
constexpr bool overlaps(const TileShape& tile) {
  return std::ranges::any_of(wgmma_choices, [&](const auto& choice) { return choice.overlaps && choice.tile == tile; });
}

/// Whether a tile of a product is the transpose of a configuration's, whose kernel then computes the transpose of the
/// product: only tiles that overlap are taken so, too.
constexpr bool is_transposed(const TileShape& tile) {
  return overlaps(tile.transposed()) &&
         std::ranges::none_of(wgmma_choices, [&](const auto& choice) { return choice.tile == tile; });
}

}  // namespace Tegula::Impl

#endif
