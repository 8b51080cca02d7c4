// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PASSES_HPP
#define TEGULA_CUDA_PASSES_HPP

#include <optional>

#include "Tegula_CudaFamily.hpp"

/// Calls of gemm whose types or activation no family for CUDA takes: operands are widened before the product, never
/// rounded, and its result is finished behind it, each by an elementwise pass. Nothing costs more than that.

namespace Tegula::Impl {

/// A family, and its plan of a call with passes.
struct PlannedPasses {
  const CudaFamily* family;
  Plan plan;
};

/// Plans a call with passes, by the first of these families that takes the product. Nothing if none does.
std::optional<PlannedPasses> plan_with_passes(std::span<const CudaFamily* const> families, const Call& call,
                                              const CudaMachine& machine, const PlanOptions& options,
                                              const ArgumentList& arguments);

/// Queues the passes and the kernels of such a plan.
void launch_with_passes(const Kokkos::Cuda& exec, const Call& call, const PlannedPasses& planned, char* workspace);

}  // namespace Tegula::Impl

#endif
