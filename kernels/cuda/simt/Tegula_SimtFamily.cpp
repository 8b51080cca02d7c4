// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "../Tegula_StreamedProducts.hpp"
#include "Tegula_SimtLaunch.hpp"
#include "Tegula_SimtOperand.hpp"
#include "Tegula_SimtPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name  = "simt";
constexpr const char* types = "it takes float throughout, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) {
  return has_activation(call, FusingFamily::simt) && is_uniform(call, Element::f32);
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  if (!has_short_strides(call)) return "a stride is too large to be counted in 32 bits";
  return is_worth_its_kernels(name, call, machine, options) ? nullptr : faster_elsewhere;
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  plan_streamed_products<float>(call, plan, machine, options, arguments);
  plan_simt_products(plan, machine, options, arguments);
  return plan;
}

#if TEGULA_HAS_MMA
void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  launch_one_by_one<float>(exec, call, plan, workspace, before,
                           [&](const auto& c, const ProductPlan& product, char* memory, const CallableRef& others) {
                             float* const partial_sums = reinterpret_cast<float*>(memory);
                             product.is_streamed() ? launch_streamed(exec, c, plan, product, partial_sums, others)
                                                   : launch_simt(exec, c, plan, product, partial_sums, others);
                           });
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Compute capability 8.0 and newer: IEEE single precision by fused multiply-adds, operands of any layout brought by
/// cp.async.
const CudaFamily simt_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
