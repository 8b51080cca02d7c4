// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_ACTIVATION_CUH
#define TEGULA_SIMT_ACTIVATION_CUH

#include "../Tegula_ActivationKernels.hpp"
#include "../Tegula_CudaSliceSums.cuh"
#include "Tegula_SimtLeft.hpp"

/// The family's kernels with a user's activation.

namespace Tegula::Impl {

template <class Activation>
void SimtWith<Activation>::launch(const Kokkos::Cuda& exec, const ProductCall<float>& call, const Plan& plan,
                                  const ProductPlan& product, const CallableRef& before) {
  launch_simt_with(exec, call, plan, product,
                   vector_result_with(call, product.shape, activation_of<OwnActivation<Activation>>(call)), before);
}

template <class Activation>
void SimtWith<Activation>::add_slices(const Kokkos::Cuda& exec, const KernelLabel& label,
                                      const ProductCall<float>& call, const ProductPlan& product, char* workspace) {
  add_slices_with<OwnActivation<Activation>>(exec, label, call, product, workspace);
}

}  // namespace Tegula::Impl

#endif
