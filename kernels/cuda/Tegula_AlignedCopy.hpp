// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ALIGNED_COPY_HPP
#define TEGULA_ALIGNED_COPY_HPP

#include <cstddef>

#include "Tegula_MatrixRef.hpp"
#include "Tegula_TileOrder.hpp"

/// Copies of operands that TMA does not take as they are.

namespace Tegula::Impl {

/// A copy of the matrix that is to lie at `data`: its contiguous direction is the same, if there is one, and its lines
/// begin at multiples of 128 bytes.
template <class Bits>
MatrixRef<const Bits> aligned_copy_at(const MatrixRef<const Bits>& matrix, const void* data) {
  constexpr std::int64_t line = 128 / sizeof(Bits);  // elements
  const bool by_columns       = !matrix.columns_are_contiguous() && matrix.rows_are_contiguous();
  const std::int64_t pitch    = ceil_div(by_columns ? matrix.rows : matrix.columns, line) * line;
  return {static_cast<const Bits*>(data), matrix.rows, matrix.columns, by_columns ? 1 : pitch, by_columns ? pitch : 1};
}

/// The bytes of such a copy: whole lines.
template <class Bits>
std::size_t aligned_copy_bytes(const MatrixRef<const Bits>& matrix) {
  const auto copy = aligned_copy_at(matrix, nullptr);
  return static_cast<std::size_t>(copy.columns_are_contiguous() ? copy.rows * copy.row_stride
                                                                : copy.columns * copy.column_stride) *
         sizeof(Bits);
}

}  // namespace Tegula::Impl

#endif
