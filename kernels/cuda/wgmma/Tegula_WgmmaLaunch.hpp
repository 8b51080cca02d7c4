// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_HPP
#define TEGULA_WGMMA_LAUNCH_HPP

#include <span>

#include "../Tegula_ColumnSums.hpp"
#include "../Tegula_CudaCall.hpp"
#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 9.0a, which the rest is not.

namespace Tegula::Impl {

/// Queues one product or two, by one kernel: first the copies that they list, then the kernel. Copies and, with
/// split-k, slices of sums go to the products' parts of the workspace, which follow each other. The kernel also adds
/// column sums, if there are some. Calls before() when all that can fail is ready, and before anything is queued.
void launch_wgmma(const Kokkos::Cuda& exec, std::span<const HalfCall> calls, std::span<const ProductPlan> products,
                  const ColumnSums& sums, const Plan& plan, char* workspace, bool is_behind, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
