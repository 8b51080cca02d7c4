// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_ACTIVATION_CUH
#define TEGULA_WGMMA_ACTIVATION_CUH

#include "../Tegula_ActivationKernels.hpp"
#include "Tegula_WgmmaLaunch.cuh"

/// The family's kernels with a user's activation.

namespace Tegula::Impl {

template <class Input, class Activation>
void WgmmaWith<Input, Activation>::launch(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan,
                                          const ProductPlan& product, float* slices, const CallableRef& before) {
  launch_wgmma_with<Input, OwnActivation<Activation>>(exec, WgmmaParts<1>{WgmmaPart{call, product, slices}}, {}, plan,
                                                      before);
}

}  // namespace Tegula::Impl

#endif
