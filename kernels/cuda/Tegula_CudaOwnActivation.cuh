// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_OWN_ACTIVATION_CUH
#define TEGULA_CUDA_OWN_ACTIVATION_CUH

#include "Tegula_CudaProducts.hpp"
#include "Tegula_FinishPassKernel.cuh"
#include "Tegula_GradientPassKernel.cuh"
#include "Tegula_Problem.hpp"

/// What an application's file compiles of a call with an activation of its own: the elementwise passes.

namespace Tegula::Impl {

/// Those of gemm. The activation outlives the call.
template <class A, class B, class C, class Bias, class Z, class Activation>
ActivationPasses own_passes(const GemmProblem<A, B, C, Bias, Z, Activation>& problem) {
  ActivationPasses passes;
  passes.functor = &problem.activation;
  passes.kernels = problem.kernels;
  passes.finish  = [](const void* exec, const KernelLabel& label, const FinishCall& call, const void* functor,
                     const CallableRef& before) {
    launch_finish_of<accumulator_t<C>>(*static_cast<const Kokkos::Cuda*>(exec), label, call,
                                       OwnActivation<Activation>{*static_cast<const Activation*>(functor)}, before);
  };
  return passes;
}

/// Those of gemm_backward, for element types that Tegula knows.
template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation>
ActivationPasses own_passes(const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& problem) {
  ActivationPasses passes;
  if constexpr (element_of<DC> != Element::other) {
    passes.functor = &problem.activation;
    passes.form_dZ = [](const void* exec, const KernelLabel& label, const Call& call, const GradientPlan& plan,
                        char* workspace, const CallableRef& before) {
      const auto& activation = *static_cast<const Activation*>(call.passes.functor);
      launch_gradient_pass_of<DC>(*static_cast<const Kokkos::Cuda*>(exec), label, gradient_call<bits_t<DC>>(call), plan,
                                  workspace, OwnActivation<Activation>{activation}, before);
    };
  }
  return passes;
}

}  // namespace Tegula::Impl

#endif
