// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaPlan.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace Tegula::Impl {
namespace {

constexpr auto choices = wgmma_choices(WgmmaConfigs());

/// What the planner reckons with, in cycles of a multiprocessor; only ratios matter. Fitted to an H200.
constexpr double multiply_adds  = 2048;  // a cycle, of 16-bit elements
constexpr double fetched_bytes  = 52;    // a cycle, out of the second cache
constexpr double memory_bytes   = 20;    // a cycle, of memory
constexpr double work_start     = 900;   // until the first operands of a tile are there, if nothing hides it
constexpr double stored_sums    = 16;    // a cycle, epilogue included
constexpr double pass           = 8000;  // a second kernel
constexpr double reduced_bytes  = 2.5;   // a cycle, of the slices that it adds
constexpr std::int64_t shortest = 4;     // steps of a split

/// A tile with a split of the inner dimension, and what it costs.
struct Choice {
  WgmmaChoice config;
  std::int64_t splits = 1;
  double cost         = 0;
};

double cost_of(const GemmShape& shape, const WgmmaChoice& config, std::int64_t splits, int multiprocessors) {
  const TileShape& tile    = config.tile;
  const std::int64_t tiles = ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n);
  const auto waves         = static_cast<double>(ceil_div(tiles * splits, multiprocessors));
  const auto steps         = static_cast<double>(ceil_div(ceil_div(shape.k, tile.k), splits));
  const double sums        = static_cast<double>(tile.m) * tile.n;
  const double step        = std::max(sums * tile.k / multiply_adds, (tile.m + tile.n) * tile.k * 2 / fetched_bytes);
  const auto number        = [](std::int64_t count) { return static_cast<double>(count); };
  const double bytes       = 2 * number(shape.m * shape.k + shape.k * shape.n + shape.m * shape.n);
  const double slices      = splits == 1 ? 0 : 4 * number(shape.m * shape.n * (splits + 1));
  const double tiled       = waves * (steps * step + work_start + sums / stored_sums);
  const double reduce      = splits == 1 ? 0 : pass + slices / (reduced_bytes * multiprocessors);
  return std::max(tiled, bytes / (memory_bytes * multiprocessors)) + reduce;
}

/// The cheapest split of one configuration: none, or one for which the last wave is full, or nearly.
Choice best_split(const GemmShape& shape, const WgmmaChoice& config, int multiprocessors) {
  const std::int64_t tiles = ceil_div(shape.m, config.tile.m) * ceil_div(shape.n, config.tile.n);
  const std::int64_t most  = std::max<std::int64_t>(1, ceil_div(shape.k, config.tile.k) / shortest);
  Choice best{config, 1, cost_of(shape, config, 1, multiprocessors)};
  for (std::int64_t waves = 1; waves <= 2; ++waves) {
    const std::int64_t splits = std::min(most, waves * multiprocessors / std::max<std::int64_t>(1, tiles));
    if (splits < 2) continue;
    const double cost = cost_of(shape, config, splits, multiprocessors);
    if (cost < best.cost) best = {config, splits, cost};
  }
  return best;
}

std::string offered() {
  std::string names;
  for (const WgmmaChoice& choice : choices) names += ' ' + text(choice.tile);
  return names;
}

}  // namespace

std::size_t least_wgmma_scratch() {
  return static_cast<std::size_t>(
      std::min_element(choices.begin(), choices.end(), [](const WgmmaChoice& a, const WgmmaChoice& b) {
        return a.scratch_bytes < b.scratch_bytes;
      })->scratch_bytes);
}

void plan_wgmma_product(Plan& plan, const TensorMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  ProductPlan& product = plan.products[0];
  const bool asked     = options.tile != TileShape{};
  std::optional<Choice> best;
  for (const WgmmaChoice& config : choices) {
    if (static_cast<std::size_t>(config.scratch_bytes) > machine.scratch_max) continue;
    if (asked && config.tile != options.tile) continue;
    const Choice choice = best_split(product.shape, config, machine.multiprocessors);
    if (!best || choice.cost < best->cost) best = choice;
  }
  if (!best) arguments.fail("the wgmma family has no tile " + text(options.tile) + ", only" + offered());

  plan.reason        = asked ? "the options ask for this tile" : "it is the cheapest of the cost model";
  plan.threads       = best->config.threads;
  plan.scratch_bytes = static_cast<std::size_t>(best->config.scratch_bytes);
  plan.scratch_level = 0;
  if (is_wanted(product)) {
    cut_into_tiles(product, best->config.tile, machine.multiprocessors, options);
    cut_inner_dimension(product, options.split_k > 0 ? options.split_k : best->splits, sizeof(float));
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
