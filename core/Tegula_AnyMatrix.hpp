// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ANY_MATRIX_HPP
#define TEGULA_ANY_MATRIX_HPP

#include <cstdint>
#include <type_traits>

#include "Tegula_MatrixRef.hpp"

/// Matrices whose element type is data, for everything that is planned, or chosen while a kernel runs. Nothing here
/// needs Kokkos.

namespace Tegula::Impl {

/// Element types; `other` is a user's.
enum class Element : std::uint8_t { f16, bf16, f32, f64, other };

TEGULA_HOST_DEVICE constexpr int element_bytes(Element element) {
  return element == Element::f64 ? 8 : element == Element::f32 ? 4 : 2;
}

/// The element type that T is; Tegula_Scalar.hpp has those of 16 bits, Tegula_CudaCall.hpp those of kernels.
template <class T>
inline constexpr Element element_of = Element::other;
template <>
inline constexpr Element element_of<float> = Element::f32;
template <>
inline constexpr Element element_of<double> = Element::f64;

/// A matrix whose element type is data, or a vector that stands for all of its rows or columns. Null: there is none.
struct AnyMatrix {
  void* data              = nullptr;
  Element element         = Element::f32;
  std::int64_t row_stride = 0, column_stride = 0;

  /// Whether columns are contiguous, and rows are not.
  bool is_column_major() const { return column_stride != 1 && row_stride == 1; }

  AnyMatrix transposed() const { return {data, element, column_stride, row_stride}; }

  /// Its rows and columns from these on.
  AnyMatrix from(std::int64_t row, std::int64_t column) const {
    const std::int64_t elements = row * row_stride + column * column_stride;
    return {static_cast<char*>(data) + elements * element_bytes(element), element, row_stride, column_stride};
  }
};

template <class T>
AnyMatrix any_matrix(const MatrixRef<T>& matrix) {
  using Stored = std::remove_const_t<T>;
  return {const_cast<Stored*>(matrix.data), element_of<Stored>, matrix.row_stride, matrix.column_stride};
}

}  // namespace Tegula::Impl

#endif
