// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_PanelConfig.hpp"
#include "Tegula_PanelLaunch.hpp"
#include "Tegula_PanelPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name  = "panel";
constexpr const char* types = "it takes gemm in double throughout, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) {
  return has_activation(call) && !call.is_backward && is_uniform(call, Element::f64);
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = hopper_refusal(call, machine, PanelConfig::scratch_bytes)) return reason;
  if (!is_panel(product_call<double>(call), call.shape(), options))
    return "k is 0 or too large, a matrix is not in aligned runs of 16 bytes, the epilogue is not simple, or options "
           "ask for another tile, a group or a split";
  return options.family.empty() && !is_best_panel(call.shape()) ? faster_elsewhere : nullptr;
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  plan_panel_product(plan, machine, product_call<double>(call), options, arguments);
  return plan;
}

#if TEGULA_HAS_WGMMA
void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char*, const CallableRef& before) {
  launch_panel(exec, product_call<double>(call), plan, plan.products[0], before);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Hopper (compute capability 9.0): gemm in double of a large result and a short inner dimension, where stores take as
/// long as products.
const CudaFamily panel_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
