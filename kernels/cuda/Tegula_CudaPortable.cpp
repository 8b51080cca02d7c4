// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaFamily.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaSteps.hpp"
#include "portable/Tegula_PortableFamily.hpp"

/// The portable family as a row for CUDA: for element types that Tegula brings, as data. A user's activation has a pass
/// that forms dZ, as for the other families; otherwise dZ is formed while dC is read. Calls with other element types
/// bring their kernel along.

namespace Tegula::Impl {
namespace {

constexpr const char* types = "it takes gemm with an activation that Tegula brings, and all of gemm_backward";

bool takes_types(const Call& call) {
  return call.portable != nullptr || (has_known_elements(call) && has_activation(call));
}

bool has_pass(const Call& call) { return call.is_backward && !call.is_built_in && call.portable == nullptr; }

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions&) {
  return portable_refusal(machine.portable, portable_kernels<false>(call));
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  const PortableKernels kernels = portable_kernels<false>(call);
  const Plan uncut =
      has_pass(call) ? cuda_plan(portable_family, call, machine) : uncut_plan(portable_family, "Cuda", call);
  return portable_plan(machine.portable, kernels.choices, uncut, kernels.accumulator_bytes, options, arguments);
}

#if TEGULA_HAS_MMA
/// gemm_backward with dZ from a pass in place of dC, and without a bias gradient, which the pass forms.
void launch_gradients_of_pass(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                              const CallableRef& before) {
  with_bits(call, [&]<class Bits>() {
    const auto formed =
        formed_gradient(gradient_call<Bits>(call), plan.gradient, workspace + plan.gradient_workspace());
    const auto passes = [&](const CallableRef& first) {
      launch_before_products<Bits>(exec, call, plan, workspace, first);
    };
    queue_in_order(before, passes,
                   [&](const CallableRef& first) { launch_column_sums(exec, KernelLabel(plan), formed.dbias, first); });
    if (plan.teams() == 0) return;
    Call products                   = call;
    const MatrixRef<const Bits>& dZ = formed.dZ;
    products.dC.data                = const_cast<Bits*>(dZ.data);
    products.dC.row_stride          = dZ.row_stride;
    products.dC.column_stride       = dZ.column_stride;
    products.has_constant_slope     = true;
    products.activation             = {};
    products.dbias.data             = nullptr;
    launch_portable_call(exec, products, plan, workspace);
  });
}

void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  if (has_pass(call)) return launch_gradients_of_pass(exec, call, plan, workspace, before);
  before();
  launch_portable_call(exec, call, plan, workspace);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

const CudaFamily portable_cuda_family{portable_family, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
