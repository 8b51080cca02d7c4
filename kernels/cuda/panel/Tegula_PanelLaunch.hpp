// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_LAUNCH_HPP
#define TEGULA_PANEL_LAUNCH_HPP

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 9.0.

namespace Tegula::Impl {

/// Queues the kernel of a planned product. Calls before() when all that can fail is ready, and before it is queued.
void launch_panel(const Kokkos::Cuda& exec, const ProductCall<double>& call, const Plan& plan,
                  const ProductPlan& product, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
