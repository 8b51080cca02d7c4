// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_Tf32Launch.hpp"
#include "Tegula_Tf32Plan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name  = "tf32";
constexpr const char* types = "it takes float throughout, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return has_activation(call) && is_uniform(call, Element::f32); }

bool is_worth(const Call& call, const CudaMachine& machine) {
  const Plan plan  = cuda_plan(name, call, machine);
  const auto calls = planned_calls<float>(call, plan);
  return are_worth(plan.products, [&](std::size_t p) {
    const GemmShape& shape = plan.products[p].shape;
    return is_worth_tf32(shape, plan.gradient.teams() > 0 || !tf32_copies(calls[p], shape).none());
  });
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (call.compute != Compute::tf32) return "the call does not allow Compute::tf32";
  if (const char* reason = hopper_refusal(call, machine, most_tf32_scratch())) return reason;
  return options.family.empty() && !is_worth(call, machine) ? faster_elsewhere : nullptr;
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  plan_tf32_products(plan, planned_calls<float>(call, plan), machine, options, arguments);
  return plan;
}

#if TEGULA_HAS_WGMMA
void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  launch_one_by_one<float>(exec, call, plan, workspace, before,
                           [&](const auto& c, const ProductPlan& product, char* memory, const CallableRef& others) {
                             launch_tf32(exec, c, product, plan, memory, others);
                           });
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Hopper (compute capability 9.0), Compute::tf32: products of floats that TMA rounds to TF32, by wgmma.
const CudaFamily tf32_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
