// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PLANNER_HPP
#define TEGULA_CUDA_PLANNER_HPP

#include <vector>

#include "Tegula_CudaFamily.hpp"

/// From a call to the kernels for CUDA that compute it in the least time, by the families' predictions. The products of
/// gemm_backward are planned one by one, behind a pass that forms dZ, or together, by families that compute them so.

namespace Tegula::Impl {

/// Asks all families, and takes what is predicted to be the fastest. Throws std::invalid_argument if none takes the
/// call as options ask, with the reasons of all.
Plan plan_cuda_call(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                    const ArgumentList& arguments);

/// A family and one of the ways in which it can compute a product.
struct FamilyProposal {
  const CudaFamily* family;
  Proposal proposal;
};

/// Every way to compute a call of gemm without passes, for those who measure them all.
std::vector<FamilyProposal> cuda_proposals(const Call& product, const CudaMachine& machine, const PlanOptions& options);

}  // namespace Tegula::Impl

#endif
