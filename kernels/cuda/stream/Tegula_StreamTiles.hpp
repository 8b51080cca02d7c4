// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_TILES_HPP
#define TEGULA_STREAM_TILES_HPP

#include <algorithm>
#include <span>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_LongRows.hpp"
#include "../Tegula_TileModel.hpp"

/// How tiles are planned where teams keep a small operand, while each of their warps goes down the long one from tile
/// to tile. Tiles have their long side where the product has its own.

namespace Tegula::Impl {

/// As many teams as run at once, or fewer, so that none is without a tile.
inline std::int64_t stream_teams(const ConfigChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  const std::int64_t tiles = ceil_div(std::max(shape.m, shape.n), choice.tile.m), warps = choice.threads / 32;
  return std::min(std::int64_t(machine.multiprocessors) * choice.teams, ceil_div(tiles, warps));
}

/// Whether a tile takes all of the small side, and a team has scratch for it.
inline bool takes_small_side(const ConfigChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  return can_run(choice, machine) && std::min(shape.m, shape.n) <= choice.tile.n;
}

/// Proposes the tiles that options allow and that are so, each with seconds(number).
template <class Is, class Seconds>
void propose_stream_tiles(std::span<const ConfigChoice> choices, const GemmShape& shape, const PlanOptions& options,
                          const Propose& propose, const Is& is, const Seconds& seconds) {
  for (std::size_t config = 0; config < choices.size(); ++config) {
    const TileShape tile = with_long_side(shape, choices[config].tile);
    if (is(choices[config]) && (options.tile == TileShape{} || options.tile == tile))
      propose({tile, {1, 1}, false, seconds(config)});
  }
}

/// Cuts a product as proposed.
inline std::array<ProductPlan, 2> cut_stream_tiles(const char* family, std::span<const ConfigChoice> choices,
                                                   const Call& call, const CudaMachine& machine,
                                                   const PlanOptions& options, const Proposal& proposal) {
  const ConfigChoice& choice = choice_of_tile(choices, proposal.tile);
  ProductPlan product =
      cut_as_proposed(family, call, choice, tiles_at_once(choice, machine), call.C.element_bytes, options, proposal);
  product.holding_teams = static_cast<int>(stream_teams(choice, call.shape(), machine));
  return {product, {}};
}

}  // namespace Tegula::Impl

#endif
