// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <span>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_CudaTypes.hpp"
#include "Tegula_TileModel.hpp"
#include "portable/Tegula_PortableLaunch.hpp"
#include "portable/Tegula_PortablePlan.hpp"
#include "product/Tegula_UncutCall.hpp"

/// The portable family as rows for CUDA: for element types that Tegula brings, as data. A product of gemm, or all
/// gradients, with dZ formed while dC is read.

namespace Tegula::Impl {
namespace {

constexpr const char* name  = "portable";
constexpr const char* types = "it takes activations that Tegula brings";

bool takes_types(const Call& call) { return has_known_elements(call) && call.is_built_in; }

std::span<const TileChoice> choices_for(const Call& call) {
  if (is_double(call)) return portable_choices<false, double>;
  return portable_choices<false, float>;
}

std::size_t sum_bytes(const Call& call) { return is_double(call) ? sizeof(double) : sizeof(float); }

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  const bool fits = machine.portable.has_scratch(choices_for(calls[0]).back().scratch_bytes);
  return fits ? nullptr : "a team has too little scratch";
}

/// All products of a call, cut alike.
Plan cut_alike(const Call& call, const TileChoice& choice, const CudaMachine& machine, const PlanOptions& options) {
  Plan plan = uncut_plan(name, "Cuda", call);
  drop_unwanted_products(plan);
  cut_products(plan, choice, teams_at_once(machine.portable, choice), sum_bytes(call), options);
  return plan;
}

/// split-k of the first product says how all are cut: as options ask, not at all, or so that all teams have work.
constexpr std::int64_t as_teams_want = 0;

PlanOptions with_parts(PlanOptions options, std::int64_t parts) {
  if (options.split_k == 0) options.split_k = static_cast<int>(parts);
  return options;
}

double seconds_of(const Call& call, const Plan& plan, const TileChoice& choice, const CudaMachine& machine) {
  const double cycles = portable_cost(plan, choice, machine.multiprocessors);
  const double bytes  = call.is_backward ? 0 : product_bytes(call);
  return std::max(machine.rates->kernel + cycles / machine.rates->clock, pass_seconds(machine, bytes));
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Call& call = calls[0];
  for (const TileChoice& choice : choices_for(call)) {
    if (!machine.portable.has_scratch(choice.scratch_bytes)) continue;
    if (options.tile != TileShape{} && options.tile != choice.tile) continue;
    for (const std::int64_t parts : {std::int64_t(1), as_teams_want}) {
      const Plan plan = cut_alike(call, choice, machine, with_parts(options, parts));
      propose({choice.tile, {parts, parts}, false, seconds_of(call, plan, choice, machine)});
    }
  }
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const auto choices       = choices_for(calls[0]);
  const TileChoice& choice = *std::find_if(choices.begin(), choices.end(),
                                           [&](const TileChoice& any) { return any.tile == proposal.tile; });
  auto products = cut_alike(calls[0], choice, machine, with_parts(options, proposal.parts[0])).products;
  for (ProductPlan& product : products) {
    if (product.teams() == 0) continue;
    product.family        = name;
    product.threads       = choice.threads;
    product.scratch_bytes = choice.scratch_bytes;
  }
  (products[0].teams() > 0 ? products[0] : products[1]).seconds = proposal.seconds;
  return products;
}

#if TEGULA_HAS_MMA
template <class T>
void launch_type(const CudaLaunch& l, const Plan& plan) {
  l.before();
  with_any_products<T>(l.calls[0], plan, l.memory,
                       [&](const auto&... products) { launch_products<T>(l.exec, plan, products...); });
}

/// The kernel takes its teams from a plan of what it computes.
void launch(const CudaLaunch& l) {
  Plan plan = l.plan;
  std::fill(plan.products.begin(), plan.products.end(), ProductPlan{});
  std::copy(l.products.begin(), l.products.end(), plan.products.begin());
  const ProductPlan& first = plan.products[0].teams() > 0 ? plan.products[0] : plan.products[1];
  plan.family              = name;
  plan.threads             = first.threads;
  plan.scratch_bytes       = first.scratch_bytes;
  (is_double(l.calls[0]) ? launch_type<double> : launch_type<float>)(l, plan);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

extern const CudaFamily portable_cuda_family{
    name, Covers::product, types, takes_types, refusal, propose, cut, launch};
extern const CudaFamily portable_cuda_gradients_family{
    name, Covers::gradients, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
