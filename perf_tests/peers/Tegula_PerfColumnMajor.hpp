// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_COLUMN_MAJOR_HPP
#define TEGULA_PERF_COLUMN_MAJOR_HPP

#include <limits>
#include <stdexcept>

#include "Tegula_PerfMatrix.hpp"

namespace Tegula::Perf {

/// A factor for a BLAS whose matrices are all column-major.
struct ColumnMajorFactor {
  const void* values;
  int leading;
  bool transposed;
};

/// result = alpha first second + beta result, in column-major matrices; result is rows x columns, summed over inner.
struct ColumnMajorProduct {
  const char *element, *result_element;  ///< "bf16", "f32": as ScalarTraits name those of factors and of the result
  int rows, columns, inner;
  ColumnMajorFactor first, second;
  void* result;
  int leading;
  bool transposed;  ///< the result is C^T: first stands for B and second for A
  Scaling scaling;
};

namespace Impl {

inline int blas_extent(std::int64_t extent) {
  if (extent > std::numeric_limits<int>::max())
    throw std::runtime_error("an extent of " + std::to_string(extent) + " is more than the int of a BLAS holds");
  return static_cast<int>(extent);
}

template <class T>
int leading_dimension(const Matrix<T>& matrix) {
  return blas_extent(matrix.layout() == Layout::right ? matrix.columns() : matrix.rows());
}

}  // namespace Impl

/// C = alpha op_a(A) op_b(B) + beta C. A row-major C is the column-major C^T = op_b(B)^T op_a(A)^T. A factor is
/// transposed if it lies in the other order than C, or if op says so, but not if both hold.
template <class T, class R>
ColumnMajorProduct column_major_product(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<R>& C,
                                        Scaling scaling = {}) {
  const auto factor = [&](Op op, const Matrix<T>& matrix) {
    return ColumnMajorFactor{matrix.storage().data(), Impl::leading_dimension(matrix),
                             (op == Op::transpose) == (matrix.layout() == C.layout())};
  };
  const char* const element = ScalarTraits<T>::name;
  const char* const result  = ScalarTraits<R>::name;
  const int m               = Impl::blas_extent(C.rows());
  const int n               = Impl::blas_extent(C.columns());
  const int k               = Impl::blas_extent(op_a == Op::none ? A.columns() : A.rows());
  const int lines           = Impl::leading_dimension(C);
  void* const c             = C.storage().data();
  if (C.layout() == Layout::left)
    return {element, result, m, n, k, factor(op_a, A), factor(op_b, B), c, lines, false, scaling};
  return {element, result, n, m, k, factor(op_b, B), factor(op_a, A), c, lines, true, scaling};
}

}  // namespace Tegula::Perf

#endif
