// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <span>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaSteps.hpp"
#include "portable/Tegula_PortableLaunch.hpp"
#include "portable/Tegula_PortablePlan.hpp"

/// The portable family as a row for CUDA: for element types that Tegula brings, as data. A user's activation has a pass
/// that forms dZ, as for the other families; otherwise dZ is formed while dC is read.

// AMD's compiler would put the row on its device, too, and miss the row's functions there.
#ifndef __HIP_DEVICE_COMPILE__
namespace Tegula::Impl {
namespace {

constexpr const char* name  = "portable";
constexpr const char* types = "it takes gemm with an activation that Tegula brings, and all of gemm_backward";

bool takes_types(const Call& call) { return has_known_elements(call) && has_activation(call); }

bool has_pass(const Call& call) { return call.is_backward && !call.is_built_in; }

std::span<const TileChoice> choices_for(const Call& call) {
  if (is_double(call)) return portable_choices<false, double>;
  return portable_choices<false, float>;
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions&) {
  const bool fits = machine.portable.has_scratch(choices_for(call).back().scratch_bytes);
  return fits ? nullptr : "a team has too little scratch";
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  const Plan uncut = has_pass(call) ? cuda_plan(name, call, machine) : uncut_plan(name, "Cuda", call);
  return portable_plan(machine.portable, choices_for(call), uncut, is_double(call) ? sizeof(double) : sizeof(float),
                       options, arguments);
}

#if TEGULA_HAS_MMA
template <class T>
void launch_alone(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace) {
  with_any_products<T>(call, plan, workspace,
                       [&](const auto&... products) { launch_products<T>(exec, plan, products...); });
}

/// gemm_backward with dZ from a pass in place of dC, and without a bias gradient, which the pass forms.
template <class T>
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
    launch_alone<T>(exec, products, plan, workspace);
  });
}

template <class T>
void launch_type(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                 const CallableRef& before) {
  if (has_pass(call)) return launch_gradients_of_pass<T>(exec, call, plan, workspace, before);
  before();
  launch_alone<T>(exec, call, plan, workspace);
}

void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  (is_double(call) ? launch_type<double> : launch_type<float>)(exec, call, plan, workspace, before);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

const CudaFamily portable_cuda_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
#endif
