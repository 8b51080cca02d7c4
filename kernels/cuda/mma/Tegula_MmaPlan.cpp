// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaPlan.hpp"

#include <string>

namespace Tegula::Impl {
namespace {

constexpr auto choices = mma_choices(MmaConfigs());

std::int64_t count_tiles(const GemmShape& shape, const TileShape& tile) {
  return ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n);
}

/// The tile that options ask for, or else the largest of which every multiprocessor gets one, or else the smallest; in
/// any case one for which there is enough scratch.
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
    if (!asked && count_tiles(plan.products[0].shape, choice.tile) >= machine.multiprocessors) {
      plan.reason = "it is the largest tile of which every multiprocessor gets one";
      return choice;
    }
    offered += ' ' + text(choice.tile);
    smallest = &choice;
  }
  if (asked) arguments.fail("the mma family has no tile " + text(options.tile) + " here, only" + offered);
  if (smallest == nullptr) arguments.fail("the mma family has no tile for so little scratch");
  plan.reason = "it is the smallest tile, and the product has no tile for every multiprocessor";
  return *smallest;
}

}  // namespace

void plan_mma_product(Plan& plan, const TensorMachine& machine, const PlanOptions& options,
                      const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  const MmaChoice choice = choose_tile(plan, machine, options, arguments);
  plan.threads           = choice.threads;
  plan.scratch_bytes     = static_cast<std::size_t>(choice.scratch_bytes);
  plan.scratch_level     = 0;
  if (is_wanted(plan.products[0])) {
    const std::int64_t teams = std::int64_t(machine.multiprocessors) * choice.teams;
    cut_into_tiles(plan.products[0], choice.tile, teams, options);
    // To split is worth the extra pass over the sums only where multiprocessors would idle.
    PlanOptions cut = options;
    if (cut.split_k == 0 && plan.products[0].order.tiles() >= machine.multiprocessors) cut.split_k = 1;
    cut_inner_dimensions(plan, teams, sizeof(float), cut);
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
