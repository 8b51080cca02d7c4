// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_Fp32SplitLaunch.hpp"
#include "Tegula_Fp32SplitPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name  = "fp32_split";
constexpr const char* types = "it takes float throughout, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return has_activation(call) && is_uniform(call, Element::f32); }

// The rows of all parts are counted in 32 bits.
bool has_split_extents(const Call& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / (Fp32SplitOperand::most_parts + 1);
  for (const ProductPlan& product : uncut_products(call))
    if (std::max({product.shape.m, product.shape.n, product.shape.k}) > most) return false;
  return true;
}

bool is_worth(const Call& call) {
  const auto products = uncut_products(call);
  return are_worth(products, [&](std::size_t p) { return is_worth_splitting(products[p].shape); });
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (call.compute != Compute::fp32_split) return "the call does not allow Compute::fp32_split";
  if (const char* reason = hopper_refusal(call, machine, most_split_scratch())) return reason;
  if (!has_split_extents(call)) return "an extent, times the parts of a number, is too large for 32 bits";
  return options.family.empty() && !is_worth(call) ? faster_elsewhere : nullptr;
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  plan_split_products(plan, machine, options, arguments);
  const auto calls = planned_calls<float>(call, plan);
  for (std::size_t p = 0; p < calls.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (is_wanted(product)) plan_copies(product, split_copies(calls[p], product.shape, machine.multiprocessors));
  }
  return plan;
}

#if TEGULA_HAS_WGMMA
void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  launch_one_by_one<float>(exec, call, plan, workspace, before,
                           [&](const auto& c, const ProductPlan& product, char* memory, const CallableRef& others) {
                             launch_split(exec, c, product, plan, memory, others);
                           });
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Hopper (compute capability 9.0), Compute::fp32_split: products of floats from products of 16-bit parts, by wgmma.
/// See Tegula_Fp32SplitScheme.hpp for what is computed.
const CudaFamily fp32_split_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
