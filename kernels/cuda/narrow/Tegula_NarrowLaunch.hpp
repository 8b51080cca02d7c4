// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_LAUNCH_HPP
#define TEGULA_NARROW_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned product.
void launch_narrow(const Kokkos::Cuda& exec, const ProductCall<double>& call, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before);
void launch_narrow(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                   const CallableRef& before);

}  // namespace Tegula::Impl

#endif
