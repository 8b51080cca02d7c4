// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PLAN_HPP
#define TEGULA_PORTABLE_PLAN_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "Tegula_PortableKernel.hpp"
#include "Tegula_PortableMachine.hpp"
#include "Tegula_PortableTiles.hpp"
#include "product/Tegula_UncutPlan.hpp"

/// How the portable family cuts a call into tiles.

namespace Tegula::Impl {

/// A tile configuration without its type.
struct TileChoice {
  TileShape tile;
  int threads;
  int teams;  // of a multiprocessor at once
  TileRate rate;
  std::size_t scratch_bytes;
};

template <class ExecutionSpace, class Accumulator, class... Tiles>
constexpr auto tile_choices(TileList<Tiles...>, const std::array<TileRate, sizeof...(Tiles)>& rates) {
  std::size_t i = 0;
  return std::array{TileChoice{Tiles::shape(), Tiles::threads, Tiles::teams, rates[i++],
                               PortableKernel<ExecutionSpace, Tiles, Accumulator, false>::Product::scratch_bytes}...};
}

template <class ExecutionSpace, class Accumulator>
inline constexpr auto portable_tiles = tile_choices<ExecutionSpace, Accumulator>(
    typename PortableTiles<ExecutionSpace, Accumulator>::type(), PortableTiles<ExecutionSpace, Accumulator>::rates);

/// Teams of a tile configuration that run at the same time.
inline std::int64_t teams_at_once(const PortableMachine& machine, const TileChoice& choice) {
  return machine.teams_at_once(choice.threads, choice.teams);
}

/// Cuts all products of a plan into tiles of one shape.
inline void cut_products(Plan& plan, const TileChoice& choice, std::int64_t teams, std::size_t accumulator_bytes,
                         const PlanOptions& options) {
  for (ProductPlan& product : plan.products) {
    if (is_wanted(product)) cut_into_tiles(product, choice.tile, teams, options);
  }
  cut_inner_dimensions(plan, teams, accumulator_bytes, options);
}

/// Cycles that a device takes for a plan, by a model: the multiprocessor that gets most teams keeps the others waiting,
/// and it reaches its full rate with little more than half the teams that it can hold, so that no fewer than those take
/// their time: that of the longest, at least. With split-k a second kernel adds the slices.
inline double portable_cost(const Plan& plan, const TileChoice& choice, std::int64_t multiprocessors) {
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

/// A tile and the plan that is cut with it.
struct PortableCut {
  TileChoice choice;
  Plan plan;
};

/// The plan with the tile that options ask for.
template <class Choices>
PortableCut cut_as_asked(const PortableMachine& machine, const Choices& choices, const Plan& uncut,
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

/// The cheapest plan: of every tile, with the inner dimension whole and with it cut so that every team has work, unless
/// options say how to cut it. A host has one tile, and cuts.
template <class Choices>
PortableCut cut_cheaply(const PortableMachine& machine, const Choices& choices, const Plan& uncut,
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

template <class ExecutionSpace, class Problem>
Plan portable_plan(const char* family, const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
  using accumulator = typename Problem::accumulator;
  check_plan_options(options, arguments);
  constexpr auto& choices = portable_tiles<ExecutionSpace, accumulator>;
  Plan uncut              = uncut_plan<ExecutionSpace>(family, problem);
  drop_unwanted_products(uncut);
  const PortableMachine machine = portable_machine(exec);
  const bool asked              = options.tile != TileShape{};
  const auto [choice, cut]      = asked ? cut_as_asked(machine, choices, uncut, sizeof(accumulator), options, arguments)
                                        : cut_cheaply(machine, choices, uncut, sizeof(accumulator), options);
  Plan plan                     = cut;
  plan.threads                  = choice.threads;
  plan.scratch_bytes            = choice.scratch_bytes;
  plan.scratch_level            = machine.scratch_level(choice.scratch_bytes);
  check_league(plan, arguments);
  return plan;
}

}  // namespace Tegula::Impl

#endif
