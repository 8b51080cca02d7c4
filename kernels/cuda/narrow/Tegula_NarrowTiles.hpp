// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_TILES_HPP
#define TEGULA_NARROW_TILES_HPP

#include <array>
#include <stdexcept>

#include "../direct/Tegula_DirectShares.hpp"
#include "Tegula_NarrowConfig.hpp"

/// The tiles of the narrow family as data: every configuration with 1, 2, 4 and 8 warps that share the depth of a tile.

namespace Tegula::Impl {

/// Lines of the short operand, at most: those beyond a tile's are read with the long operand once more.
inline constexpr std::int64_t narrow_most_lines = 32;

struct NarrowTile {
  ConfigChoice choice;
  int blocks;
  int depth_warps;  // log2
};

template <class Config, class Bits>
constexpr NarrowTile narrow_tile_of(int depth_warps) {
  const int share = 1 << depth_warps;
  return {{{Config::tile_m * direct_warps / share, Config::tile_n, narrow_step<Bits> * share},
           direct_threads,
           direct_scratch<Config, Bits>(),
           Config::planned_teams},
          Config::blocks,
          depth_warps};
}

template <class Bits, class... Configs>
constexpr auto narrow_tiles_of(ConfigList<Configs...>) {
  constexpr int shares = direct_warps_log2 + 1;
  std::array<NarrowTile, shares * sizeof...(Configs)> tiles{};
  std::size_t tile = 0;
  const auto add   = [&]<class Config>() {
    for (int share = 0; share < shares; ++share) tiles[tile++] = narrow_tile_of<Config, Bits>(share);
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}

/// For elements whose bits are of this type, from the narrowest to the widest.
template <class Bits>
inline constexpr auto narrow_tiles = narrow_tiles_of<Bits>(NarrowConfigs<Bits>());

/// The one of this shape, rows being the long side.
template <class Bits>
const NarrowTile& narrow_tile(const TileShape& shape) {
  for (const NarrowTile& tile : narrow_tiles<Bits>)
    if (tile.choice.tile == shape) return tile;
  throw std::logic_error("Tegula: the narrow family has no such tile");
}

}  // namespace Tegula::Impl

#endif
