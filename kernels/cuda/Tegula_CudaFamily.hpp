// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_FAMILY_HPP
#define TEGULA_CUDA_FAMILY_HPP

#include <span>

#include "Tegula_Call.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Check.hpp"
#include "Tegula_CudaMachine.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// A kernel family for CUDA: a row of the table of families. All of it but the kernels is plain code for hosts.
struct CudaFamily {
  const char* name;
  const char* types;  // which calls it has kernels for, as a clause

  /// Whether it has kernels for the element types and the activation of a call.
  bool (*takes_types)(const Call& call);

  /// Null if it takes a call of such types, or why not, as a clause. It asks the device, the alignments and the
  /// scratch, and assumes nothing; options.family tells whether the caller asks for the family.
  const char* (*refusal)(const Call& call, const CudaMachine& machine, const PlanOptions& options);

  /// The plan of a call that it takes. An option that it cannot meet ends in arguments.fail().
  Plan (*plan)(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments);

  /// Queues the kernels of a plan on exec, no more. Calls before() when all that can fail is ready, and before anything
  /// is queued. Null: the kernels are not in this build.
  void (*launch)(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                 const CallableRef& before);
};

/// Why a family without kernels takes no call.
inline constexpr const char* no_cuda_kernels =
    "its kernels are not in this build, since Kokkos is without CUDA or no nvcc that is new enough was found";

/// The table. First come, first served.
std::span<const CudaFamily* const> cuda_families();

/// Why a family does not take a call on CUDA; null if it does.
const char* refusal_of(const CudaFamily& family, const Call& call, const CudaMachine& machine,
                       const PlanOptions& options);

extern const CudaFamily fp32_split_family, tf32_family, wgmma_family, skinny_family, tall_family, gemv_family,
    panel_family, mma_family, simt_family;

/// The portable family on CUDA, for what none of the table takes.
extern const CudaFamily portable_cuda_family;

}  // namespace Tegula::Impl

#endif
