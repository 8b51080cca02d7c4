// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_ACTIVATION_CUH
#define TEGULA_MMA_ACTIVATION_CUH

#include "../Tegula_ActivationKernels.hpp"
#include "../Tegula_CudaSliceSums.cuh"
#include "Tegula_MmaLaunch.cuh"

/// The family's kernels with a user's activation.

namespace Tegula::Impl {

template <class Input, class Activation>
void MmaWith<Input, Activation>::launch(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call,
                                        const Plan& plan, const ProductPlan& product, const CallableRef& before) {
  launch_mma_with<Input>(exec, call, plan, product, mma_epilogue<OwnActivation<Activation>>(call, product), before);
}

template <class Input, class Activation>
void MmaWith<Input, Activation>::add_slices(const Kokkos::Cuda& exec, const KernelLabel& label,
                                            const ProductCall<bits_t<Input>>& call, const ProductPlan& product,
                                            char* workspace) {
  add_slices_with<OwnActivation<Activation>>(exec, label, call, product, workspace);
}

}  // namespace Tegula::Impl

#endif
