// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_VECTOR_RESULT_HPP
#define TEGULA_VECTOR_RESULT_HPP

#include <utility>

#include "Tegula_CudaCall.hpp"

/// The epilogue of sums in float or double, as data.

namespace Tegula::Impl {

/// A matrix that is read and written 16 bytes of a row at a time if it is aligned.
template <class T>
struct VectorMatrix {
  T* data                 = nullptr;
  std::int64_t row_stride = 0, column_stride = 0;
  bool by_vectors = false;

  TEGULA_HOST_DEVICE T* at(std::int64_t i, std::int64_t j) const { return data + i * row_stride + j * column_stride; }

  /// Whether rows are contiguous, but begin anywhere.
  TEGULA_HOST_DEVICE bool is_unaligned() const { return data != nullptr && column_stride == 1 && !by_vectors; }
};

template <class T>
VectorMatrix<T> vector_matrix(const AnyMatrix& matrix) {
  constexpr std::int64_t run = 16 / sizeof(T);
  const bool aligned         = reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0;
  return {static_cast<T*>(matrix.data), matrix.row_stride, matrix.column_stride,
          matrix.column_stride == 1 && matrix.row_stride % run == 0 && aligned};
}

/// C = act(alpha sum + beta C + bias), Z the argument of act, all m x n; or C = (alpha sum + beta C) act'(saved) of the
/// layer below. With split-k, C is the first slice of partial
/// sums, the next slice is `slice` elements behind it, and nothing else is done. If C is column-major, this describes
/// its transpose, which is row-major.
template <class T, class Activation = ActivationChoice>
struct VectorResult {
  std::int32_t m, n;
  VectorMatrix<T> C, Z, bias;
  Activation activation;
  T alpha, beta;
  std::int64_t slice;
  bool is_transposed;
  VectorMatrix<T> saved_below{};  // of the layer below: what is stored is multiplied by act'(saved)
  OutputSlope<T> slope_below = {};

  /// Whether the epilogue is alpha sum + beta C + bias, with or without relu.
  TEGULA_HOST_DEVICE bool is_simple() const {
    return Z.data == nullptr && slope_below.is_one &&
           (is_activation<Identity>(activation) || is_activation<Relu>(activation));
  }

  /// The same with beta = 0.
  TEGULA_HOST_DEVICE bool is_plain() const { return is_simple() && beta == 0; }
};

/// The epilogue of a call, with this activation.
template <class T, class Activation>
VectorResult<T, Activation> vector_result_with(const ProductCall<T>& call, const GemmShape& shape,
                                               const Activation& activation) {
  const auto m = static_cast<std::int32_t>(shape.m), n = static_cast<std::int32_t>(shape.n);
  const bool transposes = call.C.is_column_major();
  const auto matrix     = [&](AnyMatrix matrix) {
    if (transposes) std::swap(matrix.row_stride, matrix.column_stride);
    return vector_matrix<T>(matrix);
  };
  return {transposes ? n : m,
          transposes ? m : n,
          matrix(call.C),
          matrix(call.Z),
          matrix(call.bias),
          activation,
          call.alpha,
          call.beta,
          0,
          transposes,
          matrix(call.below.saved),
          call.below.slope};
}

/// The same with the call's choice, or slices of sums if partial_sums is not null.
template <class T>
VectorResult<T> vector_result(const ProductCall<T>& call, const GemmShape& shape, T* partial_sums) {
  if (partial_sums == nullptr) return vector_result_with(call, shape, call.activation);
  const auto m = static_cast<std::int32_t>(shape.m), n = static_cast<std::int32_t>(shape.n);
  const AnyMatrix slice{partial_sums, element_of<T>, n, 1};
  return {m, n, vector_matrix<T>(slice), {}, {}, ActivationChoice{}, 1, 0, shape.m * shape.n, false};
}

}  // namespace Tegula::Impl

#endif
