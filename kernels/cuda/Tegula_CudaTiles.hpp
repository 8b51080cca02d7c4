// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_TILES_HPP
#define TEGULA_CUDA_TILES_HPP

#include <cstdint>

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
};

/// All tiles of a product in the grouped order of TileOrder, times all parts of the inner dimension. The team of league
/// rank r computes work item r and, where teams are persistent, r + teams, r + 2 teams, ..., so that the work items of
/// one wave are neighbours in that order.
class CudaTiles {
 public:
  CudaTiles() = default;
  CudaTiles(const TileShape& tile, const TileOrder& order, std::int64_t steps, std::int64_t steps_per_split)
      : tile_m_(tile.m),
        tile_n_(tile.n),
        steps_(static_cast<std::int32_t>(steps)),
        steps_per_split_(static_cast<std::int32_t>(steps_per_split)),
        rows_(static_cast<std::uint32_t>(order.rows)),
        works_(static_cast<std::uint32_t>(order.tiles() * (steps == 0 ? 1 : ceil_div(steps, steps_per_split)))),
        tiles_(static_cast<std::uint32_t>(order.tiles())),
        group_tiles_(static_cast<std::uint32_t>(group_of(order) * order.columns)),
        group_(static_cast<std::uint32_t>(group_of(order))),
        last_group_(static_cast<std::uint32_t>((order.rows - 1) % group_of(order) + 1)) {}

  TEGULA_HOST_DEVICE std::uint32_t works() const { return works_; }

  TEGULA_HOST_DEVICE CudaWork operator()(std::uint32_t rank) const {
    const std::uint32_t split     = tiles_.quotient(rank);
    const std::uint32_t tile      = rank - split * tiles_.value();
    const std::uint32_t group     = group_tiles_.quotient(tile);
    const std::uint32_t first_row = group * group_.value();
    const std::uint32_t in_group  = tile - group * group_tiles_.value();
    const Divisor& group_rows     = first_row + group_.value() <= rows_ ? group_ : last_group_;
    const std::uint32_t column    = group_rows.quotient(in_group);
    const std::uint32_t row       = first_row + in_group - column * group_rows.value();
    const std::int32_t begin      = static_cast<std::int32_t>(split) * steps_per_split_;
    const std::int32_t end        = begin + steps_per_split_;
    return {static_cast<std::int32_t>(row) * tile_m_, static_cast<std::int32_t>(column) * tile_n_,
            static_cast<std::int32_t>(split), begin, end < steps_ ? end : steps_};
  }

 private:
  // A group larger than the number of rows is cut to it, so that its tiles can be counted in 32 bits.
  static std::int64_t group_of(const TileOrder& order) { return order.group < order.rows ? order.group : order.rows; }

  std::int32_t tile_m_ = 0, tile_n_ = 0, steps_ = 0, steps_per_split_ = 1;
  std::uint32_t rows_ = 0, works_ = 0;
  Divisor tiles_, group_tiles_, group_, last_group_;
};

inline CudaTiles tiles_of(const ProductPlan& product) {
  return {product.tile, product.order, ceil_div(product.shape.k, product.tile.k), product.k_split / product.tile.k};
}

}  // namespace Tegula::Impl

#endif
