// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_CONFIG_HPP
#define TEGULA_TALL_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"

/// The tiles of the tall family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A warp takes TileRows rows of every long matrix at a time; no long matrix has more than Width columns. Registers are
/// for Teams teams a multiprocessor.
template <class T, int Width, int TileRows, int Teams>
struct TallConfig {
  using element              = T;
  static constexpr int warps = 4, threads = 32 * warps, teams = Teams;
  static constexpr int width = Width, tile_rows = TileRows, team_tile_rows = warps * tile_rows;

  // Scratch, in bytes: tiles of every warp, and the small operand. The next tile of dC is on its way while one is in
  // use; those of saved and A are fetched when the last ones have been used. The sums of a warp take the place of its
  // tiles.
  static constexpr int tile_bytes = tile_rows * width * int(sizeof(T));
  static constexpr int saved_at = 2 * tile_bytes, A_at = 3 * tile_bytes;  // behind both tiles of dC
  static constexpr int warp_bytes = 4 * tile_bytes, held_bytes = width * width * int(sizeof(T));
  static constexpr int alignment  = 128;  // so that the chunks of a line can be swizzled
  static constexpr int used_bytes = warps * warp_bytes + held_bytes, scratch_bytes = used_bytes + alignment;
  static constexpr int sums = width * width + width;  // of a warp: dB^T, and dbias
  static_assert(warp_bytes >= sums * int(sizeof(T)) && tile_bytes % alignment == 0);

  static constexpr TileShape shape() { return {team_tile_rows, width, width}; }
};

/// A tile has the same bytes for every width. For double the widest one leaves registers for two teams only.
template <class T, int TileBytes = 4096>
using TallConfigs = ConfigList<TallConfig<T, 8, TileBytes / 8 / int(sizeof(T)), 3>,
                               TallConfig<T, 16, TileBytes / 16 / int(sizeof(T)), 3>,
                               TallConfig<T, 32, TileBytes / 32 / int(sizeof(T)), sizeof(T) == 4 ? 3 : 2>>;

/// The tile of dB^T. Its inner dimension is that of the rows of dA, and the other way round.
constexpr TileShape dB_tile(const TileShape& tile) { return {tile.k, tile.n, tile.m}; }

}  // namespace Tegula::Impl

#endif
