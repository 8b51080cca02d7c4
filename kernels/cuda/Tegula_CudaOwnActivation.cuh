// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_OWN_ACTIVATION_CUH
#define TEGULA_CUDA_OWN_ACTIVATION_CUH

#include "Tegula_CallTypes.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_FinishPassKernel.cuh"
#include "Tegula_GradientPassKernel.cuh"

/// What an application's file compiles of a call with an activation of its own: the elementwise passes.

namespace Tegula::Impl {

template <class Sum, class Activation>
void finish_by_own(const void* exec, const KernelLabel& label, const FinishCall& call, const void* functor,
                   const CallableRef& before) {
  launch_finish_of<Sum>(*static_cast<const Kokkos::Cuda*>(exec), label, call,
                        OwnActivation<Activation>{*static_cast<const Activation*>(functor)}, before);
}

template <class DC, class Activation>
void form_own_dZ(const void* exec, const KernelLabel& label, const Call& call, const GradientPlan& plan,
                 char* workspace, const CallableRef& before) {
  const auto& activation = *static_cast<const Activation*>(call.passes.functor);
  launch_gradient_pass_of<DC>(*static_cast<const Kokkos::Cuda*>(exec), label, gradient_call<bits_t<DC>>(call), plan,
                              workspace, OwnActivation<Activation>{activation}, before);
}

/// Adds the passes of a call whose element types Tegula brings. Types is what Tegula_CallTypes.hpp has.
template <class Types>
void add_own_passes(ActivationPasses& passes) {
  using Activation = typename Types::Activation;
  if constexpr (Types::is_backward) {
    passes.form_dZ = &form_own_dZ<typename Types::DC, Activation>;
  } else {
    passes.finish = &finish_by_own<typename Types::Accumulator, Activation>;
  }
}

}  // namespace Tegula::Impl

#endif
