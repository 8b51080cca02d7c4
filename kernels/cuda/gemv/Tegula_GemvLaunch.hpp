// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_LAUNCH_HPP
#define TEGULA_GEMV_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned product of float or double. With split-k the sums go to partial_sums, in slices.
template <class T>
void launch_gemv(const Kokkos::Cuda& exec, const ProductCall<T>& call, const Plan& plan, const ProductPlan& product,
                 T* partial_sums, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
