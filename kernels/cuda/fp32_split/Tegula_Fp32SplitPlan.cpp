// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Fp32SplitPlan.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "../Tegula_CudaCost.hpp"

namespace Tegula::Impl {
namespace {

constexpr auto choices = choices_of(Fp32SplitConfigs());

/// Costs of the planner, in cycles of a multiprocessor; only ratios matter. Fitted to an H200.
constexpr double step_overhead = 300;  // of a step, before the next one can begin
constexpr double work_start    = 3000;

/// Cycles until the last team is done: three products of parts a step, at a lower rate for tiles of few columns.
double cost_of(const GemmShape& shape, const TileShape& tile, int multiprocessors) {
  const double multiply_adds = 2048 / (tile.n < 128 ? 1.5 : 1);
  const double step          = 3.0 * tile.m * tile.n * tile.k / multiply_adds + step_overhead;
  const double waves         = number(ceil_div(count_tiles(shape, tile), multiprocessors));
  return waves * (number(ceil_div(shape.k, tile.k)) * step + work_start);
}

std::string offered() {
  std::string names;
  for (const ConfigChoice& choice : choices) names += ' ' + text(choice.tile);
  return names;
}

std::optional<ConfigChoice> cheapest(const GemmShape& shape, const TileShape& asked, int multiprocessors) {
  std::optional<ConfigChoice> best;
  const auto cost = [&](const ConfigChoice& choice) { return cost_of(shape, choice.tile, multiprocessors); };
  for (const ConfigChoice& choice : choices) {
    if (asked != TileShape{} && choice.tile != asked) continue;
    if (!best || cost(choice) < cost(*best)) best = choice;
  }
  return best;
}

}  // namespace

std::size_t most_split_scratch() {
  int most = 0;
  for (const ConfigChoice& choice : choices) most = std::max(most, choice.scratch_bytes);
  return static_cast<std::size_t>(most);
}

bool is_worth_splitting(const GemmShape& shape) {
  constexpr std::int64_t shortest = 128;
  constexpr double least          = 1 << 28;
  return std::min({shape.m, shape.n, shape.k}) >= shortest &&
         number(shape.m) * number(shape.n) * number(shape.k) >= least;
}

void plan_split_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  const bool asked   = options.tile != TileShape{};
  plan.reason        = asked ? "the options ask for this tile" : "it is the cheapest of the cost model";
  plan.instructions  = "three products of f16 parts, six of bf16 parts, or f32, as the data allow";
  plan.scratch_level = 0;
  for (ProductPlan& product : plan.products) {
    if (!is_wanted(product)) continue;
    const auto choice = cheapest(product.shape, options.tile, machine.multiprocessors);
    if (!choice) arguments.fail("the fp32_split family has no tile " + text(options.tile) + ", only" + offered());
    cut_into_tiles(product, choice->tile, machine.multiprocessors, options);
    cut_inner_dimension(product, std::max(1, options.split_k), sizeof(float));
    plan.threads       = choice->threads;
    plan.scratch_bytes = std::max(plan.scratch_bytes, static_cast<std::size_t>(choice->scratch_bytes));
  }
  check_league(plan, arguments);
}

}  // namespace Tegula::Impl
