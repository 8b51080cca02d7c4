// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostPlan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "Tegula_HostGradientPlan.hpp"
#include "Tegula_HostWays.hpp"

namespace Tegula::Impl {
namespace {

/// What products share.
void finish_plan(Plan& plan, const HostMachine& machine) {
  ProductPlan& first = plan.products[plan.products[0].teams() > 0 ? 0 : 1];
  if (plan.teams() > 0) first.seconds += machine.rates->call;
  plan.machine        = machine.rates->name.c_str();
  plan.machine_source = machine.rates->source.c_str();
  plan.scratch_bytes  = scratch_bytes_of(plan, machine.element_bytes);
}

}  // namespace

void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments, const GradientTraits* gradient) {
  drop_unwanted_products(plan);
  const bool asked = options.tile != TileShape{};
  if (asked && (options.tile.m < 1 || options.tile.n < 1 || options.tile.k < 1))
    arguments.fail("the host family has no tile " + text(options.tile));

  const bool both            = is_wanted(plan.products[0]) && is_wanted(plan.products[1]);
  const CountedLaunch launch = both ? CountedLaunch::always : CountedLaunch::needed;
  // Teams of one thread each, or of 2, 4, ... that share the packing.
  std::array<Way, 2> best;
  double least = std::numeric_limits<double>::infinity();
  for (int threads = 1; threads <= std::min(machine.threads, 16); threads *= 2) {
    std::array<Way, 2> ways;
    double seconds = 0;
    for (std::size_t p = 0; p < ways.size(); ++p) {
      if (!is_wanted(plan.products[p])) continue;
      ways[p] =
          choose(plan.products[p].shape, traits[p], machine, {machine.threads / threads, threads, launch}, options);
      seconds += ways[p].seconds;
    }
    if (threads == 1 || seconds < least) {
      best         = ways;
      least        = seconds;
      plan.threads = threads;
    }
  }
  for (std::size_t p = 0; p < best.size(); ++p)
    if (is_wanted(plan.products[p]))
      cut(plan.products[p], traits[p], best[p], {machine.threads / plan.threads, plan.threads, launch}, machine,
          options);
  if (both) plan.products[0].seconds -= launch_seconds(machine);  // they share it
  if (gradient != nullptr && !asked && options.split_k == 0 && options.group == 0)
    plan_gradient_blocks(plan, traits, *gradient, machine);
  plan.reason = asked ? "the options ask for this tile" : "it is predicted to take the least time";
  finish_plan(plan, machine);
  if (plan.scratch_bytes > machine.scratch_max)
    arguments.fail("the tile " + text(plan.tile()) + " needs " + std::to_string(plan.scratch_bytes) +
                   " bytes of scratch, a team has " + std::to_string(machine.scratch_max));
}

std::vector<Plan> host_ways(const Plan& uncut, const ProductTraits& traits, const HostMachine& machine) {
  std::vector<Plan> plans;
  for (int threads = 1; threads <= std::min(machine.threads, 16); threads *= 2) {
    const Teams teams{machine.threads / threads, threads};
    for (const Way& way : all_ways(uncut.products[0].shape, traits, machine, teams)) {
      Plan& plan   = plans.emplace_back(uncut);
      plan.threads = threads;
      cut(plan.products[0], traits, way, teams, machine, {});
      finish_plan(plan, machine);
    }
  }
  return plans;
}

}  // namespace Tegula::Impl
