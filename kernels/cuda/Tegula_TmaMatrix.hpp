// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TMA_MATRIX_HPP
#define TEGULA_TMA_MATRIX_HPP

#include <cstdint>
#include <optional>

#include "Tegula_MatrixRef.hpp"
#include "ptx/Tegula_Major.hpp"

/// Matrices that can be copied in runs of 16 bytes, by TMA or by cp.async. They are called aligned: one direction is
/// contiguous, and the address and the leading dimension are multiples of 16 bytes.

namespace Tegula::Impl {

inline constexpr std::int64_t tma_alignment = 16;

/// A matrix with a contiguous direction.
struct TmaMatrix {
  const void* data;
  Major major;
  std::int64_t fast, slow, pitch;  // extents along and across the contiguous direction; elements from line to line
};

/// TMA takes no matrix whose lines all lie at one place, nor lines 2^40 bytes apart or more.
inline bool is_tma_pitch(std::int64_t elements, std::int64_t bytes) {
  constexpr std::int64_t beyond = std::int64_t(1) << 40;
  return elements > 0 && elements < beyond / bytes && elements * bytes % tma_alignment == 0;
}

/// The matrix of lines x depth elements of so many bytes, for TMA. Nothing if TMA cannot take it: no direction is
/// contiguous, or the address or the pitch is no multiple of 16 bytes, or the pitch is 0 or 2^40 bytes or more.
inline std::optional<TmaMatrix> tma_matrix(const void* data, std::int64_t lines, std::int64_t depth,
                                           std::int64_t line_stride, std::int64_t depth_stride, std::int64_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(data) % tma_alignment != 0) return std::nullopt;
  // The pitch of a single line is never used, but TMA asks for one.
  const auto pitch = [&](std::int64_t stride, std::int64_t count, std::int64_t run) {
    const std::int64_t aligned = tma_alignment / bytes;
    return count > 1 ? stride : (run + aligned - 1) / aligned * aligned;
  };
  if (depth_stride == 1 || depth == 1) {
    const TmaMatrix matrix{data, Major::depth, depth, lines, pitch(line_stride, lines, depth)};
    if (is_tma_pitch(matrix.pitch, bytes)) return matrix;
  }
  if (line_stride == 1 || lines == 1) {
    const TmaMatrix matrix{data, Major::lines, lines, depth, pitch(depth_stride, depth, lines)};
    if (is_tma_pitch(matrix.pitch, bytes)) return matrix;
  }
  return std::nullopt;
}

template <class Bits>
std::optional<TmaMatrix> tma_matrix(const MatrixRef<const Bits>& operand) {
  return tma_matrix(operand.data, operand.rows, operand.columns, operand.row_stride, operand.column_stride,
                    sizeof(Bits));
}

}  // namespace Tegula::Impl

#endif
