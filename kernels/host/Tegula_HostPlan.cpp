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

/// visit(threads of a team): one, or 2, 4, ... that share the packing.
template <class Visit>
void for_each_team_size(const HostMachine& machine, const Visit& visit) {
  constexpr int most = 16;
  for (int threads = 1; threads <= std::min(machine.threads, most); threads *= 2) visit(threads);
}

ProductWay product_way(const ProductPlan& product, const char* family, int threads) {
  return {family,        product.tile,       product.split_k,    threads, product.transposed,
          product.inner, product.packs_left, product.packs_right};
}

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
  if (asked && traits[0].right.in_panels && !is_of_panels(plan.products[0].shape, options.tile, machine))
    arguments.fail("the tile " + text(options.tile) + " is not of whole panels of B, which was packed in panels of " +
                   std::to_string(machine.registers.columns) + " columns");

  const bool both            = is_wanted(plan.products[0]) && is_wanted(plan.products[1]);
  const CountedLaunch launch = both ? CountedLaunch::always : CountedLaunch::needed;
  std::array<Way, 2> best;
  double least = std::numeric_limits<double>::infinity();
  for_each_team_size(machine, [&](int threads) {
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
  });
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

std::optional<Plan> plan_of_way(const Plan& uncut, const std::array<ProductTraits, 2>& traits,
                                const HostMachine& machine, const TunedWay& way, const GradientTraits* gradient) {
  Plan plan = uncut;
  drop_unwanted_products(plan);
  const bool has_first = is_wanted(plan.products[0]), has_second = is_wanted(plan.products[1]);
  if (way.block_bytes > 0) {
    const bool has_blocks = gradient != nullptr && (has_first || has_second);
    if (!has_blocks) return std::nullopt;
    plan = gradient_block_plan(plan, traits, *gradient, machine, way.block_bytes);
  } else {
    const bool both            = has_first && has_second;
    const CountedLaunch launch = both ? CountedLaunch::always : CountedLaunch::needed;
    plan.threads               = way.products[has_first ? 0 : 1].threads;
    for (std::size_t p = 0; p < plan.products.size(); ++p) {
      ProductPlan& product    = plan.products[p];
      const ProductWay& asked = way.products[p];
      if (is_wanted(product) == asked.family.empty()) return std::nullopt;
      if (!is_wanted(product)) continue;
      const bool is_possible = asked.threads == plan.threads && asked.threads >= 1 && asked.threads <= machine.threads;
      if (!is_possible || asked.family != plan.family) return std::nullopt;
      const Teams teams{machine.threads / asked.threads, asked.threads, launch};
      const Way as_asked = way_as_asked(product.shape, traits[p], machine, teams, asked);
      if (!std::isfinite(as_asked.seconds)) return std::nullopt;
      cut(product, traits[p], as_asked, teams, machine, {.tile = asked.tile});
    }
    if (both) plan.products[0].seconds -= launch_seconds(machine);  // they share it
  }
  plan.reason = "it was measured to be the fastest";
  finish_plan(plan, machine);
  if (plan.teams() == 0 || plan.scratch_bytes > machine.scratch_max) return std::nullopt;
  return plan;
}

TunedWay way_of(const Plan& plan) {
  TunedWay way;
  for (std::size_t p = 0; p < plan.products.size(); ++p)
    if (plan.products[p].teams() > 0) way.products[p] = product_way(plan.products[p], plan.family, plan.threads);
  return way;
}

std::vector<ProductWay> all_product_ways(const Plan& uncut, std::size_t product, const ProductTraits& traits,
                                         const HostMachine& machine) {
  std::vector<ProductWay> ways;
  for_each_team_size(machine, [&](int threads) {
    const Teams teams{machine.threads / threads, threads};
    for (const Way& way : all_ways(uncut.products[product].shape, traits, machine, teams)) {
      ProductPlan as_cut = uncut.products[product];
      cut(as_cut, traits, way, teams, machine, {});
      ways.push_back(product_way(as_cut, uncut.family, threads));
    }
  });
  return ways;
}

bool are_alike(const Plan& a, const Plan& b) {
  const auto cut_of = [](const GradientBlocks& blocks) {
    return std::array<std::int64_t, 4>{blocks.parts, blocks.part_rows, blocks.rows, blocks.columns};
  };
  return way_of(a) == way_of(b) && cut_of(a.gradient_blocks) == cut_of(b.gradient_blocks);
}

std::vector<Plan> host_ways(const Plan& uncut, const ProductTraits& traits, const HostMachine& machine) {
  std::vector<Plan> plans;
  for_each_team_size(machine, [&](int threads) {
    const Teams teams{machine.threads / threads, threads};
    for (const Way& way : all_ways(uncut.products[0].shape, traits, machine, teams)) {
      Plan& plan   = plans.emplace_back(uncut);
      plan.threads = threads;
      cut(plan.products[0], traits, way, teams, machine, {});
      finish_plan(plan, machine);
    }
  });
  return plans;
}

}  // namespace Tegula::Impl
