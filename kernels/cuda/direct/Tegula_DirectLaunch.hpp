// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_LAUNCH_HPP
#define TEGULA_DIRECT_LAUNCH_HPP

#include <span>

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned product.
template <class Bits>
void launch_direct(const Kokkos::Cuda& exec, const ProductCall<Bits>& call, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before);

/// Queues the kernel of all gradients of a call of gemm_backward, dA and dB^T, of which one may be without teams.
void launch_direct_gradients(const Kokkos::Cuda& exec, const Call& call, const Plan& plan,
                             std::span<const ProductPlan> products, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
