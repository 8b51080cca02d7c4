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

/// Elements of a lane anywhere in a matrix.
template <int Count>
struct ElementPlaces {
  static constexpr int count = Count;
  std::int32_t i[Count], j[Count];
  bool is_inside[Count];

  template <class T>
  __device__ T* of(const VectorMatrix<T>& matrix, int e) const {
    return matrix.at(i[e], j[e]);
  }
};

/// Results of a lane, several of which share the choice of activation: C = act(values + beta C + bias), and Z. The
/// values are alpha times the sums.
template <class T, class Places, class Activation = ActivationChoice>
class ElementResults {
 public:
  using Values = T[Places::count];

  /// C is the result's, or a slice of sums in its place.
  __device__ ElementResults(const VectorResult<T, Activation>& result, T* C) : p_(result), C_(result.C) { C_.data = C; }

  __device__ void store(const Places& places, Values& values) const {
    if (p_.beta != 0) add(C_, p_.beta, places, values);
    if (p_.bias.data != nullptr) add(p_.bias, T(1), places, values);
    if (p_.Z.data != nullptr) write(p_.Z, places, values);
    with_activation<T>(p_.activation, [&](const auto& activation) {
#pragma unroll
      for (int e = 0; e < Places::count; ++e) values[e] = activation(values[e]);
    });
    if (!p_.slope_below.is_one) multiply_by_slope(places, values);
    write(C_, places, values);
  }

 private:
  // Of the layer below.
  __device__ void multiply_by_slope(const Places& places, Values& values) const {
    Values saved = {};
    add(p_.saved_below, T(1), places, saved);
#pragma unroll
    for (int e = 0; e < Places::count; ++e) values[e] *= p_.slope_below(saved[e]);
  }

  __device__ static void add(const VectorMatrix<T>& matrix, T factor, const Places& places, Values& values) {
#pragma unroll
    for (int e = 0; e < Places::count; ++e)
      if (places.is_inside[e]) values[e] += factor * *places.of(matrix, e);
  }

  __device__ static void write(const VectorMatrix<T>& matrix, const Places& places, const Values& values) {
#pragma unroll
    for (int e = 0; e < Places::count; ++e)
      if (places.is_inside[e]) *places.of(matrix, e) = values[e];
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
  using Places                 = ElementPlaces<at_once>;

 public:
  /// The rectangle begins in row i and column j of the result.
  __device__ ElementEpilogue(const VectorResult<T>& result, std::int32_t i, std::int32_t j)
      : p_(result), i_(i), j_(j) {}

  /// So many rows, which are as wide as `stride` says.
  __device__ void store(const T* sums, std::int32_t rows, const LaneStride& stride, int lane) const {
    std::int32_t row = stride.first_row(lane), column = lane - row * stride.width();
#pragma unroll 1
    while (row < rows) {
      Places places;
      T values[at_once];
#pragma unroll
      for (int e = 0; e < at_once; ++e) {
        places.is_inside[e] = row < rows && i_ + row < p_.m && j_ + column < p_.n;
        places.i[e]         = i_ + row;
        places.j[e]         = j_ + column;
        values[e]           = places.is_inside[e] ? sums[Rows::offset(row, column)] : T(0);
        row += stride.rows();
        column += stride.columns();
        if (column < stride.width()) continue;
        column -= stride.width();
        ++row;
      }
      ElementResults<T, Places>(p_, p_.C.data).store(places, values);
    }
  }

 private:
  const VectorResult<T>& p_;
  std::int32_t i_, j_;
};

}  // namespace Tegula::Impl

#endif
