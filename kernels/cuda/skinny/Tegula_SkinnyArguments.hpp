// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_ARGUMENTS_HPP
#define TEGULA_SKINNY_ARGUMENTS_HPP

#include <cstdlib>

#include "../Tegula_LaneStride.hpp"
#include "../Tegula_LongRows.hpp"
#include "../Tegula_TmaMatrix.hpp"
#include "../Tegula_VectorResult.hpp"

/// Arguments of the kernels of the skinny family.

namespace Tegula::Impl {

/// How the long operand is copied: neighbouring lanes along the depth, or along the lines, which is the contiguous
/// direction if there is one; 16 bytes at a time, or single elements, whatever the strides.
enum class StreamBy : std::uint8_t { depth, lines, depth_by_elements, lines_by_elements };

constexpr bool is_along_lines(StreamBy by) { return by == StreamBy::lines || by == StreamBy::lines_by_elements; }
constexpr bool is_by_elements(StreamBy by) { return by >= StreamBy::depth_by_elements; }

/// An operand as lines x depth.
template <class T>
struct SkinnyOperand {
  const T* data            = nullptr;
  std::int64_t line_stride = 0, depth_stride = 0;  // elements
  std::int32_t lines = 0;
};

/// result = streamed held^T.
template <class T>
struct SkinnyArguments {
  SkinnyOperand<T> streamed, held;
  std::int32_t depth, steps;  // steps of a tile along the inner dimension
  std::int32_t tiles;
  VectorResult<T> result;
  VectorMatrix<T> bias;  // of a result whose rows are lines of the long operand
  LaneStride across;     // the lines of the short operand, for results that leave one by one
  bool has_common_bias;  // the bias is the same for all lines of the long operand
  bool is_plain;         // alpha sum + such a bias, with or without relu, to a result of whole vectors
};

template <class T>
StreamBy stream_by(const MatrixRef<const T>& operand) {
  if (const auto matrix = tma_matrix(operand)) return matrix->major == Major::depth ? StreamBy::depth : StreamBy::lines;
  const bool has_near_lines = std::abs(operand.row_stride) < std::abs(operand.column_stride);
  return has_near_lines ? StreamBy::lines_by_elements : StreamBy::depth_by_elements;
}

template <class T>
SkinnyOperand<T> skinny_operand(const MatrixRef<const T>& matrix) {
  return {matrix.data, matrix.row_stride, matrix.column_stride, static_cast<std::int32_t>(matrix.rows)};
}

/// Whether a result lies in memory as whole vectors.
template <class T>
bool stores_vectors(const VectorResult<T>& result) {
  return result.C.by_vectors && result.n % (16 / std::int32_t(sizeof(T))) == 0;
}

/// The arguments for a call with long rows.
template <class T>
SkinnyArguments<T> skinny_arguments(const ProductCall<T>& call, const GemmShape& shape, const TileShape& tile) {
  const VectorResult<T> result = vector_result<T>(call, shape, nullptr);
  const VectorMatrix<T> bias   = vector_matrix<T>(call.bias);
  const bool has_bias = bias.data != nullptr, has_common_bias = has_bias && bias.row_stride == 0;
  const bool is_plain = result.is_plain() && has_bias == has_common_bias && stores_vectors(result);
  return {skinny_operand(call.left),
          skinny_operand(call.right),
          static_cast<std::int32_t>(shape.k),
          static_cast<std::int32_t>(ceil_div(shape.k, tile.k)),
          static_cast<std::int32_t>(ceil_div(shape.m, tile.m)),
          result,
          bias,
          LaneStride(static_cast<std::uint32_t>(shape.n)),
          has_common_bias,
          is_plain};
}

}  // namespace Tegula::Impl

#endif
