// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_TILES_HPP
#define TEGULA_DIRECT_TILES_HPP

#include <array>
#include <stdexcept>

#include "Tegula_DirectShares.hpp"

/// The tiles of the direct family as data: every configuration with 1, 2, 4 and 8 warps that share the depth of a tile.

namespace Tegula::Impl {

struct DirectTile {
  ConfigChoice choice;
  std::size_t config;                     // in DirectConfigs
  int depth_warps;                        // log2
  int rows, columns, depth_lanes, batch;  // of a lane
};

template <class Config, class Bits>
constexpr DirectTile direct_tile_of(std::size_t config, int depth_warps) {
  constexpr int unit = 16 / static_cast<int>(sizeof(Bits));
  const int share    = 1 << depth_warps;
  return {{{Config::tile_m * direct_warps / share, Config::tile_n, unit * Config::depth_lanes * share},
           direct_threads,
           direct_scratch<Config, Bits>(),
           direct_teams},
          config,
          depth_warps,
          Config::rows,
          Config::columns,
          Config::depth_lanes,
          direct_batch<Bits>(Config::batch)};
}

template <class Bits, class... Configs>
constexpr auto direct_tiles_of(ConfigList<Configs...>) {
  constexpr int shares = 4;
  std::array<DirectTile, shares * sizeof...(Configs)> tiles{};
  std::size_t config = 0, tile = 0;
  const auto add = [&]<class Config>() {
    for (int share = 0; share < shares; ++share) tiles[tile++] = direct_tile_of<Config, Bits>(config, share);
    ++config;
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}

/// For elements whose bits are of this type.
template <class Bits>
inline constexpr auto direct_tiles = direct_tiles_of<Bits>(DirectConfigs());

/// The one of this shape, rows being the long side.
template <class Bits>
const DirectTile& direct_tile(const TileShape& shape) {
  for (const DirectTile& tile : direct_tiles<Bits>)
    if (tile.choice.tile == shape) return tile;
  throw std::logic_error("Tegula: the direct family has no such tile");
}

}  // namespace Tegula::Impl

#endif
