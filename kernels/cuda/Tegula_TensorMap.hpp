// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TENSOR_MAP_HPP
#define TEGULA_TENSOR_MAP_HPP

#include <cstdint>
#include <optional>

#include "Tegula_MatrixRef.hpp"
#include "Tegula_Plan.hpp"
#include "ptx/Tegula_Major.hpp"

struct CUtensorMap_st;

/// Matrices as the copy engine of a GPU (compute capability 9.0 and newer) sees them. Host code; needs no CUDA header.

namespace Tegula::Impl {

/// A matrix of 16-bit elements, one of whose directions is contiguous.
struct EngineMatrix {
  const void* data;
  Major major;
  std::int64_t fast, slow, pitch;  // extents along the contiguous direction and across it; elements between neighbours
};

/// What the copy engine makes of lines x depth elements of 16 bits; nothing if it cannot take them: no direction is
/// contiguous, or the address or the pitch is no multiple of 16 bytes, or the pitch is 0.
std::optional<EngineMatrix> engine_matrix(const void* data, std::int64_t lines, std::int64_t depth,
                                          std::int64_t line_stride, std::int64_t depth_stride);

inline std::optional<EngineMatrix> engine_matrix(const MatrixRef<const std::uint16_t>& operand) {
  return engine_matrix(operand.data, operand.rows, operand.columns, operand.row_stride, operand.column_stride);
}

/// The tensor map of boxes of `box_fast` x `box_slow` elements, stored in shared memory in rows of 128 bytes with the
/// 128-byte swizzle. Throws std::runtime_error with the plan's label and the matrix if the driver refuses it.
void encode_tensor_map(CUtensorMap_st& map, const EngineMatrix& matrix, int box_fast, int box_slow, const Plan& plan);

}  // namespace Tegula::Impl

#endif
