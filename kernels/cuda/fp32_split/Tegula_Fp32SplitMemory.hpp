// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MEMORY_HPP
#define TEGULA_FP32_SPLIT_MEMORY_HPP

#include "../Tegula_OperandCopies.hpp"
#include "Tegula_Fp32SplitPass.hpp"
#include "Tegula_Plan.hpp"

/// A product of split floats and its part of the workspace: with split-k slices of sums, then the operands' parts.

namespace Tegula::Impl {

/// Bytes of the workspace for the operands' parts. The words (the route and the teams' reports) lie before the parts of
/// the left operand, and are counted with them.
inline OperandCopies split_copies(const ProductCall<float>& call, const GemmShape& shape, int multiprocessors) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return {};  // nothing is read
  Fp32SplitWorkspace bytes;
  split_operands(call.left, call.right, nullptr, multiprocessors, bytes);
  return {bytes.words + bytes.left.all(), bytes.right.all()};
}

/// Where the words and the parts begin in a product's part of the workspace. The first word holds the route taken.
inline char* split_memory(const ProductPlan& product, char* workspace) {
  return workspace + product.workspace_bytes - product.left_copy_bytes - product.right_copy_bytes;
}

}  // namespace Tegula::Impl

#endif
