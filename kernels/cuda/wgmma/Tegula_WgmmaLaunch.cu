// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.hpp"

#include "../Tegula_EngineCopy.hpp"
#include "../Tegula_TensorMap.hpp"

namespace Tegula::Impl {

template <class Input>
void launch_wgmma_of(const Kokkos::Cuda& exec, const TensorCall& call, const Plan& plan, float* partial_sums);

WgmmaCopies wgmma_copies(const TensorCall& call, const GemmShape& shape) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return {};  // nothing is read
  const auto bytes = [](const auto& operand) { return engine_matrix(operand) ? 0 : engine_copy_bytes(operand); };
  return {bytes(call.left), bytes(call.right)};
}

void launch_wgmma(const Kokkos::Cuda& exec, const TensorCall& call, const Plan& plan, float* partial_sums) {
  const auto launch = call.input == Element::bf16 ? launch_wgmma_of<bhalf_t> : launch_wgmma_of<half_t>;
  launch(exec, call, plan, partial_sums);
}

}  // namespace Tegula::Impl
