// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_SHARES_HPP
#define TEGULA_PANEL_SHARES_HPP

#include <algorithm>
#include <cstdint>

#include "Tegula_TileOrder.hpp"

/// How the tiles of a result are shared out among teams.

namespace Tegula::Impl {

/// Tiles of one panel: its rows of tiles [begin, end).
struct PanelPart {
  std::int32_t panel, begin, end;
};

/// Tiles are numbered down the panels, one panel after the other. Every team has `share` tiles that follow each other,
/// and the first teams have one more. The host divides: a 64-bit division in the kernel is a call, after which the
/// compiler no longer knows what is the same for all threads of a warp.
struct PanelShares {
  std::int32_t rows = 0, panels = 0;  // of tiles
  std::int32_t teams = 0, share = 0, longer = 0;

  TEGULA_HOST_DEVICE constexpr std::int32_t first(std::int32_t team) const {
    return team * share + (team < longer ? team : longer);
  }

  /// The part that begins with one tile, of tiles that end with another.
  TEGULA_HOST_DEVICE constexpr PanelPart part(std::int32_t begin, std::int32_t end) const {
    const std::int32_t panel = begin / rows, first = panel * rows;
    return {panel, begin - first, end - first < rows ? end - first : rows};
  }
};

/// A team for every multiprocessor; or the same number for every panel, if few multiprocessors then have none. In that
/// case all teams are in the same rows at the same time, and what they write lies together.
constexpr PanelShares panel_shares(std::int64_t rows, std::int64_t panels, std::int64_t multiprocessors) {
  const std::int64_t tiles = rows * panels, even = multiprocessors / panels * panels;
  const std::int64_t teams = std::min(tiles, 20 * even >= 19 * multiprocessors ? even : multiprocessors);
  const auto count         = [](std::int64_t number) { return static_cast<std::int32_t>(number); };
  return {count(rows), count(panels), count(teams), count(tiles / teams), count(tiles % teams)};
}

}  // namespace Tegula::Impl

#endif
