// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_OPERANDS_HPP
#define TEGULA_TF32_OPERANDS_HPP

#include <utility>

#include "../Tegula_OperandCopies.hpp"

/// How the operands of a product are taken. Tensor cores want floats with contiguous depth, but threads may bring the
/// left operand to registers. So the kernel computes the transposed product if the right operand has contiguous lines.
/// If both have, a pass transposes the one with fewer lines. A pass also copies an operand that TMA does not take.

namespace Tegula::Impl {

struct Tf32Operands {
  bool copies_left = false, copies_right = false;
  bool transposed = false;  // the kernel computes C^T = right left^T
};

inline Tf32Operands tf32_operands(const ProductCall<float>& call) {
  const auto left = tma_matrix(call.left), right = tma_matrix(call.right);
  const bool left_lines = left && left->major == Major::lines, right_lines = right && right->major == Major::lines;
  const bool both = left_lines && right_lines, left_is_smaller = call.left.rows < call.right.rows;
  Tf32Operands operands{!left || (both && left_is_smaller), !right || (both && !left_is_smaller)};
  if (left_lines && !operands.copies_left) return operands;
  // Two operands with contiguous depth may be taken either way; the kernel's result is to be row-major.
  const bool transposes_result = call.C.is_column_major();
  operands.transposed          = (right_lines && !operands.copies_right) || transposes_result;
  return operands;
}

/// A place for the same elements with contiguous depth and lines that begin at multiples of 128 bytes.
inline MatrixRef<const float> tf32_copy_at(const MatrixRef<const float>& matrix, const void* data) {
  const std::int64_t pitch = ceil_div(matrix.columns, 32) * 32;
  return {static_cast<const float*>(data), matrix.rows, matrix.columns, pitch, 1};
}

/// The copies that a call wants.
inline OperandCopies tf32_copies(const ProductCall<float>& call, const GemmShape& shape) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return {};  // nothing is read
  const Tf32Operands operands = tf32_operands(call);
  const auto bytes            = [](const MatrixRef<const float>& matrix) {
    return static_cast<std::size_t>(matrix.rows * tf32_copy_at(matrix, nullptr).row_stride) * sizeof(float);
  };
  return {operands.copies_left ? bytes(call.left) : 0, operands.copies_right ? bytes(call.right) : 0};
}

}  // namespace Tegula::Impl

#endif
