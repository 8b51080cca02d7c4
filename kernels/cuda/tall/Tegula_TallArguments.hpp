// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_ARGUMENTS_HPP
#define TEGULA_TALL_ARGUMENTS_HPP

#include <optional>

#include "../Tegula_LaneStride.hpp"
#include "../Tegula_TmaMatrix.hpp"
#include "../Tegula_VectorResult.hpp"

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

template <class T>
TallCall<T> tall_call(const Call& call) {
  return {call.dC.as<const T>(),
          call.has_constant_slope ? MatrixRef<const T>{} : call.saved.as<const T>(),
          call.dB.data == nullptr ? MatrixRef<const T>{} : call.A.as<const T>(),
          call.B.as<const T>(),
          call.dA.as<T>(),
          call.activation,
          static_cast<T>(call.alpha_of(call.dA_shape())),
          call.update_dA == Update::accumulate};
}

/// Whether a matrix, if there is one, is contiguous in this direction with aligned runs of 16 bytes
/// (Tegula_TmaMatrix.hpp).
template <class T>
bool lies_along(const MatrixRef<T>& matrix, Major major) {
  if (matrix.data == nullptr) return true;
  const auto runs =
      tma_matrix(matrix.data, matrix.rows, matrix.columns, matrix.row_stride, matrix.column_stride, sizeof(T));
  return runs && runs->major == major;
}

/// The contiguous direction of dC, saved and A; nothing if they do not share one, and are brought element by element.
template <class T>
std::optional<Major> tall_major(const TallCall<T>& call) {
  const auto dC = tma_matrix(call.dC);
  if (!dC || !lies_along(call.saved, dC->major) || !lies_along(call.A, dC->major)) return std::nullopt;
  return dC->major;
}

/// A long operand in memory.
template <class T>
struct TallMatrix {
  const T* data           = nullptr;
  std::int64_t row_stride = 0, column_stride = 0;  // elements
  std::int32_t columns = 0;
};

template <class T>
TallMatrix<T> tall_matrix(const MatrixRef<const T>& matrix) {
  return {matrix.data, matrix.row_stride, matrix.column_stride, static_cast<std::int32_t>(matrix.columns)};
}

/// dA, which is overwritten or added to, as elements are stored.
template <class T>
VectorResult<T> elements_of(const MatrixRef<T>& dA, bool adds) {
  const AnyMatrix any{dA.data, element_of<T>, dA.row_stride, dA.column_stride};
  const AnyMatrix across{dA.data, element_of<T>, dA.column_stride, dA.row_stride};
  const bool transposes = any.is_column_major();
  const auto m = static_cast<std::int32_t>(dA.rows), n = static_cast<std::int32_t>(dA.columns);
  return {transposes ? n : m,
          transposes ? m : n,
          vector_matrix<T>(transposes ? across : any),
          {},
          {},
          ActivationChoice{},
          T(1),
          T(adds ? 1 : 0),
          0,
          transposes};
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
  VectorResult<T> dA_elements;  // dA where it is not stored in runs
  LaneStride dA_row;
};

}  // namespace Tegula::Impl

#endif
