// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_LAUNCH_HPP
#define TEGULA_SIMT_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of one product of a plan. With split-k the sums go to partial_sums, in slices.
void launch_simt(const Kokkos::Cuda& exec, const ProductCall<float>& call, const Plan& plan, const ProductPlan& product,
                 float* partial_sums, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
