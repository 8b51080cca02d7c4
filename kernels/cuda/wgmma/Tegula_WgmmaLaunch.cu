// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.hpp"

#include "../Tegula_EngineCopy.hpp"
#include "../Tegula_TensorMap.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_WgmmaPart.hpp"

namespace Tegula::Impl {
namespace {

// Copies what the plan lists to the end of the product's part of the workspace.
void launch_copies(const Kokkos::Cuda& exec, const std::string& label, TensorCall& call, const ProductPlan& product,
                   char* workspace) {
  char* const right_copy = workspace + product.workspace_bytes - product.right_copy_bytes;
  char* const left_copy  = right_copy - product.left_copy_bytes;
  if (product.left_copy_bytes > 0) call.left = launch_engine_copy(exec, label, call.left, left_copy);
  if (product.right_copy_bytes > 0) call.right = launch_engine_copy(exec, label, call.right, right_copy);
}

template <int Products>
void launch_parts(const Kokkos::Cuda& exec, Element input, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                  const Plan& plan) {
  const auto launch = input == Element::bf16 ? launch_wgmma_of<bhalf_t, Products> : launch_wgmma_of<half_t, Products>;
  launch(exec, parts, sums, plan);
}

}  // namespace

WgmmaCopies wgmma_copies(const TensorCall& call, const GemmShape& shape) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return {};  // nothing is read
  const auto bytes = [](const auto& operand) { return engine_matrix(operand) ? 0 : engine_copy_bytes(operand); };
  return {bytes(call.left), bytes(call.right)};
}

void launch_wgmma(const Kokkos::Cuda& exec, TensorCalls calls, const ColumnSums& sums, const Plan& plan,
                  char* workspace) {
  const std::string label = kernel_label(plan);
  const auto part         = [&](int p) {
    char* const memory = p == 0 ? workspace : workspace + plan.products[0].workspace_bytes;
    launch_copies(exec, label, calls[p], plan.products[p], memory);
    return WgmmaPart{calls[p], plan.products[p], reinterpret_cast<float*>(memory)};
  };
  const auto is_there = [&](int p) { return plan.products[p].teams() > 0; };
  if (is_there(0) && is_there(1)) {
    const int first = plan.products[0].k_split >= plan.products[1].k_split ? 0 : 1;
    launch_parts<2>(exec, calls[0].input, {part(first), part(1 - first)}, sums, plan);
  } else if (is_there(0) || is_there(1)) {
    launch_parts<1>(exec, calls[0].input, {part(is_there(0) ? 0 : 1)}, sums, plan);
  }
}

}  // namespace Tegula::Impl
