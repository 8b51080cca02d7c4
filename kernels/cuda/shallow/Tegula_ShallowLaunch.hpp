// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_LAUNCH_HPP
#define TEGULA_SHALLOW_LAUNCH_HPP

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned call of gemm_backward. `memory` is where slices go. Calls before() when all that can
/// fail is ready, and before it is queued.
void launch_shallow(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory,
                    const CallableRef& before);

}  // namespace Tegula::Impl

#endif
