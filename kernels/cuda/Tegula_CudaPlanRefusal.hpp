// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PLAN_REFUSAL_HPP
#define TEGULA_CUDA_PLAN_REFUSAL_HPP

#include <vector>

#include "Tegula_CudaRequest.hpp"
#include "Tegula_FamilyRefusal.hpp"

/// Why the families for CUDA do not compute a call.

namespace Tegula::Impl {

/// Why each family takes no part in a call; null where it does.
std::vector<FamilyRefusal> cuda_refusals(const Call& call, const CudaMachine& machine, const PlanOptions& options);

/// Why they take no call on another execution space; without the portable family, which does.
std::vector<FamilyRefusal> refusals_without_cuda();

/// Whether options name a family that does not exist, or takes no part in the call.
bool is_family_refused(const Call& call, const Request& request);

/// Throws std::invalid_argument: the tiles that could have been asked for, or the reasons of all families.
[[noreturn]] void fail_without_proposal(const Call& call, const Request& request, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
