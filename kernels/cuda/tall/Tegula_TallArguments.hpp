// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_ARGUMENTS_HPP
#define TEGULA_TALL_ARGUMENTS_HPP

#include <optional>

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_TmaMatrix.hpp"

/// Arguments of the kernels of the tall family.

namespace Tegula::Impl {

/// A call of gemm_backward. Matrices that are not wanted, or not needed, have no data.
template <class T>
struct TallCall {
  MatrixRef<const T> dC, saved, A, B;
  MatrixRef<T> dA;
  ActivationChoice activation;
  T alpha;
  bool adds_dA;
};

/// Whether a matrix, if there is one, is contiguous in this direction with aligned runs of 16 bytes
/// (Tegula_TmaMatrix.hpp).
template <class T>
bool lies_along(const MatrixRef<T>& matrix, Major major) {
  if (matrix.data == nullptr) return true;
  const auto runs =
      tma_matrix(matrix.data, matrix.rows, matrix.columns, matrix.row_stride, matrix.column_stride, sizeof(T));
  return runs && runs->major == major;
}

/// The contiguous direction of dC, saved and A; nothing if they do not share one.
template <class T>
std::optional<Major> tall_major(const TallCall<T>& call) {
  const auto dC = tma_matrix(call.dC);
  if (!dC || !lies_along(call.saved, dC->major) || !lies_along(call.A, dC->major)) return std::nullopt;
  return dC->major;
}

/// A long operand in memory.
template <class T>
struct TallMatrix {
  const T* data            = nullptr;
  std::int64_t line_stride = 0;  // elements between neighbouring rows, or columns if they are contiguous
  std::int32_t columns     = 0;
};

template <class T>
TallMatrix<T> tall_matrix(const MatrixRef<const T>& matrix, Major major) {
  return {matrix.data, major == Major::depth ? matrix.row_stride : matrix.column_stride,
          static_cast<std::int32_t>(matrix.columns)};
}

/// Where teams write their sums: a slice each, dB^T (n x k) if wanted, then dbias (n) if wanted.
template <class T>
struct TallSums {
  T* slices      = nullptr;  // null: no sums are wanted
  std::int32_t n = 0, k = 0;
  bool has_dbias = false;

  TEGULA_HOST_DEVICE std::int32_t slice_size() const { return n * k + (has_dbias ? n : 0); }
};

template <class T>
struct TallArguments {
  TallMatrix<T> dC, saved, A;
  MatrixRef<const T> B;
  MatrixRef<T> dA;
  ActivationChoice activation;
  T alpha;
  bool adds_dA, stores_runs;
  std::int32_t m, team_rows;  // all rows, and those of a team
  TallSums<T> partial;
};

}  // namespace Tegula::Impl

#endif
