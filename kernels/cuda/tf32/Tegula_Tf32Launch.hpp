// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_LAUNCH_HPP
#define TEGULA_TF32_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// Queues a product of a plan: the copies that it lists, and the kernel. The product's part of the workspace holds,
/// with split-k, slices of sums, then the copies. Calls before() when all that can fail is ready, and before anything
/// is queued. Compiled for compute capability 9.0a.
void launch_tf32(const Kokkos::Cuda& exec, const ProductCall<float>& call, const ProductPlan& product, const Plan& plan,
                 char* workspace, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
