// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FINISH_PASS_HPP
#define TEGULA_FINISH_PASS_HPP

#include "Tegula_Call.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"

/// The elementwise pass, for what the kernel of a product cannot do: it converts an operand, or finishes a result.

namespace Tegula::Impl {

/// Z = sums + beta C + bias, C = act(Z), element by element. Any of them may be of any type that accumulates as the
/// sums do, and sums may be C itself. Z and bias are optional.
struct FinishCall {
  CallMatrix sums, C, Z, bias;
  double beta = 0;
  ActivationChoice activation;
};

/// Queues the pass, with an activation that Tegula brings. Calls before() when all that can fail is ready, and before
/// it is queued.
void launch_finish(const Kokkos::Cuda& exec, const KernelLabel& label, const FinishCall& call,
                   const CallableRef& before);

}  // namespace Tegula::Impl

#endif
