// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_TILES_HPP
#define TEGULA_NARROW_TILES_HPP

#include <array>
#include <stdexcept>

#include "../Tegula_ConfigList.hpp"
#include "Tegula_NarrowConfig.hpp"

/// The tiles of the narrow family as data: every configuration with 1, 2, 4 and 8 warps that share the depth of a tile.

namespace Tegula::Impl {

/// Lines of the short operand, at most: wider ones are read again for every 16.
inline constexpr std::int64_t narrow_most_lines = 32;

struct NarrowTile {
  ConfigChoice choice;
  int blocks;
  int depth_warps;  // log2
};

template <int Blocks>
constexpr NarrowTile narrow_tile_of(int depth_warps) {
  using Config    = NarrowConfig<Blocks>;
  const int share = 1 << depth_warps;
  return {{{Config::tile_m * direct_warps / share, Config::tile_n, narrow_step * share},
           direct_threads,
           direct_scratch<Config, std::uint16_t>(),
           direct_teams},
          Blocks,
          depth_warps};
}

inline constexpr std::array narrow_tiles{narrow_tile_of<1>(0), narrow_tile_of<1>(1), narrow_tile_of<1>(2),
                                         narrow_tile_of<1>(3), narrow_tile_of<2>(0), narrow_tile_of<2>(1),
                                         narrow_tile_of<2>(2), narrow_tile_of<2>(3)};

/// The one of this shape, rows being the long side.
inline const NarrowTile& narrow_tile(const TileShape& shape) {
  for (const NarrowTile& tile : narrow_tiles)
    if (tile.choice.tile == shape) return tile;
  throw std::logic_error("Tegula: the narrow family has no such tile");
}

}  // namespace Tegula::Impl

#endif
