// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_RUN_PLAN_HPP
#define TEGULA_CUDA_RUN_PLAN_HPP

#include "Tegula_Call.hpp"
#include "Tegula_CudaSpace.hpp"

/// From a plan to its kernels for CUDA.

namespace Tegula::Impl {

/// Queues the steps of a plan, with a workspace of plan.workspace_bytes(). Nothing is queued until all that can fail is
/// ready. Throws std::runtime_error.
void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace);

}  // namespace Tegula::Impl

#endif
