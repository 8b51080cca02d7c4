// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_LAUNCH_HPP
#define TEGULA_OUTER_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned product.
template <class Bits>
void launch_outer(const Kokkos::Cuda& exec, const ProductCall<Bits>& call, const Plan& plan, const ProductPlan& product,
                  const CallableRef& before);

/// The same for elements of type Input. There is a source file for each, so that they compile at the same time.
template <class Input>
void launch_outer_of(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                     const ProductPlan& product, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
