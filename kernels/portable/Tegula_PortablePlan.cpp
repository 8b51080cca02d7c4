// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortablePlan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace Tegula::Impl {
namespace {

/// Seconds of a plan: the cycles of the model, of a multiprocessor of an H200, in those of another unit; or what memory
/// takes to read operands and write results once.
double predicted_seconds(const Plan& plan, const TileChoice& choice, const PortableMachine& machine,
                         std::size_t accumulator_bytes) {
  constexpr double fma_float = 128, fma_double = 64;  // of that multiprocessor
  const PortableRates& rates = *machine.rates;
  const double slower = accumulator_bytes > sizeof(float) ? fma_double / rates.fma_double : fma_float / rates.fma_float;
  double bytes        = 0;
  const auto of_matrix = [](std::int64_t rows, std::int64_t columns, std::size_t element) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(element);
  };
  for (const ProductPlan& product : plan.products) {
    if (product.teams() == 0) continue;
    const GemmShape& shape = product.shape;
    bytes += of_matrix(shape.m, shape.k, product.left_bytes) + of_matrix(shape.k, shape.n, product.right_bytes) +
             of_matrix(shape.m, shape.n, product.result_bytes);
  }
  const double cycles = portable_cost(plan, choice, machine.units) * slower;
  return rates.kernel + std::max(cycles / rates.clock, bytes / (rates.memory * static_cast<double>(machine.units)));
}

/// Products share a kernel: its time is that of the first one.
void predict(Plan& plan, const TileChoice& choice, const PortableMachine& machine, std::size_t accumulator_bytes) {
  if (machine.rates == nullptr || plan.teams() == 0) return;
  plan.products[plan.products[0].teams() > 0 ? 0 : 1].seconds =
      predicted_seconds(plan, choice, machine, accumulator_bytes);
  plan.machine        = machine.rates->name;
  plan.machine_source = machine.rates->source;
}

/// The plan with the tile that options ask for.
PortableCut cut_as_asked(const PortableMachine& machine, std::span<const TileChoice> choices, const Plan& uncut,
                         std::size_t accumulator_bytes, const PlanOptions& options, const ArgumentList& arguments) {
  std::string offered;
  for (const TileChoice& choice : choices) {
    if (!machine.has_scratch(choice.scratch_bytes)) continue;
    if (choice.tile == options.tile) {
      PortableCut cut{choice, uncut};
      cut.plan.reason = "the options ask for this tile";
      cut_products(cut.plan, choice, teams_at_once(machine, choice), accumulator_bytes, options);
      return cut;
    }
    offered += ' ' + text(choice.tile);
  }
  arguments.fail("the portable family has no tile " + text(options.tile) + ", only" + offered);
}

}  // namespace

void cut_products(Plan& plan, const TileChoice& choice, std::int64_t teams, std::size_t accumulator_bytes,
                  const PlanOptions& options) {
  for (ProductPlan& product : plan.products) {
    if (is_wanted(product)) cut_into_tiles(product, choice.tile, teams, options);
  }
  cut_inner_dimensions(plan, teams, accumulator_bytes, options);
}

double portable_cost(const Plan& plan, const TileChoice& choice, std::int64_t multiprocessors) {
  constexpr double filled = 0.55, reduction = 8000, reduced_bytes = 2.5;  // a cycle; fitted to an H200
  double depth = 0, longest = 0, slices = 0;
  for (const ProductPlan& product : plan.products) {
    const auto team = static_cast<double>(std::min(product.k_split, product.shape.k));
    depth += static_cast<double>(product.teams()) * team;
    longest = std::max(longest, team);
    if (product.split_k > 1) slices += static_cast<double>(product.workspace_bytes);
  }
  const double teams  = static_cast<double>(std::max<std::int64_t>(1, plan.teams()));
  const double most   = std::ceil(teams / static_cast<double>(multiprocessors));
  const double steps  = std::max(most * depth / teams, filled * choice.teams * longest);
  const double sums   = choice.tile.m * choice.tile.n;
  const double reduce = slices > 0 ? reduction + slices / (reduced_bytes * static_cast<double>(multiprocessors)) : 0;
  return steps * sums / choice.rate.multiply_adds + most * sums / choice.rate.stored_sums + reduce;
}

PortableCut cut_cheaply(const PortableMachine& machine, std::span<const TileChoice> choices, const Plan& uncut,
                        std::size_t accumulator_bytes, const PlanOptions& options) {
  std::optional<PortableCut> best;
  double least        = 0;
  const auto consider = [&](const TileChoice& choice, const PlanOptions& cut_options) {
    PortableCut cut{choice, uncut};
    cut_products(cut.plan, choice, teams_at_once(machine, choice), accumulator_bytes, cut_options);
    const double cost = portable_cost(cut.plan, choice, machine.units);
    if (best && cost >= least) return;
    best  = cut;
    least = cost;
  };
  PlanOptions whole = options;
  whole.split_k     = 1;
  for (const TileChoice& choice : choices) {
    if (!machine.has_scratch(choice.scratch_bytes)) continue;
    if (!machine.is_host && options.split_k == 0) consider(choice, whole);
    consider(choice, options);
  }
  best->plan.reason = "it takes the least time by the model of the portable family";
  return *best;
}

Plan portable_plan(const PortableMachine& machine, std::span<const TileChoice> choices, Plan uncut,
                   std::size_t accumulator_bytes, const PlanOptions& options, const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(uncut);
  const bool asked    = options.tile != TileShape{};
  auto [choice, plan] = asked ? cut_as_asked(machine, choices, uncut, accumulator_bytes, options, arguments)
                              : cut_cheaply(machine, choices, uncut, accumulator_bytes, options);
  plan.threads        = choice.threads;
  plan.scratch_bytes  = choice.scratch_bytes;
  plan.scratch_level  = machine.scratch_level(choice.scratch_bytes);
  check_league(plan, arguments);
  predict(plan, choice, machine, accumulator_bytes);
  return plan;
}

}  // namespace Tegula::Impl
