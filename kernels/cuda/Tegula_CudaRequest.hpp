// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_REQUEST_HPP
#define TEGULA_CUDA_REQUEST_HPP

#include <cstdint>

#include "Tegula_CudaFamily.hpp"

/// How families are asked for proposals, to plan a call and to say why it cannot be planned.

namespace Tegula::Impl {

/// What a call is planned for.
struct Request {
  const CudaMachine& machine;
  const PlanOptions& options;

  bool allows(const CudaFamily& family) const { return options.family.empty() || options.family == family.name; }
};

/// Calls visit(family, proposal) for all that the families that cover this propose.
template <class Visit>
void for_each_proposal(const Request& request, Covers covers, const Calls& calls, const Visit& visit) {
  for (const CudaFamily* family : cuda_families()) {
    if (family->covers != covers || !request.allows(*family)) continue;
    if (refusal_of(*family, calls, request.machine, request.options) != nullptr) continue;
    family->propose(calls, request.machine, request.options, [&](const Proposal& p) { visit(*family, p); });
  }
}

/// Stands for a workspace while its place is not known: only its alignment counts.
inline char* some_workspace() { return reinterpret_cast<char*>(std::uintptr_t(4096)); }

}  // namespace Tegula::Impl

#endif
