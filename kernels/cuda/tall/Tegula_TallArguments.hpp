// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_ARGUMENTS_HPP
#define TEGULA_TALL_ARGUMENTS_HPP

#include <optional>

#include "../Tegula_CudaCall.hpp"
#include "../Tegula_TmaMatrix.hpp"

/// What the kernel of the tall family is told.

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

template <class T, class Activation>
TallCall<T> tall_call(const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& p) {
  return {p.dC,
          Activation::saved == Saved::nothing ? MatrixRef<const T>{} : p.saved,
          p.dB.data == nullptr ? MatrixRef<const T>{} : p.A,
          p.B,
          p.dA,
          activation_choice(p.activation),
          p.alpha_of(p.dA_shape()),
          p.update_dA == Update::accumulate};
}

/// Whether a matrix, if there is one, is contiguous in this direction, in runs of 16 bytes.
template <class T>
bool lies_along(const MatrixRef<T>& matrix, Major major) {
  if (matrix.data == nullptr) return true;
  const auto runs =
      tma_matrix(matrix.data, matrix.rows, matrix.columns, matrix.row_stride, matrix.column_stride, sizeof(T));
  return runs && runs->major == major;
}

/// The direction in which dC, saved and A lie so; nothing if they do not all.
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
  std::int64_t line_stride = 0;  // elements between rows, or between columns, whichever are contiguous
  std::int32_t columns     = 0;
};

template <class T>
TallMatrix<T> tall_matrix(const MatrixRef<const T>& matrix, Major major) {
  return {matrix.data, major == Major::depth ? matrix.row_stride : matrix.column_stride,
          static_cast<std::int32_t>(matrix.columns)};
}

/// Where sums of the teams go: a slice each, dB^T, n x k or nothing, and then dbias, n or nothing.
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
  std::int32_t m, team_rows;  // rows in all, and of a team
  TallSums<T> partial;
};

}  // namespace Tegula::Impl

#endif
