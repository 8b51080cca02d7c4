// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "../Tegula_LaunchCopies.hpp"
#include "../Tegula_StreamedProducts.hpp"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_MmaPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "mma";
constexpr const char* types =
    "it takes double throughout, or half_t or bhalf_t times the same, to the same or float, with an activation that "
    "Tegula brings, on Cuda";

bool takes_types(const Call& call) {
  return has_activation(call, FusingFamily::mma) && (is_half(call) || is_uniform(call, Element::f64));
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  return is_worth_its_kernels(name, call, machine, options) ? nullptr : faster_elsewhere;
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  if (is_double(call)) {
    plan_streamed_products<double>(call, plan, machine, options, arguments);
    plan_mma_double_products(plan, machine, options, arguments);
  } else {
    plan_mma_products(plan, machine, options, arguments);
    // In small products the kernel gathers unaligned operands itself.
    if (is_worth_preparing(call)) plan_copies(call, plan);
  }
  return plan;
}

#if TEGULA_HAS_MMA
void launch_doubles(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                    const CallableRef& before) {
  launch_one_by_one<double>(exec, call, plan, workspace, before,
                            [&](const auto& c, const ProductPlan& product, char* memory, const CallableRef& others) {
                              double* const partial_sums = reinterpret_cast<double*>(memory);
                              product.is_streamed() ? launch_streamed(exec, c, plan, product, partial_sums, others)
                                                    : launch_mma(exec, c, plan, product, partial_sums, others);
                            });
}

void launch_halves(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                   const CallableRef& before) {
  launch_one_by_one<std::uint16_t>(
      exec, call, plan, workspace, before,
      [&](const HalfCall& c, const ProductPlan& product, char* memory, const CallableRef& others) {
        const auto copies = [&](const CallableRef& first) {
          launch_copies(exec, KernelLabel(plan, product), c, product, memory, first);
        };
        queue_in_order(others, copies, [&](const CallableRef& first) {
          launch_mma(exec, with_aligned_copies(c, product, memory), plan, product, reinterpret_cast<float*>(memory),
                     first);
        });
      });
}

void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  (is_double(call) ? launch_doubles : launch_halves)(exec, call, plan, workspace, before);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Compute capability 8.0 and newer: tensor cores through mma.sync, operands brought by cp.async; 16-bit elements and
/// double.
const CudaFamily mma_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
