// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_OPERAND_HPP
#define TEGULA_SIMT_OPERAND_HPP

#include <cstdint>
#include <limits>

#include "Tegula_Call.hpp"

namespace Tegula::Impl {

/// How an operand is copied. chunks: 16 bytes at a time along contiguous lines, which are aligned. depth: element by
/// element, neighbouring threads along the depth, which is contiguous. lines: element by element along the lines,
/// whatever the strides.
enum class FetchBy : std::uint8_t { chunks, depth, lines };

/// An operand as lines x depth.
template <class T>
struct SimtOperand {
  const T* data            = nullptr;
  std::int32_t line_stride = 0, depth_stride = 0;  // elements
  std::int32_t lines = 0;
  FetchBy by         = FetchBy::lines;
};

template <class T>
SimtOperand<T> simt_operand(const MatrixRef<const T>& matrix) {
  constexpr std::int64_t run = 16 / sizeof(T);
  SimtOperand<T> operand{matrix.data, static_cast<std::int32_t>(matrix.row_stride),
                         static_cast<std::int32_t>(matrix.column_stride), static_cast<std::int32_t>(matrix.rows),
                         FetchBy::lines};
  const bool aligned = reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0;
  if (matrix.row_stride == 1 && aligned && (matrix.column_stride % run == 0 || matrix.columns == 1)) {
    operand.by = FetchBy::chunks;
  } else if (matrix.column_stride == 1) {
    operand.by = FetchBy::depth;
  }
  return operand;
}

/// Whether the strides of operands fit 32 bits, as the kernels count them.
inline bool has_short_strides(const Call& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto is_short         = [&](const CallMatrix& matrix) {
    return matrix.row_stride <= most && matrix.column_stride <= most;
  };
  return is_short(call.A) && is_short(call.B) && (!call.is_backward || is_short(call.dC));
}

}  // namespace Tegula::Impl

#endif
