// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FINISH_PASS_HPP
#define TEGULA_FINISH_PASS_HPP

#include <string>

#include "Tegula_Call.hpp"
#include "Tegula_CudaSpace.hpp"

/// The elementwise pass, for what the kernel of a product cannot do: it converts an operand, or finishes a result.

namespace Tegula::Impl {

/// Z = sums + beta C + bias, C = act(Z), element by element. Any of them may be of any type that accumulates as the
/// sums do, and sums may be C itself. Z and bias are optional.
struct FinishCall {
  CallMatrix sums, C, Z, bias;
  double beta = 0;
  ActivationChoice activation;
};

/// Queues the pass, with an activation that Tegula brings.
void launch_finish(const Kokkos::Cuda& exec, const std::string& label, const FinishCall& call);

}  // namespace Tegula::Impl

#endif
