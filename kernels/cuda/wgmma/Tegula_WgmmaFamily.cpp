// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_WgmmaLaunch.hpp"
#include "Tegula_WgmmaPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "wgmma";
constexpr const char* types =
    "it takes half_t or bhalf_t times the same, to the same or float, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return has_activation(call, FusingFamily::wgmma) && is_half(call); }

// Whether something must be formed or copied before the products, by kernels of its own and in a workspace.
bool needs_preparation(const Call& call, const CudaMachine& machine) {
  Plan plan = cuda_plan(name, call, machine);
  plan_copies(call, plan);
  return plan.gradient.teams() > 0 || plan.workspace_bytes() > 0;
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = hopper_refusal(call, machine, least_wgmma_scratch())) return reason;
  const bool takes = !options.family.empty() || is_worth_preparing(call) || !needs_preparation(call, machine);
  return takes ? nullptr : faster_elsewhere;
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  plan_wgmma_products(plan, machine, options, arguments);
  plan_copies(call, plan);
  return plan;
}

#if TEGULA_HAS_WGMMA
void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  const auto placed = placed_calls<std::uint16_t>(call, plan, workspace);
  const auto passes = [&](const CallableRef& first) {
    launch_before_products<std::uint16_t>(exec, call, plan, workspace, first);
  };
  queue_in_order(before, passes, [&](const CallableRef& others) {
    plan.teams() > 0 ? launch_wgmma(exec, placed.calls, placed.column_sums, plan, workspace, others)
                     : launch_column_sums(exec, KernelLabel(plan), placed.column_sums, others);
  });
  launch_slice_sums(exec, call, plan, workspace, false);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Hopper (compute capability 9.0): TMA and wgmma, for 16-bit elements.
const CudaFamily wgmma_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
