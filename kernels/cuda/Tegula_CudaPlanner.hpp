// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PLANNER_HPP
#define TEGULA_CUDA_PLANNER_HPP

#include <vector>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_FamilyRefusal.hpp"

/// From a call to the kernels for CUDA that compute it in the least time, by the families' predictions. The products of
/// gemm_backward are planned one by one, behind a pass that forms dZ, or together, by families that compute them so.

namespace Tegula::Impl {

/// Asks all families, and takes what is predicted to be the fastest. Throws std::invalid_argument if none takes the
/// call as options ask, with the reasons of all.
Plan plan_cuda_call(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                    const ArgumentList& arguments);

/// Queues the steps of a plan, with a workspace of plan.workspace_bytes(). Nothing is queued until all that can fail is
/// ready. Throws std::runtime_error.
void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace);

/// Why each family takes no part in a call; null where it does.
std::vector<FamilyRefusal> cuda_refusals(const Call& call, const CudaMachine& machine, const PlanOptions& options);

/// Why they take no call on another execution space; without the portable family, which does.
std::vector<FamilyRefusal> refusals_without_cuda();

/// A family and one of the ways in which it can compute a product.
struct FamilyProposal {
  const CudaFamily* family;
  Proposal proposal;
};

/// Every way to compute a call of gemm without passes, for those who measure them all.
std::vector<FamilyProposal> cuda_proposals(const Call& product, const CudaMachine& machine, const PlanOptions& options);

}  // namespace Tegula::Impl

#endif
