// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_ARGUMENTS_HPP
#define TEGULA_GEMV_ARGUMENTS_HPP

#include <cstdlib>

#include "../Tegula_CudaTiles.hpp"
#include "../Tegula_TmaMatrix.hpp"
#include "../Tegula_VectorResult.hpp"

/// Arguments of the kernels of the gemv family.

namespace Tegula::Impl {

/// Whether the long operand of a product, which is streamed, is the left one: its lines are rows of the result.
inline bool streams_left(const GemmShape& shape) { return shape.m >= shape.n; }

/// How the long operand lies.
struct GemvForm {
  Major along;      // its contiguous direction, or else the closer one
  bool is_aligned;  // in runs of 16 bytes (Tegula_TmaMatrix.hpp)
};

template <class T>
GemvForm gemv_form(const ProductCall<T>& call, const GemmShape& shape) {
  const MatrixRef<const T>& streamed = streams_left(shape) ? call.left : call.right;
  if (const auto matrix = tma_matrix(streamed)) return {matrix->major, true};
  const bool has_close_lines = std::abs(streamed.row_stride) < std::abs(streamed.column_stride);
  return {has_close_lines ? Major::lines : Major::depth, false};
}

/// result = streamed held^T, or its transpose. The held operand has few lines.
template <class T>
struct GemvArguments {
  MatrixRef<const T> streamed, held;  // lines x depth
  CudaTiles tiles;
  VectorResult<T> result;
  bool lines_are_rows;  // whether lines of the long operand are rows of the product
};

/// With split-k the sums go to partial_sums, in slices.
template <class T>
GemvArguments<T> gemv_arguments(const ProductCall<T>& call, const ProductPlan& product, T* partial_sums) {
  const bool left = streams_left(product.shape);
  return {left ? call.left : call.right, left ? call.right : call.left, tiles_of(product),
          vector_result(call, product.shape, product.split_k > 1 ? partial_sums : nullptr), left};
}

}  // namespace Tegula::Impl

#endif
