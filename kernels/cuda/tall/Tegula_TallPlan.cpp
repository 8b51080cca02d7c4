// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TallPlan.hpp"

#include <algorithm>

#include "Tegula_TallConfig.hpp"

namespace Tegula::Impl {
namespace {

/// The narrowest tile that takes all columns; null if there is none.
template <class T>
const ConfigChoice* choose(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options) {
  static constexpr auto choices = choices_of(TallConfigs<T>());
  if (shape.n < 1 || shape.k < 1 || options.split_k > 0) return nullptr;
  for (const ConfigChoice& choice : choices) {
    const bool is_allowed = options.tile == TileShape{} || options.tile == choice.tile;
    const bool has_room   = static_cast<std::size_t>(choice.scratch_bytes) <= machine.scratch_max;
    const bool is_long    = shape.m > choice.tile.m;
    if (is_allowed && has_room && is_long && std::max(shape.n, shape.k) <= choice.tile.n) return &choice;
  }
  return nullptr;
}

}  // namespace

template <class T>
bool is_tall(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options) {
  return choose<T>(shape, machine, options) != nullptr;
}

// Measured on an H200: for few rows the two kernels take 17 microseconds, all of them launches, and those of other
// families twice as long.
template <class T>
bool is_best_tall(const GemmShape& shape) {
  return shape.m >= 1024;
}

template <class T>
void plan_tall_products(Plan& plan, const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  const ConfigChoice& choice = *choose<T>(shape, machine, options);
  plan.reason        = "it is as wide as the widest matrix; one kernel reads every long one once for all gradients";
  plan.threads       = choice.threads;
  plan.scratch_bytes = static_cast<std::size_t>(choice.scratch_bytes);

  // Teams have the same number of tiles, but for the last; the sums of a team are a slice.
  const std::int64_t at_once = std::int64_t(machine.multiprocessors) * choice.teams;
  const std::int64_t tiles = ceil_div(shape.m, choice.tile.m), teams = ceil_div(tiles, ceil_div(tiles, at_once));
  ProductPlan &dA = plan.products[0], &dB = plan.products[1];
  if (is_wanted(dA)) {
    cut_into_tiles(dA, choice.tile, at_once, options);
    dA.holding_teams = static_cast<int>(teams);
    cut_inner_dimension(dA, 1, sizeof(T));
  }
  if (is_wanted(dB)) {
    cut_into_tiles(dB, dB_tile(choice.tile), at_once, options);
    cut_inner_dimension(dB, teams, sizeof(T));
  }
  check_league(plan, arguments);
}

template bool is_tall<float>(const GemmShape&, const CudaMachine&, const PlanOptions&);
template bool is_tall<double>(const GemmShape&, const CudaMachine&, const PlanOptions&);
template bool is_best_tall<float>(const GemmShape&);
template bool is_best_tall<double>(const GemmShape&);
template void plan_tall_products<float>(Plan&, const GemmShape&, const CudaMachine&, const PlanOptions&,
                                        const ArgumentList&);
template void plan_tall_products<double>(Plan&, const GemmShape&, const CudaMachine&, const PlanOptions&,
                                         const ArgumentList&);

}  // namespace Tegula::Impl
