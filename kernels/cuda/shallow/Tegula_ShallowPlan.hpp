// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_PLAN_HPP
#define TEGULA_SHALLOW_PLAN_HPP

#include <stdexcept>

#include "Tegula_Plan.hpp"
#include "Tegula_ShallowArguments.hpp"
#include "Tegula_ShallowConfig.hpp"

/// How the teams of the shallow family share dC, as kernels see it: dC^T if its columns are contiguous.

namespace Tegula::Impl {

struct ShallowCut {
  TileShape tile;  // of dC as kernels see it, and the depth, or a part of it
  std::int64_t depth_parts;
  std::int64_t panels;     // side by side: slices of what is summed over rows
  std::int64_t part_rows;  // of a team
  std::int64_t parts;      // below each other: slices of what is summed over columns

  std::int64_t teams() const { return depth_parts * panels * parts; }
};

/// The extents of dC as kernels see it, and the depth.
inline GemmShape shallow_shape(const Call& call) {
  const GemmShape shape{call.dC.rows, call.dC.columns, call.A.columns};
  return shallow_transposes(call) ? shape.transposed() : shape;
}

/// The tiles of dA and of dB^T for one of dC: each sums over the other's lines.
constexpr std::array<TileShape, 2> shallow_product_tiles(const TileShape& tile) {
  return {TileShape{tile.m, tile.k, tile.n}, TileShape{tile.n, tile.k, tile.m}};
}

/// Teams of a tile, which is one of dC as kernels see it; about so many parts of whole tiles.
inline ShallowCut shallow_cut(const TileShape& tile, const GemmShape& shape, std::int64_t parts) {
  const std::int64_t part_rows = ceil_div(ceil_div(shape.m, tile.m), parts) * tile.m;
  return {tile, ceil_div(shape.k, tile.k), ceil_div(shape.n, tile.n), part_rows, ceil_div(shape.m, part_rows)};
}

/// That of a planned call.
inline ShallowCut shallow_cut(const Call& call, const Plan& plan) {
  const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
  const bool has_dA = dA.teams() > 0;
  const TileShape tile =
      has_dA ? TileShape{dA.tile.m, dA.tile.k, dA.tile.n} : TileShape{dB.tile.k, dB.tile.m, dB.tile.n};
  const TileShape seen  = shallow_transposes(call) ? tile.transposed() : tile;
  const GemmShape shape = shallow_shape(call);
  const int teams       = (has_dA ? dA : dB).holding_teams;
  return shallow_cut(seen, shape, teams / ceil_div(shape.n, seen.n) / ceil_div(shape.k, seen.k));
}

/// The tile with these extents.
template <class Bits>
const ShallowTile& shallow_tile(const TileShape& tile) {
  for (const ShallowTile& own : shallow_tiles<Bits>)
    if (own.choice.tile == tile) return own;
  throw std::logic_error("Tegula: the shallow family has no tile " + text(tile));
}

}  // namespace Tegula::Impl

#endif
