// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TILE_ORDER_HPP
#define TEGULA_TILE_ORDER_HPP

/// The order in which the tiles of C are computed, and what an order costs in traffic to global memory.
/// Everything here is constexpr and needs no Kokkos.

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"

namespace Tegula {

/// Extents of C (m x n) = A (m x k) B (k x n), in elements.
struct GemmShape {
  std::int64_t m = 0, n = 0, k = 0;

  /// Those of C^T = B^T A^T.
  constexpr GemmShape transposed() const { return {n, m, k}; }

  friend constexpr bool operator==(const GemmShape&, const GemmShape&) = default;
};

/// Extents of a tile: m x n of C, and the length k of one step along the inner dimension.
struct TileShape {
  int m = 0, n = 0, k = 0;

  /// Those of the same tile in C^T.
  constexpr TileShape transposed() const { return {n, m, k}; }

  friend constexpr bool operator==(const TileShape&, const TileShape&) = default;
};

/// Position of a tile in the grid of tiles.
struct TileCoordinate {
  std::int64_t row = 0, column = 0;

  friend constexpr bool operator==(const TileCoordinate&, const TileCoordinate&) = default;
};

/// ceil(numerator / denominator), for numerator >= 0 and denominator > 0.
TEGULA_HOST_DEVICE constexpr std::int64_t ceil_div(std::int64_t numerator, std::int64_t denominator) {
  return (numerator + denominator - 1) / denominator;
}

/// dividend / divisor, for both >= 0. A device divides numbers of 64 bits ten times more slowly than those of 32.
TEGULA_HOST_DEVICE constexpr std::int64_t quotient(std::int64_t dividend, std::int64_t divisor) {
  constexpr std::int64_t short_limit = std::int64_t(1) << 32;
  if (dividend < short_limit && divisor < short_limit)
    return static_cast<std::uint32_t>(dividend) / static_cast<std::uint32_t>(divisor);
  return dividend / divisor;
}

/// Grouped order: `group` rows of tiles at a time, and column after column within them, so that tiles that run at the
/// same time share blocks of A and of B. The last group may have fewer rows. group = 1 is row-major order.
///
///   3 x 4 tiles, group 2:   0 2 4 6
///                           1 3 5 7
///                           8 9 10 11
struct TileOrder {
  std::int64_t rows = 0, columns = 0, group = 1;

  TEGULA_HOST_DEVICE constexpr std::int64_t tiles() const { return rows * columns; }

  /// The tile that is the rank-th to run, 0 <= rank < tiles(). A bijection.
  TEGULA_HOST_DEVICE constexpr TileCoordinate operator()(std::int64_t rank) const {
    const std::int64_t group_tiles = group * columns;
    const std::int64_t first_row   = rank / group_tiles * group;
    const std::int64_t rows_left   = rows - first_row;
    const std::int64_t group_rows  = rows_left < group ? rows_left : group;
    const std::int64_t in_group    = rank % group_tiles;
    return {first_row + in_group % group_rows, in_group / group_rows};
  }
};

/// The grouped order of the tiles that cover C.
constexpr TileOrder tile_order(const GemmShape& shape, const TileShape& tile, std::int64_t group) {
  return {ceil_div(shape.m, tile.m), ceil_div(shape.n, tile.n), group};
}

/// Elements that move between global memory and tiles.
struct Traffic {
  std::int64_t left = 0, right = 0, stored = 0;

  constexpr std::int64_t loaded() const { return left + right; }
};

/// Traffic of C = A B when every tile of C loads its rows of A and its columns of B once and is stored once:
///   left = m k columns of tiles,  right = k n rows of tiles,  stored = m n.
/// Caches below are not counted: this is what the tiles load.
constexpr Traffic tile_traffic(const GemmShape& shape, const TileOrder& order) {
  return {shape.m * shape.k * order.columns, shape.k * shape.n * order.rows, shape.m * shape.n};
}

/// Distinct blocks of A (tile.m x tile.k) and B (tile.k x tile.n) that the first `wave` tiles of an order read, with
/// k_blocks blocks along the inner dimension. The fewer, the more of what the wave loads comes out of a cache.
constexpr std::int64_t wave_blocks(const TileOrder& order, std::int64_t k_blocks, std::int64_t wave) {
  const std::int64_t last = wave < order.tiles() ? wave : order.tiles();
  std::int64_t lines      = 0;  // rows of blocks of A plus columns of blocks of B seen so far
  for (std::int64_t rank = 0; rank < last; ++rank) {
    bool new_row = true, new_column = true;
    for (std::int64_t earlier = 0; earlier < rank; ++earlier) {
      if (order(earlier).row == order(rank).row) new_row = false;
      if (order(earlier).column == order(rank).column) new_column = false;
    }
    lines += (new_row ? 1 : 0) + (new_column ? 1 : 0);
  }
  return lines * k_blocks;
}

/// The group size for which a wave of tiles touches the fewest bytes of A and B. A wave of w tiles in groups of g rows
/// spans g tile rows and about w / g tile columns, so g tile.m + (w / g) tile.n is least at g = sqrt(w tile.n /
/// tile.m).
constexpr std::int64_t best_group(std::int64_t tile_rows, const TileShape& tile, std::int64_t wave) {
  std::int64_t group = 1;
  while ((group + 1) * (group + 1) * tile.m <= wave * tile.n) ++group;
  return group < tile_rows ? group : (tile_rows > 0 ? tile_rows : 1);
}

}  // namespace Tegula

#endif
