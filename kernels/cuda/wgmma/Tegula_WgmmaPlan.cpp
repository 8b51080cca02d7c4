// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaPlan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "../Tegula_CudaCost.hpp"
#include "Tegula_WgmmaTurns.hpp"

namespace Tegula::Impl {
namespace {

constexpr auto choices = choices_of(WgmmaConfigs());

/// Rates and costs of the planner, in cycles of a multiprocessor; only ratios matter. Fitted to an H200.
constexpr double multiply_adds  = 2048;  // a cycle, of 16-bit elements
constexpr double fetched_bytes  = 52;    // a cycle, out of the second cache
constexpr double memory_bytes   = 20;    // a cycle, of memory
constexpr double work_start     = 900;   // until the first operands of a tile have arrived, if nothing hides it
constexpr double stored_sums    = 16;    // a cycle, epilogue included
constexpr std::int64_t shortest = 4;     // steps of a part of split-k

using Products = std::array<ProductPlan, 2>;
using Splits   = std::array<std::int64_t, 2>;  // split-k of each product

/// A tile with the split-k of the products, and the cost of both.
struct Choice {
  ConfigChoice config;
  Splits splits{1, 1};
  double cost = 0;
};

std::int64_t steps_of(const GemmShape& shape, const TileShape& tile) { return ceil_div(shape.k, tile.k); }

/// The work items of a product: their number, and what one of them takes.
struct Works {
  std::int64_t count = 0, steps = 0;  // steps of one
  double cost = 0;                    // of one
};

Works works_of(const GemmShape& shape, const ConfigChoice& config, std::int64_t splits) {
  const TileShape& tile    = config.tile;
  const std::int64_t steps = ceil_div(steps_of(shape, tile), splits);
  const double sums        = number(tile.m) * tile.n;
  const double step        = std::max(sums * tile.k / multiply_adds, (tile.m + tile.n) * tile.k * 2 / fetched_bytes);
  return {count_tiles(shape, tile) * splits, steps, number(steps) * step + work_start + sums / stored_sums};
}

/// Cycles until the last team is done: see WgmmaShares.
double teams_cost(Works first, Works second, std::int64_t teams) {
  if (first.steps < second.steps) std::swap(first, second);
  const std::int64_t more = first.count % teams, fewer = teams - more;
  const std::int64_t head_start = second.count == 0 ? 0 : head_start_of(first.steps, second.steps);
  const std::int64_t rest       = std::max<std::int64_t>(0, second.count - head_start * fewer);
  const std::int64_t ahead      = std::min(head_start, ceil_div(second.count, fewer));
  const double with_fewer       = number(ahead + rest / teams + (rest % teams > 0 ? 1 : 0)) * second.cost;
  const double with_more        = first.cost + number(rest / teams + (rest % teams > fewer ? 1 : 0)) * second.cost;
  return number(first.count / teams) * first.cost + std::max(with_fewer, more > 0 ? with_more : 0);
}

double cost_of(const Products& products, const ConfigChoice& config, const Splits& splits, int multiprocessors) {
  std::array<Works, 2> works{};
  double bytes = 0, reduce = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const GemmShape& shape = products[p].shape;
    if (!is_wanted(products[p])) continue;
    works[p] = works_of(shape, config, splits[p]);
    bytes += 2 * number(shape.m * shape.k + shape.k * shape.n + shape.m * shape.n);
    reduce += reduction_cost(shape, splits[p], multiprocessors);
  }
  return std::max(teams_cost(works[0], works[1], multiprocessors), bytes / (memory_bytes * multiprocessors)) + reduce;
}

/// split-k for which all work items of a call take `waves` waves, or nearly, and no work item is longer than its share.
Splits splits_for(const Products& products, const TileShape& tile, std::int64_t waves, int multiprocessors) {
  std::int64_t all_steps = 0;
  for (const ProductPlan& product : products)
    all_steps += count_tiles(product.shape, tile) * steps_of(product.shape, tile);
  Splits splits{1, 1};
  for (std::size_t p = 0; p < products.size(); ++p) {
    const std::int64_t steps = steps_of(products[p].shape, tile);
    const std::int64_t share = waves * multiprocessors * steps / std::max<std::int64_t>(1, all_steps);
    splits[p]                = std::clamp<std::int64_t>(share, 1, std::max<std::int64_t>(1, steps / shortest));
  }
  return splits;
}

/// The cheapest split-k for one configuration: none, or one for which the last wave is full, or nearly.
Choice best_splits(const Products& products, const ConfigChoice& config, int multiprocessors) {
  Choice best{config, {1, 1}, cost_of(products, config, {1, 1}, multiprocessors)};
  for (std::int64_t waves = 1; waves <= 2; ++waves) {
    const Splits splits = splits_for(products, config.tile, waves, multiprocessors);
    if (splits == Splits{1, 1}) continue;
    const double cost = cost_of(products, config, splits, multiprocessors);
    if (cost < best.cost) best = {config, splits, cost};
  }
  return best;
}

std::string offered() {
  std::string names;
  for (const ConfigChoice& choice : choices) names += ' ' + text(choice.tile);
  return names;
}

}  // namespace

std::size_t least_wgmma_scratch() {
  return static_cast<std::size_t>(
      std::min_element(choices.begin(), choices.end(), [](const ConfigChoice& a, const ConfigChoice& b) {
        return a.scratch_bytes < b.scratch_bytes;
      })->scratch_bytes);
}

void plan_wgmma_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  const bool asked = options.tile != TileShape{};
  std::optional<Choice> best;
  for (const ConfigChoice& config : choices) {
    if (static_cast<std::size_t>(config.scratch_bytes) > machine.scratch_max) continue;
    if (asked && config.tile != options.tile) continue;
    const Choice choice = best_splits(plan.products, config, machine.multiprocessors);
    if (!best || choice.cost < best->cost) best = choice;
  }
  if (!best) arguments.fail("the wgmma family has no tile " + text(options.tile) + ", only" + offered());

  plan.reason        = asked ? "the options ask for this tile" : "it is the cheapest of the cost model";
  plan.threads       = best->config.threads;
  plan.scratch_bytes = static_cast<std::size_t>(best->config.scratch_bytes);
  plan.scratch_level = 0;
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (!is_wanted(product)) continue;
    cut_into_tiles(product, best->config.tile, machine.multiprocessors, options);
    cut_inner_dimension(product, options.split_k > 0 ? options.split_k : best->splits[p], sizeof(float));
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
