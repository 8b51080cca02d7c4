// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PLAN_HPP
#define TEGULA_PORTABLE_PLAN_HPP

#include <span>

#include "Tegula_PortableLayout.hpp"
#include "Tegula_PortableMachine.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the portable family cuts a call into tiles. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// Teams of a tile configuration that run at the same time.
inline std::int64_t teams_at_once(const PortableMachine& machine, const TileChoice& choice) {
  return machine.teams_at_once(choice.threads, choice.teams);
}

/// Cuts all products of a plan into tiles of one shape.
void cut_products(Plan& plan, const TileChoice& choice, std::int64_t teams, std::size_t accumulator_bytes,
                  const PlanOptions& options);

/// Cycles that a device takes for a plan, by a model: the multiprocessor that gets most teams keeps the others waiting,
/// and it reaches its full rate with little more than half the teams that it can hold, so that no fewer than those take
/// their time: that of the longest, at least. With split-k a second kernel adds the slices.
double portable_cost(const Plan& plan, const TileChoice& choice, std::int64_t multiprocessors);

/// A tile and the plan that is cut with it.
struct PortableCut {
  TileChoice choice;
  Plan plan;
};

/// The cheapest plan: of every tile, with the inner dimension whole and with it cut so that every team has work, unless
/// options say how to cut it. A host has one tile, and cuts.
PortableCut cut_cheaply(const PortableMachine& machine, std::span<const TileChoice> choices, const Plan& uncut,
                        std::size_t accumulator_bytes, const PlanOptions& options);

/// The plan of a call whose products are not cut yet.
Plan portable_plan(const PortableMachine& machine, std::span<const TileChoice> choices, Plan uncut,
                   std::size_t accumulator_bytes, const PlanOptions& options, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
