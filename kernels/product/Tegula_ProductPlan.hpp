// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_PLAN_HPP
#define TEGULA_PRODUCT_PLAN_HPP

#include <array>

#include "Tegula_Check.hpp"
#include "Tegula_Plan.hpp"

/// What all families share of planning: how a product is cut. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// A product before it is cut. A product that is not wanted has an empty shape and sums no rows.
inline ProductPlan uncut_product(const char* name, const GemmShape& shape, std::size_t left_bytes,
                                 std::size_t right_bytes, std::size_t result_bytes, bool sums_rows) {
  ProductPlan product;
  product.name         = name;
  product.shape        = shape;
  product.left_bytes   = left_bytes;
  product.right_bytes  = right_bytes;
  product.result_bytes = result_bytes;
  product.sums_rows    = sums_rows;
  return product;
}

/// ceil_div(length, part), most often without a division: a small product is planned in the time of a few.
constexpr std::int64_t parts_of(std::int64_t length, std::int64_t part) {
  if (part == 1) return length;
  return length > part ? ceil_div(length, part) : length > 0 ? 1 : 0;
}

/// Whether there is anything to compute.
inline bool is_wanted(const ProductPlan& product) {
  return product.shape.m > 0 && (product.shape.n > 0 || product.sums_rows);
}

/// Cuts a product into tiles; `teams` run at once, for all products of the call.
void cut_into_tiles(ProductPlan& product, const TileShape& tile, std::int64_t teams, const PlanOptions& options);

/// Clears the products for which there is nothing to compute.
void drop_unwanted_products(Plan& plan);

/// The rows of a product, or else the columns, whichever has more, that consist of no more than so many tiles, with
/// tiles beyond them: {rows, 0} or {0, columns}; {0, 0} if there are none.
GemmShape whole_part(const GemmShape& shape, const TileShape& tile, std::int64_t tiles);

/// Lets tiles that fill the device so many times be whole, before the inner dimension of the others is cut, and takes
/// groups of tiles with which those are the first in the order. `teams` run at once.
void leave_whole(ProductPlan& product, int waves, std::int64_t teams);

/// Cuts the inner dimension of a product that has tiles (split-k) into about `parts`, each of whole steps of a tile.
void cut_inner_dimension(ProductPlan& product, std::int64_t parts, std::size_t accumulator_bytes);

/// Cuts the inner dimension of every product for which teams would idle, or as options say.
void cut_inner_dimensions(Plan& plan, std::int64_t teams, std::size_t accumulator_bytes, const PlanOptions& options);

/// Reports options that no family can meet. `has_waves`: some leave waves of tiles whole.
void check_plan_options(const PlanOptions& options, const ArgumentList& arguments, bool has_waves = false);

/// Reports more teams than a Kokkos league holds.
void check_league(const Plan& plan, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
