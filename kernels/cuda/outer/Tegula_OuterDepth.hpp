// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_DEPTH_HPP
#define TEGULA_OUTER_DEPTH_HPP

#include <algorithm>
#include <span>

#include "../Tegula_ConfigList.hpp"

/// Configurations of the families outer and outer_mma by how long their sums may be.

namespace Tegula::Impl {

/// Calls function.operator()<Config>() for the configuration whose sums are of up to `depth` products.
template <class... Configs, class Function>
void with_outer_depth(ConfigList<Configs...>, int depth, const Function& function) {
  ((Configs::depth == depth ? function.template operator()<Configs>() : void()), ...);
}

/// Whether a tile is as deep as a sum needs, and no deeper. Tiles are in the order of their depth.
inline bool is_deep_enough(std::span<const ConfigChoice> tiles, const TileShape& tile, std::int64_t k) {
  const auto fits = std::find_if(tiles.begin(), tiles.end(), [&](const ConfigChoice& c) { return k <= c.tile.k; });
  return tile.k == fits->tile.k;
}

}  // namespace Tegula::Impl

#endif
