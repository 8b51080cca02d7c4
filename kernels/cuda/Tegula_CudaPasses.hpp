// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PASSES_HPP
#define TEGULA_CUDA_PASSES_HPP

#include <optional>

#include "Tegula_Call.hpp"
#include "Tegula_CudaMachine.hpp"
#include "Tegula_FinishPass.hpp"

/// A product whose types or activation no family for CUDA takes: operands are widened before it, never rounded, and its
/// result is finished behind it, each by an elementwise pass. Nothing costs more than that.

namespace Tegula::Impl {

/// A call of gemm with passes: the product that is left for a family, and where operands and sums are in between.
struct CallWithPasses {
  Call product;
  FinishCall widen_left{}, widen_right{}, finish{};  // without sums: not needed
  PassPlan plan;
};

/// The passes of a call, with their places in memory of plan.bytes(); while a call is planned, any address aligned to
/// 128 bytes will do. Nothing if it needs none, or if none will help.
std::optional<CallWithPasses> with_passes(const Call& call, char* memory);

/// Predicts how long the passes take.
void predict_passes(CallWithPasses& passes, const CudaMachine& machine);

/// Queues a pass that there is, with an activation that Tegula brings, or that of the call. Calls before() when all
/// that can fail is ready, and before it is queued.
void launch_widening(const Kokkos::Cuda& exec, const KernelLabel& label, const FinishCall& pass,
                     const CallableRef& before);
void launch_finishing(const Kokkos::Cuda& exec, const KernelLabel& label, const Call& call, const FinishCall& pass,
                      const CallableRef& before);

}  // namespace Tegula::Impl

#endif
