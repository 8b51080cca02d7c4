// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_LAUNCH_HPP
#define TEGULA_MMA_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_MmaConfig.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of one product of a plan. With split-k the sums go to partial_sums, in slices. There is a source
/// file for each type, and one for floats that are split, so that they compile at the same time.
template <class Input, class Configs = MmaConfigsOf<Input>>
void launch_mma(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                const ProductPlan& product, sum_t<Input>* partial_sums, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
