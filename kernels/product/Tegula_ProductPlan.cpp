// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ProductPlan.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace Tegula::Impl {
namespace {

/// Parts of about `fair_length`, the lengths of all tiles divided by the teams that run at once, so that no team sums
/// alone while others idle. A part must be long enough to be worth the extra pass over the sums.
std::int64_t fair_parts(const ProductPlan& product, std::int64_t fair_length) {
  constexpr std::int64_t shortest_part = 256, most_parts = 64;
  const std::int64_t parts = (product.shape.k + fair_length / 2) / std::max<std::int64_t>(1, fair_length);
  return std::min({parts, product.shape.k / shortest_part, most_parts});
}

/// The divisor of number that is the fewest times larger or smaller than `wanted`.
std::int64_t divisor_near(std::int64_t number, std::int64_t wanted) {
  const auto times = [&](std::int64_t divisor) {
    const auto [least, most] = std::minmax(divisor, wanted);
    return static_cast<double>(most) / static_cast<double>(least);
  };
  std::int64_t nearest = 1;
  for (std::int64_t divisor = 2; divisor <= number; ++divisor)
    if (number % divisor == 0 && times(divisor) < times(nearest)) nearest = divisor;
  return nearest;
}

}  // namespace

void drop_unwanted_products(Plan& plan) {
  for (ProductPlan& product : plan.products)
    if (!is_wanted(product) && *product.name != '\0') product = ProductPlan{};
}

void cut_into_tiles(ProductPlan& product, const TileShape& tile, std::int64_t teams, const PlanOptions& options) {
  product.tile          = tile;
  product.order.rows    = parts_of(product.shape.m, tile.m);
  product.order.columns = std::max<std::int64_t>(1, parts_of(product.shape.n, tile.n));
  product.order.group   = options.group > 0 ? options.group : best_group(product.order.rows, tile, teams);
}

void cut_inner_dimension(ProductPlan& product, std::int64_t parts, std::size_t accumulator_bytes) {
  const std::int64_t k_steps = parts_of(product.shape.k, product.tile.k);
  parts                      = std::clamp<std::int64_t>(parts, 1, std::max<std::int64_t>(1, k_steps));
  product.k_split            = std::max<std::int64_t>(1, parts_of(k_steps, parts)) * product.tile.k;
  product.split_k            = std::max<std::int64_t>(1, parts_of(product.shape.k, product.k_split));
  if (product.split_k == 1) return;
  const GemmShape cut      = product.cut_shape();
  const std::int64_t slice = cut.m * cut.n + (product.sums_rows ? cut.m : 0);
  const auto bytes         = static_cast<std::size_t>(product.split_k * slice) * accumulator_bytes;
  product.workspace_bytes  = bytes + (64 - bytes % 64) % 64;  // the next product's slices start aligned
}

GemmShape whole_part(const GemmShape& shape, const TileShape& tile, std::int64_t tiles) {
  const std::int64_t rows = ceil_div(shape.m, tile.m), columns = ceil_div(shape.n, tile.n);
  if (tiles >= rows * columns) return {};
  const std::int64_t by_rows = tiles / columns, by_columns = tiles / rows;
  if (by_rows * columns >= by_columns * rows) return {by_rows * tile.m, 0, shape.k};
  return {0, by_columns * tile.n, shape.k};
}

void leave_whole(ProductPlan& product, int waves, std::int64_t teams) {
  const GemmShape whole = whole_part(product.shape, product.tile, waves * teams);
  product.whole_rows    = whole.m;
  product.whole_columns = whole.n;
  product.whole_waves   = waves;
  product.order.group = whole.m > 0 ? divisor_near(whole.m / product.tile.m, product.order.group) : product.order.rows;
}

void cut_inner_dimensions(Plan& plan, std::int64_t teams, std::size_t accumulator_bytes, const PlanOptions& options) {
  std::int64_t steps = 0;  // of length 1 along the inner dimension, of all tiles
  for (const ProductPlan& product : plan.products) steps += product.order.tiles() * product.shape.k;
  for (ProductPlan& product : plan.products) {
    if (product.order.tiles() == 0) continue;
    cut_inner_dimension(product, options.split_k > 0 ? options.split_k : fair_parts(product, parts_of(steps, teams)),
                        accumulator_bytes);
  }
}

void check_plan_options(const PlanOptions& options, const ArgumentList& arguments, bool has_waves) {
  if (options.group < 0) arguments.fail("plan option group is " + std::to_string(options.group));
  if (options.split_k < 0) arguments.fail("plan option split_k is " + std::to_string(options.split_k));
  if (options.whole_waves < 0 || (options.whole_waves > 0 && !has_waves))
    arguments.fail("plan option whole_waves is " + std::to_string(options.whole_waves) +
                   (has_waves ? "" : ", which families for CUDA have"));
  if (options.whole_waves > 0 && options.split_k == 1)
    arguments.fail("plan option whole_waves is " + std::to_string(options.whole_waves) +
                   ", and split_k 1 cuts nothing");
}

void check_league(const Plan& plan, const ArgumentList& arguments) {
  if (plan.teams() > std::numeric_limits<int>::max()) {
    arguments.fail("the call has " + std::to_string(plan.teams()) + " tiles, more than a Kokkos league holds");
  }
}

}  // namespace Tegula::Impl
