// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_AsyncPlan.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "../Tegula_CudaCost.hpp"

namespace Tegula::Impl {
namespace {

constexpr std::int64_t shortest = 128;  // inner dimension of a part of split-k

/// Factor of the time if no tile of an operand is whole. Tiles of few lines are made for few lines, and useless if the
/// other side is not long.
double ragged(const GemmShape& shape, const TileShape& tile) {
  constexpr int few = 8;
  if (tile.m <= few) return shape.n < tile.n ? 4 : 1;
  if (tile.n <= few) return shape.m < tile.m ? 4 : 1;
  return shape.m < tile.m || shape.n < tile.n ? 1.6 : 1;
}

/// Cycles of a product whose inner dimension is cut into so many parts.
double cost_of(const AsyncModel& model, const GemmShape& shape, std::size_t config, std::int64_t splits,
               int multiprocessors) {
  const TileShape& tile    = model.choices[config].tile;
  const AsyncRate& rate    = model.rates[config];
  const std::int64_t steps = ceil_div(ceil_div(shape.k, tile.k), splits);
  const std::int64_t works = ceil_div(count_tiles(shape, tile) * splits, multiprocessors);  // of one multiprocessor
  const double sums        = number(tile.m) * tile.n;
  const double products = ragged(shape, tile) * sums * number(steps * tile.k) / (works == 1 ? rate.alone : rate.full);
  return number(works) * (products + rate.work_start + sums / rate.stored_sums) +
         reduction_cost(shape, splits, multiprocessors, static_cast<double>(model.sum_bytes));
}

struct Cut {
  std::int64_t splits = 1;
  double cost         = 0;
};

/// The cheapest number of parts: one, or as many as give every multiprocessor one or two.
Cut best_cut(const AsyncModel& model, const GemmShape& shape, std::size_t config, int multiprocessors) {
  Cut best{1, cost_of(model, shape, config, 1, multiprocessors)};
  for (std::int64_t waves = 1; waves <= 2; ++waves) {
    const std::int64_t share =
        waves * multiprocessors / std::max<std::int64_t>(1, count_tiles(shape, model.choices[config].tile));
    const std::int64_t splits = std::min(share, shape.k / shortest);
    if (splits <= 1) continue;
    const double cost = cost_of(model, shape, config, splits, multiprocessors);
    if (cost < best.cost) best = {splits, cost};
  }
  return best;
}

/// A tile, and the cuts of the products, which run one after the other.
struct Choice {
  std::size_t config = 0;
  std::array<Cut, 2> cuts;
  double cost = 0;
};

Choice best_cuts(const AsyncModel& model, const std::array<ProductPlan, 2>& products, std::size_t config,
                 int multiprocessors) {
  Choice choice{config, {}, 0};
  for (std::size_t p = 0; p < products.size(); ++p) {
    if (!is_own(products[p])) continue;
    choice.cuts[p] = best_cut(model, products[p].shape, config, multiprocessors);
    choice.cost += choice.cuts[p].cost;
  }
  return choice;
}

/// The tile that options ask for, or else the cheapest one that fits the scratch.
Choice choose(const AsyncModel& model, const Plan& plan, const CudaMachine& machine, const PlanOptions& options,
              const ArgumentList& arguments) {
  const bool asked         = options.tile != TileShape{};
  const std::string family = "the " + std::string(plan.family) + " family";
  std::string offered;
  std::optional<Choice> best;
  for (std::size_t config = 0; config < model.choices.size(); ++config) {
    if (static_cast<std::size_t>(model.choices[config].scratch_bytes) > machine.scratch_max) continue;
    offered += ' ' + text(model.choices[config].tile);
    if (asked && model.choices[config].tile != options.tile) continue;
    const Choice choice = best_cuts(model, plan.products, config, machine.multiprocessors);
    if (!best || choice.cost < best->cost) best = choice;
  }
  if (offered.empty()) arguments.fail(family + " has no tile for so little scratch");
  if (!best) arguments.fail(family + " has no tile " + text(options.tile) + " here, only" + offered);
  return *best;
}

}  // namespace

void plan_async_products(const AsyncModel& model, Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  const Choice choice        = choose(model, plan, machine, options, arguments);
  const ConfigChoice& config = model.choices[choice.config];
  plan.reason  = options.tile != TileShape{} ? "the options ask for this tile" : "it is the cheapest of the cost model";
  plan.threads = config.threads;
  plan.scratch_bytes       = static_cast<std::size_t>(config.scratch_bytes);
  plan.scratch_level       = 0;
  const std::int64_t teams = std::int64_t(machine.multiprocessors) * config.teams;
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (!is_own(product)) continue;
    cut_into_tiles(product, config.tile, teams, options);
    cut_inner_dimension(product, options.split_k > 0 ? options.split_k : choice.cuts[p].splits, model.sum_bytes);
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
