// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortablePlan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace Tegula::Impl {
namespace {

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
  return plan;
}

}  // namespace Tegula::Impl
