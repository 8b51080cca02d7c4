// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_CONFIG_HPP
#define TEGULA_OUTER_MMA_CONFIG_HPP

#include <array>

#include "../Tegula_ConfigList.hpp"

/// The tiles of the outer_mma family.

namespace Tegula::Impl {

/// Warps of a team, which take 16 rows of its tile in turn, and columns of which a team has sums.
inline constexpr int outer_mma_warps = 4, outer_mma_threads = 32 * outer_mma_warps, outer_mma_columns_log2 = 7,
                     outer_mma_columns = 1 << outer_mma_columns_log2;

/// Columns of a tile: all of those, or as many as are whole sectors of memory wherever a row begins. Then neighbouring
/// tiles lap by a sector, and each stores what lies between the boundaries of sectors that are nearest to its own.
inline constexpr int outer_lap = 16, outer_lapping_columns = outer_mma_columns - outer_lap;

/// Sums are of up to Depth products. Registers are for Teams teams a multiprocessor.
template <int Depth, int Teams>
struct OuterMmaConfig {
  static constexpr int depth = Depth, teams = Teams, mma_depth = 16, steps = Depth / mma_depth;
  // Of a line in scratch: an odd multiple of 16, so that 8 lines lie on all banks.
  static constexpr int line_bytes = 2 * Depth + 16;
};

using OuterMmaConfigs = ConfigList<OuterMmaConfig<16, 6>, OuterMmaConfig<32, 5>, OuterMmaConfig<64, 4>>;

/// Rows of tiles: few for small results, many for large ones, so that columns are read less often.
inline constexpr std::array outer_mma_rows{64, 128, 256};
inline constexpr int outer_mma_most_rows = outer_mma_rows.back();

/// Bytes of scratch: lines of both operands, and a bias of columns or of rows; and what aligns them.
template <class Config>
constexpr int outer_mma_used() {
  return (outer_mma_most_rows + outer_mma_columns) * Config::line_bytes + outer_mma_most_rows * int(sizeof(float));
}
inline constexpr int outer_mma_alignment = 16;
template <class Config>
constexpr int outer_mma_scratch() {
  return outer_mma_used<Config>() + outer_mma_alignment;
}

/// As data: every configuration with every number of rows, and with columns that lap and that do not.
template <class... Configs>
constexpr auto outer_mma_tiles_of(ConfigList<Configs...>) {
  constexpr std::array widths{outer_mma_columns, outer_lapping_columns};
  std::array<ConfigChoice, outer_mma_rows.size() * widths.size() * sizeof...(Configs)> tiles{};
  std::size_t tile = 0;
  const auto add   = [&]<class Config>() {
    for (const int rows : outer_mma_rows)
      for (const int columns : widths)
        tiles[tile++] = {{rows, columns, Config::depth}, outer_mma_threads, outer_mma_scratch<Config>(), Config::teams};
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}
inline constexpr auto outer_mma_tiles = outer_mma_tiles_of(OuterMmaConfigs());

}  // namespace Tegula::Impl

#endif
