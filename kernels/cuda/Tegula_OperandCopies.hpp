// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OPERAND_COPIES_HPP
#define TEGULA_OPERAND_COPIES_HPP

#include "Tegula_AlignedCopy.hpp"
#include "Tegula_CudaCall.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_TmaMatrix.hpp"

/// Copies of operands that are not aligned (Tegula_TmaMatrix.hpp). They lie at the end of the workspace.

namespace Tegula::Impl {

struct OperandCopies {
  std::size_t left_bytes = 0, right_bytes = 0;

  bool none() const { return left_bytes + right_bytes == 0; }
};

/// The copies that a call needs.
template <class Bits>
OperandCopies operand_copies(const ProductCall<Bits>& call, const GemmShape& shape) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return {};  // nothing is read
  const auto bytes = [](const auto& operand) { return tma_matrix(operand) ? 0 : aligned_copy_bytes(operand); };
  return {bytes(call.left), bytes(call.right)};
}

/// Adds room for the copies, after all else that the product has in the workspace.
inline void plan_copies(ProductPlan& product, const OperandCopies& copies) {
  product.left_copy_bytes  = copies.left_bytes;
  product.right_copy_bytes = copies.right_bytes;
  if (copies.left_bytes > 0) product.copy_steps[0] = copy_steps[0];
  if (copies.right_bytes > 0) product.copy_steps[1] = copy_steps[1];
  product.workspace_bytes += copies.left_bytes + copies.right_bytes;
}

/// The call with planned copies in place of its operands: copy(operand, memory) returns the copy of one, first of the
/// left one.
template <class Bits, class Copy>
ProductCall<Bits> with_copies(ProductCall<Bits> call, const ProductPlan& product, char* workspace, const Copy& copy) {
  char* right_copy = workspace + product.workspace_bytes - product.right_copy_bytes;
  char* left_copy  = right_copy - product.left_copy_bytes;
  if (product.left_copy_bytes > 0) call.left = copy(call.left, left_copy);
  if (product.right_copy_bytes > 0) call.right = copy(call.right, right_copy);
  return call;
}

/// The same with copies that TMA takes.
inline HalfCall with_aligned_copies(const HalfCall& call, const ProductPlan& product, char* workspace) {
  return with_copies(call, product, workspace, aligned_copy_at<std::uint16_t>);
}

}  // namespace Tegula::Impl

#endif
