// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PLANNER_HPP
#define TEGULA_CUDA_PLANNER_HPP

#include <vector>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_FamilyRefusal.hpp"

/// From a call to kernels on CUDA.

namespace Tegula::Impl {

/// The plan of a call by the first family of the table that takes it, alone or with passes, the portable family last. A
/// call that none takes ends in arguments.fail().
Plan plan_cuda_call(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                    const ArgumentList& arguments);

/// Queues the kernels of a plan for the call that it was made of.
void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace);

/// Why families for CUDA do not take a call there, the portable family as the last of them. Null: one does.
std::vector<FamilyRefusal> cuda_refusals(const Call& call, const CudaMachine& machine, const PlanOptions& options);

/// Why they take no call on another execution space, without the portable family.
std::vector<FamilyRefusal> refusals_without_cuda();

}  // namespace Tegula::Impl

#endif
