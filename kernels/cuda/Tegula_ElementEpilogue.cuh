// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ELEMENT_EPILOGUE_CUH
#define TEGULA_ELEMENT_EPILOGUE_CUH

#include "Tegula_CudaPairs.cuh"
#include "Tegula_LaneStride.hpp"
#include "Tegula_VectorResult.hpp"

namespace Tegula::Impl {

/// Where sums wait in scratch: rows of `pitch` elements, with `pad` more behind every `group` rows.
template <int pitch, int group, int pad>
struct PaddedRows {
  __device__ static constexpr int offset(int row, int column) { return row * pitch + row / group * pad + column; }
};

/// Results of a lane anywhere in a matrix, several of which share the choice of activation: C = act(values + beta C +
/// bias), and Z. The values are alpha times the sums.
template <class T, int Count, class Activation = ActivationChoice>
class ElementResults {
 public:
  using Places                          = std::int32_t[Count];
  static constexpr std::int32_t outside = -1;  // the row of what is not to be stored

  /// C is the result's, or a slice of sums in its place.
  __device__ ElementResults(const VectorResult<T, Activation>& result, T* C) : p_(result), C_(result.C) { C_.data = C; }

  __device__ void store(const Places& i, const Places& j, T (&values)[Count]) const {
    if (p_.beta != 0) add(C_, p_.beta, i, j, values);
    if (p_.bias.data != nullptr) add(p_.bias, T(1), i, j, values);
    if (p_.Z.data != nullptr) write(p_.Z, i, j, values);
    with_activation<T>(p_.activation, [&](const auto& activation) {
#pragma unroll
      for (int e = 0; e < Count; ++e) values[e] = activation(values[e]);
    });
    write(C_, i, j, values);
  }

 private:
  __device__ static void add(const VectorMatrix<T>& matrix, T factor, const Places& i, const Places& j,
                             T (&values)[Count]) {
#pragma unroll
    for (int e = 0; e < Count; ++e)
      if (i[e] != outside) values[e] += factor * *matrix.at(i[e], j[e]);
  }

  __device__ static void write(const VectorMatrix<T>& matrix, const Places& i, const Places& j,
                               const T (&values)[Count]) {
#pragma unroll
    for (int e = 0; e < Count; ++e)
      if (i[e] != outside) *matrix.at(i[e], j[e]) = values[e];
  }

  const VectorResult<T, Activation>& p_;
  VectorMatrix<T> C_;
};

/// A warp stores a rectangle of sums of float or double, alpha times them, out of scratch. Neighbouring lanes have
/// neighbouring elements of a row, and go on in the next row behind its end: so results leave in runs, however wide and
/// however aligned their rows are.
template <class T, class Rows>
class ElementEpilogue {
  static constexpr int at_once = 4;  // elements of a lane that are read together
  using Results                = ElementResults<T, at_once>;

 public:
  /// The rectangle begins in row i and column j of the result.
  __device__ ElementEpilogue(const VectorResult<T>& result, std::int32_t i, std::int32_t j)
      : p_(result), i_(i), j_(j) {}

  /// So many rows, which are as wide as `stride` says.
  __device__ void store(const T* sums, std::int32_t rows, const LaneStride& stride, int lane) const {
    std::int32_t row = stride.first_row(lane), column = lane - row * stride.width();
#pragma unroll 1
    while (row < rows) {
      std::int32_t i[at_once], j[at_once];
      T values[at_once];
#pragma unroll
      for (int e = 0; e < at_once; ++e) {
        const bool is_inside = row < rows && i_ + row < p_.m && j_ + column < p_.n;
        i[e]                 = is_inside ? i_ + row : Results::outside;
        j[e]                 = j_ + column;
        values[e]            = is_inside ? sums[Rows::offset(row, column)] : T(0);
        row += stride.rows();
        column += stride.columns();
        if (column < stride.width()) continue;
        column -= stride.width();
        ++row;
      }
      Results(p_, p_.C.data).store(i, j, values);
    }
  }

 private:
  const VectorResult<T>& p_;
  std::int32_t i_, j_;
};

}  // namespace Tegula::Impl

#endif
