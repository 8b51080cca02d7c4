// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_OPERAND_HPP
#define TEGULA_ASYNC_OPERAND_HPP

#include <algorithm>

#include "../Tegula_TmaMatrix.hpp"

namespace Tegula::Impl {

/// An operand as lines x depth, for the copies by cp.async.
struct AsyncOperand {
  const void* data         = nullptr;
  std::int64_t line_stride = 0, depth_stride = 0;  // elements
  std::int32_t lines = 0;
  Major major        = Major::depth;  // rows in scratch run along this direction, that of the smaller stride
  bool whole_chunks  = false;         // that stride is 1, and 16 bytes are copied at once
  bool whole_words   = false;         // the same of 4 bytes
};

template <class Bits>
AsyncOperand async_operand(const MatrixRef<const Bits>& operand) {
  const auto lines = static_cast<std::int32_t>(operand.rows);
  if (const auto matrix = tma_matrix(operand)) {
    const bool by_depth = matrix->major == Major::depth;
    return {operand.data, by_depth ? matrix->pitch : 1, by_depth ? 1 : matrix->pitch, lines, matrix->major, true, true};
  }
  constexpr std::int64_t word = 4;
  const bool by_lines         = operand.row_stride < operand.column_stride;
  const auto [fast, slow]     = std::minmax(operand.row_stride, operand.column_stride);
  const bool whole_words      = fast == 1 && slow * std::int64_t(sizeof(Bits)) % word == 0 &&
                           reinterpret_cast<std::uintptr_t>(operand.data) % word == 0;
  return {operand.data, operand.row_stride, operand.column_stride, lines, by_lines ? Major::lines : Major::depth,
          false,        whole_words};
}

/// Whether both operands of a product are fetched in chunks, and in words at least.
inline bool are_in_chunks(const AsyncOperand& left, const AsyncOperand& right) {
  return left.whole_chunks && right.whole_chunks;
}
inline bool are_in_words(const AsyncOperand& left, const AsyncOperand& right) {
  return left.whole_words && right.whole_words;
}

}  // namespace Tegula::Impl

#endif
