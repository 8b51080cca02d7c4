// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_TILES_HPP
#define TEGULA_CUDA_TILES_HPP

#include <cstdint>
#include <limits>

#include "Tegula_Plan.hpp"

/// The tile scheduler of the families for CUDA: which tile a team computes next.

namespace Tegula::Impl {

/// Division by a number that is known on the host, without a device's slow division: with s = ceil(log2 d) and f =
/// floor(2^32 (2^s - d) / d) + 1 the quotient of 0 <= n < 2^31 is (floor(n f / 2^32) + n) / 2^s (Granlund and
/// Montgomery, doi:10.1145/178243.178249).
class Divisor {
 public:
  Divisor() = default;
  TEGULA_HOST_DEVICE constexpr explicit Divisor(std::uint32_t divisor) : divisor_(divisor) {
    while ((std::uint64_t(1) << shift_) < divisor) ++shift_;
    factor_ =
        static_cast<std::uint32_t>(((std::uint64_t(1) << 32) * ((std::uint64_t(1) << shift_) - divisor)) / divisor + 1);
  }

  TEGULA_HOST_DEVICE constexpr std::uint32_t quotient(std::uint32_t n) const {
    return (static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) * factor_ >> 32) + n) >> shift_;
  }
  TEGULA_HOST_DEVICE constexpr std::uint32_t value() const { return divisor_; }

 private:
  std::uint32_t divisor_ = 1, factor_ = 1, shift_ = 0;
};

/// A work item: a tile, and the part of the inner dimension that is summed, in steps of the tile.
struct CudaWork {
  std::int32_t row, column;  // of the first element
  std::int32_t split;
  std::int32_t step_begin, step_end;

  /// In the place of split: the tile is not cut, though others of the product are.
  static constexpr std::int32_t whole = -1;
};

/// The tiles of a product in the grouped order of TileOrder: the first of them whole, if some are, since those take
/// longer, then all others times all parts of the inner dimension. The team of league rank r computes work item r and,
/// where teams are persistent, r + teams, r + 2 teams, ..., so that the work items of one wave are neighbours in that
/// order.
class CudaTiles {
 public:
  CudaTiles() = default;
  CudaTiles(const TileShape& tile, const TileOrder& order, std::int64_t steps, std::int64_t steps_per_split,
            std::int64_t whole = 0)
      : tile_m_(tile.m),
        tile_n_(tile.n),
        steps_(static_cast<std::int32_t>(steps)),
        rows_(static_cast<std::uint32_t>(order.rows)),
        group_tiles_(static_cast<std::uint32_t>(group_of(order) * order.columns)),
        group_(static_cast<std::uint32_t>(group_of(order))),
        last_group_(static_cast<std::uint32_t>((order.rows - 1) % group_of(order) + 1)),
        steps_per_split_(static_cast<std::int32_t>(steps_per_split)),
        works_(static_cast<std::uint32_t>(whole + (order.tiles() - whole) *
                                                      (steps == 0 ? 1 : ceil_div(steps, steps_per_split)))),
        whole_(static_cast<std::uint32_t>(whole)),
        cut_(static_cast<std::uint32_t>(order.tiles() - whole)) {}

  TEGULA_HOST_DEVICE std::uint32_t works() const { return works_; }

  /// Lets the last tiles begin earlier, so that they end where the rows of the product do, unless there are fewer rows
  /// than a tile has. Tiles that are whole are fetched faster, and a kernel of few tiles ends with its slowest ones.
  /// What two tiles share both compute, and store with the same bits, since the order of a sum does not depend on its
  /// place in a tile: not for results that add to what was there.
  void end_with_rows(std::int64_t rows) { last_row_ = last_begin(rows, tile_m_); }
  /// The same for columns.
  void end_with_columns(std::int64_t columns) { last_column_ = last_begin(columns, tile_n_); }

  TEGULA_HOST_DEVICE CudaWork operator()(std::uint32_t rank) const {
    // Which tiles are whole is a matter of what is selected, not of a branch, nor of a second set of numbers: every
    // line of arguments that is read delays a small kernel.
    const bool is_whole       = rank < whole_;
    const std::uint32_t split = is_whole ? 0 : cut_.quotient(rank - whole_);
    const std::int32_t begin  = static_cast<std::int32_t>(split) * steps_per_split_;
    const std::int32_t end    = is_whole ? steps_ : begin + steps_per_split_;
    return work(rank - split * cut_.value(), is_whole ? CudaWork::whole : static_cast<std::int32_t>(split), begin,
                end < steps_ ? end : steps_);
  }

  /// The same where it is known that no tile is cut, which a small kernel has less to reckon for.
  TEGULA_HOST_DEVICE CudaWork uncut(std::uint32_t rank) const { return work(rank, CudaWork::whole, 0, steps_); }

 private:
  TEGULA_HOST_DEVICE CudaWork work(std::uint32_t tile, std::int32_t split, std::int32_t begin, std::int32_t end) const {
    const std::uint32_t group     = group_tiles_.quotient(tile);
    const std::uint32_t first_row = group * group_.value();
    const std::uint32_t in_group  = tile - group * group_tiles_.value();
    const Divisor& group_rows     = first_row + group_.value() <= rows_ ? group_ : last_group_;
    const std::uint32_t column    = group_rows.quotient(in_group);
    const std::uint32_t row       = first_row + in_group - column * group_rows.value();
    const std::int32_t first      = static_cast<std::int32_t>(row) * tile_m_,
                       left       = static_cast<std::int32_t>(column) * tile_n_;
    return {first < last_row_ ? first : last_row_, left < last_column_ ? left : last_column_, split, begin, end};
  }

  // A group larger than the number of rows is cut to it, so that its tiles can be counted in 32 bits.
  static std::int64_t group_of(const TileOrder& order) { return order.group < order.rows ? order.group : order.rows; }

  static std::int32_t last_begin(std::int64_t extent, std::int32_t tile) {
    return extent < tile ? 0 : static_cast<std::int32_t>(extent - tile);
  }

  std::int32_t tile_m_ = 0, tile_n_ = 0, steps_ = 0;
  std::int32_t last_row_    = std::numeric_limits<std::int32_t>::max(),
               last_column_ = std::numeric_limits<std::int32_t>::max();
  std::uint32_t rows_       = 0;
  Divisor group_tiles_, group_, last_group_;
  // Of cut tiles only.
  std::int32_t steps_per_split_ = 1;
  std::uint32_t works_ = 0, whole_ = 0;
  Divisor cut_;
};

inline CudaTiles tiles_of(const ProductPlan& product) {
  return {product.tile, product.order, ceil_div(product.shape.k, product.tile.k), product.k_split / product.tile.k,
          product.whole_tiles()};
}

/// Along which dimensions a kernel lets tiles begin anywhere.
struct MovableTiles {
  bool rows = false, columns = false;
};

/// From so many fetched elements for each stored one on, to fetch a tile that is not whole takes longer than to store
/// some of it twice: found by times of all tiles on an H200. Below, an H100 loses nothing in drawn products either way.
inline constexpr std::int64_t fetched_for_a_stored = 3;

/// The same tiles, those at an edge whole where that may be and pays.
inline CudaTiles tiles_of(const ProductPlan& product, const MovableTiles& movable) {
  CudaTiles tiles            = tiles_of(product);
  const auto& [m, n, step]   = product.tile;
  const std::int64_t depth   = product.k_split < product.shape.k ? product.k_split : product.shape.k;
  const std::int64_t fetched = (std::int64_t(m) + n) * depth;
  if (fetched < fetched_for_a_stored * m * n) return tiles;
  if (movable.rows) tiles.end_with_rows(product.shape.m);
  if (movable.columns) tiles.end_with_columns(product.shape.n);
  return tiles;
}

}  // namespace Tegula::Impl

#endif
