// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_ARGUMENTS_HPP
#define TEGULA_SKINNY_ARGUMENTS_HPP

#include <utility>

#include "../Tegula_TmaMatrix.hpp"
#include "../Tegula_VectorResult.hpp"

/// What a kernel of the skinny family is told.

namespace Tegula::Impl {

/// How the long operand is copied: 16 bytes at a time along its inner dimension or along its lines, whichever is
/// contiguous; or element by element, neighbouring lanes along the inner dimension, whatever the strides.
enum class StreamBy : std::uint8_t { depth, lines, elements };

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
  VectorMatrix<T> bias;  // as lines of the long operand see it: the result's may be transposed
  bool has_common_bias;  // and it is the same for all of them
  bool is_plain;         // all that is done is alpha sum + such a bias, relu or not, and the result is whole vectors
};

template <class T>
StreamBy stream_by(const MatrixRef<const T>& operand) {
  const auto matrix = tma_matrix(operand);
  if (!matrix) return StreamBy::elements;
  return matrix->major == Major::depth ? StreamBy::depth : StreamBy::lines;
}

template <class T>
SkinnyOperand<T> skinny_operand(const MatrixRef<const T>& matrix) {
  return {matrix.data, matrix.row_stride, matrix.column_stride, static_cast<std::int32_t>(matrix.rows)};
}

/// The call whose long side is that of its rows, C^T = right left^T, and the shape of that.
template <class T>
std::pair<ProductCall<T>, GemmShape> with_long_rows(const ProductCall<T>& call, const GemmShape& shape) {
  if (shape.m >= shape.n) return {call, shape};
  return {transposed(call), shape.transposed()};
}

/// Whether a result lies in memory as whole vectors.
template <class T>
bool stores_vectors(const VectorResult<T>& result) {
  return result.C.by_vectors && result.n % (16 / std::int32_t(sizeof(T))) == 0;
}

/// Of a call with long rows.
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
          has_common_bias,
          is_plain};
}

}  // namespace Tegula::Impl

#endif
