// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PanelPlan.hpp"

#include <algorithm>

#include "Tegula_PanelConfig.hpp"

namespace Tegula::Impl {
namespace {

/// The tile in rows and columns of the call.
TileShape tile_of(const ProductCall<double>& call) {
  constexpr TileShape tile = PanelConfig::shape();
  return call.C.is_column_major() ? tile.transposed() : tile;
}

}  // namespace

std::pair<ProductCall<double>, GemmShape> panel_call(const ProductCall<double>& call, const GemmShape& shape) {
  if (!call.C.is_column_major()) return {call, shape};
  return {transposed(call), shape.transposed()};
}

std::optional<TmaMatrix> panel_result(const VectorResult<double>& result) {
  if (!result.C.by_vectors || result.n % 2 != 0) return std::nullopt;
  return tma_matrix(result.C.data, result.m, result.n, result.C.row_stride, 1, sizeof(double));
}

bool is_panel(const ProductCall<double>& any_call, const GemmShape& any_shape, const PlanOptions& options) {
  const auto [call, shape] = panel_call(any_call, any_shape);
  const TileShape own      = tile_of(any_call);
  if (options.split_k > 1 || options.group != 0 || (options.tile != TileShape{} && options.tile != own)) return false;
  if (shape.k < 1 || shape.k > PanelConfig::most_depth) return false;
  const VectorResult<double> result = vector_result<double>(call, shape, nullptr);
  return result.is_simple() && panel_result(result) && tma_matrix(call.left) && tma_matrix(call.right);
}

// Measured on an H200: a team must bring a panel first, and its groups want several tiles each.
bool is_best_panel(const GemmShape& shape) {
  constexpr std::int64_t shortest = 256, least = std::int64_t(1536) * 1536;
  return std::min(shape.m, shape.n) >= shortest && shape.m * shape.n >= least;
}

void plan_panel_product(Plan& plan, const CudaMachine& machine, const ProductCall<double>& call,
                        const PlanOptions& options, const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  plan.reason       = options.tile != TileShape{} ? "the options ask for this tile" : "the inner dimension is so short";
  plan.instructions = "products of doubles on tensor cores, a panel of an operand held in scratch";
  plan.threads      = PanelConfig::threads;
  plan.scratch_bytes   = PanelConfig::scratch_bytes;
  plan.scratch_level   = 0;
  ProductPlan& product = plan.products[0];
  if (!is_wanted(product)) return drop_unwanted_products(plan);
  // Tiles run down the panels, which are columns of tiles, or rows of tiles if C is column-major.
  const TileShape tile = tile_of(call);
  PlanOptions cut      = options;
  cut.group            = call.C.is_column_major() ? 1 : static_cast<int>(ceil_div(product.shape.m, tile.m));
  cut_into_tiles(product, tile, machine.multiprocessors, cut);
  cut_inner_dimension(product, 1, sizeof(double));
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
