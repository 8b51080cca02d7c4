// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Tf32Plan.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "../Tegula_CudaCost.hpp"

namespace Tegula::Impl {
namespace {

constexpr auto choices = choices_of(Tf32Configs());

/// What the planner reckons with, in cycles of a multiprocessor; only ratios matter. Fitted to an H200.
constexpr double multiply_adds  = 830;   // a cycle
constexpr double fetched_bytes  = 42;    // a cycle, out of the second cache
constexpr double work_start     = 1500;  // until the first operands of a tile are there
constexpr double stored_sums    = 16;    // a cycle, epilogue included
constexpr std::int64_t shortest = 4;     // steps of a part of split-k

/// A configuration, transposed or not, with split-k, and the cost of both.
struct Choice {
  ConfigChoice config;
  std::int64_t splits = 1;
  double cost         = 0;
};

/// Cycles until the last team is done and the slices are added.
double cost_of(const GemmShape& shape, const TileShape& tile, std::int64_t splits, int multiprocessors) {
  const double sums = number(tile.m) * tile.n, bytes = number(tile.m + tile.n) * tile.k * sizeof(float);
  const double step        = std::max(sums * tile.k / multiply_adds, bytes / fetched_bytes);
  const std::int64_t steps = ceil_div(ceil_div(shape.k, tile.k), splits);
  const double waves       = number(ceil_div(count_tiles(shape, tile) * splits, multiprocessors));
  return waves * (number(steps) * step + work_start + sums / stored_sums) +
         reduction_cost(shape, splits, multiprocessors);
}

/// The cheapest split-k: none, or one for which the last wave is full, or nearly.
Choice best_split(const GemmShape& shape, const ConfigChoice& config, int multiprocessors) {
  Choice best{config, 1, cost_of(shape, config.tile, 1, multiprocessors)};
  const std::int64_t most = std::max<std::int64_t>(1, ceil_div(shape.k, config.tile.k) / shortest);
  for (std::int64_t waves = 1; waves <= 2; ++waves) {
    const std::int64_t fitting = waves * multiprocessors / std::max<std::int64_t>(1, count_tiles(shape, config.tile));
    const std::int64_t splits  = std::clamp<std::int64_t>(fitting, 1, most);
    const double cost          = cost_of(shape, config.tile, splits, multiprocessors);
    if (cost < best.cost) best = {config, splits, cost};
  }
  return best;
}

std::optional<Choice> cheapest(const GemmShape& shape, bool is_transposed, const TileShape& asked,
                               int multiprocessors) {
  std::optional<Choice> best;
  for (ConfigChoice config : choices) {
    if (asked != TileShape{} && asked != config.tile && asked != config.tile.transposed()) continue;
    if (is_transposed) config.tile = config.tile.transposed();
    const Choice choice = best_split(shape, config, multiprocessors);
    if (!best || choice.cost < best->cost) best = choice;
  }
  return best;
}

std::string offered() {
  std::string names;
  for (const ConfigChoice& choice : choices) names += ' ' + text(choice.tile);
  return names;
}

/// Rows of tiles that run together: for transposed tiles fewer than are best for the caches, as measured.
int group_for(const GemmShape& shape, const TileShape& tile, bool is_transposed, int multiprocessors) {
  const auto best = static_cast<int>(best_group(ceil_div(shape.m, tile.m), tile, multiprocessors));
  return is_transposed ? std::max(1, best * 3 / 4) : best;
}

}  // namespace

std::size_t most_tf32_scratch() {
  int most = 0;
  for (const ConfigChoice& choice : choices) most = std::max(most, choice.scratch_bytes);
  return static_cast<std::size_t>(most);
}

bool is_worth_tf32(const GemmShape& shape, bool copies) {
  constexpr std::int64_t shortest_extent = 64;
  constexpr double least                 = 1 << 26;
  if (copies && !is_worth_copying(shape)) return false;
  return std::min({shape.m, shape.n, shape.k}) >= shortest_extent &&
         number(shape.m) * number(shape.n) * number(shape.k) >= least;
}

void plan_tf32_products(Plan& plan, const ProductCalls<float>& calls, const CudaMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  plan.reason = options.tile != TileShape{} ? "the options ask for this tile" : "it is the cheapest of the cost model";
  plan.instructions  = "products of floats that are rounded to TF32, 11 bits";
  plan.scratch_level = 0;
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (!is_wanted(product)) continue;
    const bool is_transposed = tf32_operands(calls[p]).transposed;
    const auto best          = cheapest(product.shape, is_transposed, options.tile, machine.multiprocessors);
    if (!best) arguments.fail("the tf32 family has no tile " + text(options.tile) + ", only" + offered());
    const TileShape& tile = best->config.tile;
    PlanOptions cut       = options;
    if (cut.group == 0) cut.group = group_for(product.shape, tile, is_transposed, machine.multiprocessors);
    cut_into_tiles(product, tile, machine.multiprocessors, cut);
    cut_inner_dimension(product, options.split_k > 0 ? options.split_k : best->splits, sizeof(float));
    plan_copies(product, tf32_copies(calls[p], product.shape));
    plan.threads       = best->config.threads;
    plan.scratch_bytes = std::max(plan.scratch_bytes, static_cast<std::size_t>(best->config.scratch_bytes));
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
