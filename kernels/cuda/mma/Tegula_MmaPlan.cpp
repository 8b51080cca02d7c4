// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaPlan.hpp"

#include <array>
#include <string>

namespace Tegula::Impl {
namespace {

constexpr auto choices = mma_choices(MmaConfigs());

std::int64_t count_tiles(const std::array<ProductPlan, 2>& products, const TileShape& tile) {
  std::int64_t tiles = 0;
  for (const ProductPlan& product : products)
    tiles += ceil_div(product.shape.m, tile.m) * ceil_div(product.shape.n, tile.n);
  return tiles;
}

/// The tile that options ask for, or else the largest of which nine in ten multiprocessors get one, or else the
/// smallest; in any case one for which there is enough scratch.
MmaChoice choose_tile(Plan& plan, const TensorMachine& machine, const PlanOptions& options,
                      const ArgumentList& arguments) {
  const bool asked = options.tile != TileShape{};
  std::string offered;
  const MmaChoice* smallest = nullptr;
  for (const MmaChoice& choice : choices) {
    if (static_cast<std::size_t>(choice.scratch_bytes) > machine.scratch_max) continue;
    if (asked && choice.tile == options.tile) {
      plan.reason = "the options ask for this tile";
      return choice;
    }
    if (!asked && 10 * count_tiles(plan.products, choice.tile) >= 9 * machine.multiprocessors) {
      plan.reason = "it is the largest tile of which nearly every multiprocessor gets one";
      return choice;
    }
    offered += ' ' + text(choice.tile);
    smallest = &choice;
  }
  if (asked) arguments.fail("the mma family has no tile " + text(options.tile) + " here, only" + offered);
  if (smallest == nullptr) arguments.fail("the mma family has no tile for so little scratch");
  plan.reason = "it is the smallest tile, and there is no tile for every multiprocessor";
  return *smallest;
}

/// Products run one after the other, so each is cut as if it were alone. To split it is worth the extra pass over the
/// sums only where multiprocessors would idle.
void cut_product(ProductPlan& product, const TileShape& tile, std::int64_t teams, int multiprocessors,
                 PlanOptions options) {
  cut_into_tiles(product, tile, teams, options);
  if (options.split_k == 0 && product.order.tiles() >= multiprocessors) options.split_k = 1;
  Plan alone;
  alone.products[0] = product;
  cut_inner_dimensions(alone, teams, sizeof(float), options);
  product = alone.products[0];
}

}  // namespace

void plan_mma_products(Plan& plan, const TensorMachine& machine, const PlanOptions& options,
                       const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  const MmaChoice choice   = choose_tile(plan, machine, options, arguments);
  plan.threads             = choice.threads;
  plan.scratch_bytes       = static_cast<std::size_t>(choice.scratch_bytes);
  plan.scratch_level       = 0;
  const std::int64_t teams = std::int64_t(machine.multiprocessors) * choice.teams;
  for (ProductPlan& product : plan.products) {
    if (is_wanted(product)) cut_product(product, choice.tile, teams, machine.multiprocessors, options);
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
