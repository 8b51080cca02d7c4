// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaTunedWays.hpp"

#include <algorithm>
#include <stdexcept>

#include "Tegula_CudaPasses.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaRequest.hpp"

namespace Tegula::Impl {
namespace {

/// Calls visit(way) with each way that families propose to compute these calls by one launch, and with smaller cuts.
template <class Visit>
void for_each_way(const CudaMachine& machine, Covers covers, const Calls& calls, const Visit& visit) {
  for_each_proposal({machine, {}}, covers, calls, [&](const CudaFamily& family, const Proposal& proposal) {
    const auto visit_cut = [&](std::int64_t parts) {
      visit({{ProductWay{.family = family.name, .tile = proposal.tile, .split_k = parts}}});
    };
    if (proposal.whole_waves > 0)
      return visit({{ProductWay{.family      = family.name,
                                .tile        = proposal.tile,
                                .split_k     = proposal.parts[0],
                                .whole_waves = proposal.whole_waves}}});
    for (const std::int64_t parts : proposal.parts) {
      for (std::int64_t split = 1; split < parts; split = next_split(split)) visit_cut(split);
      visit_cut(std::max<std::int64_t>(1, parts));
    }
  });
}

/// Ways of a product, as it is and behind passes.
template <class Visit>
void for_each_way_of_product(const CudaMachine& machine, const Call& product, const Visit& visit) {
  if (!is_wanted(product)) return;
  for_each_way(machine, Covers::product, {&product, 1}, visit);
  if (const auto passes = with_passes(product, some_workspace()))
    for_each_way(machine, Covers::product, {&passes->product, 1}, visit);
}

template <class Visit>
void for_each_way_of_gradients(const CudaMachine& machine, const Call& asked, const Visit& visit) {
  const Call call = without_below(asked);  // a way is of the products
  for_each_way(machine, Covers::gradients, {&call, 1}, visit);
  const GradientPlan gradient = plan_gradient(call, machine);
  const auto products         = gradient_products(call, gradient_of(call, gradient, some_workspace()));
  for (const Call& product : products) for_each_way_of_product(machine, product, visit);
  if (is_wanted(products[0]) && is_wanted(products[1])) for_each_way(machine, Covers::two_products, products, visit);
}

/// What tells plans of one call apart: all but what they say of themselves.
std::string steps_of(const Plan& plan) {
  std::string steps;
  for (const PlanStep& step : plan.steps()) steps += step.label + ' ' + step.what + '\n';
  for (const ProductPlan& product : plan.products)
    steps += cut_text(product.whole_waves, product.split_k) + ' ' + std::to_string(product.left_copy_bytes) + ' ' +
             std::to_string(product.right_copy_bytes) + '\n';
  return steps;
}

}  // namespace

Plan plan_cuda_way(const Call& call, const CudaMachine& machine, const TunedWay& way, const ArgumentList& arguments) {
  if (way.block_bytes > 0 || !way.products[1].family.empty() || way.products[0].threads > 0)
    throw std::invalid_argument("it is a way of hosts");
  Plan plan   = plan_cuda_call(call, machine, options_of(way), arguments);
  plan.reason = "it was measured to be the fastest";
  return plan;
}

std::vector<CudaCandidate> cuda_candidates(const Call& call, const CudaMachine& machine) {
  const ArgumentList arguments(call.name);
  std::vector<CudaCandidate> candidates{{{}, plan_cuda_call(call, machine, {}, arguments)}};
  if (candidates[0].plan.is_empty()) return {};
  std::vector<std::string> seen{steps_of(candidates[0].plan)};
  std::vector<TunedWay> ways;
  const auto add = [&](const TunedWay& way) {
    if (std::find(ways.begin(), ways.end(), way) != ways.end()) return;
    ways.push_back(way);
    try {
      const Plan plan         = plan_cuda_way(call, machine, way, arguments);
      const std::string steps = steps_of(plan);
      const auto known        = std::find(seen.begin(), seen.end(), steps);
      if (known == seen.begin()) {
        candidates[0].way = way;  // the planner's own has this name
      } else if (known == seen.end()) {
        seen.push_back(steps);
        candidates.push_back({way, plan});
      }
    } catch (const std::invalid_argument&) {  // no plan for all of the call
    }
  };
  if (call.is_backward) {
    for_each_way_of_gradients(machine, call, add);
  } else {
    for_each_way_of_product(machine, call, add);
  }
  return candidates;
}

}  // namespace Tegula::Impl
