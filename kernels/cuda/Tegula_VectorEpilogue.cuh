// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_VECTOR_EPILOGUE_CUH
#define TEGULA_VECTOR_EPILOGUE_CUH

#include "Tegula_CudaPairs.cuh"
#include "Tegula_VectorResult.hpp"

/// Stores sums of float or double, 16 bytes of a row at a time.

namespace Tegula::Impl {

/// 16 bytes.
template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(T);
  T of[size];
};

template <class T, class Activation = ActivationChoice>
class VectorEpilogue {
  static constexpr int size = Vector<T>::size;

 public:
  __device__ explicit VectorEpilogue(const VectorResult<T, Activation>& result, int split) : p_(result) {
    p_.C.data += split * p_.slice;
  }

  /// Stores C = act(values + beta C + bias), and Z, in row i from column j on. The values are alpha times the sums.
  __device__ void store(std::int32_t i, std::int32_t j, Vector<T> values) const {
    if (i >= p_.m || j >= p_.n) return;
    const int count = p_.n - j < size ? p_.n - j : size;
    if (p_.beta != 0) add(p_.C, p_.beta, i, j, count, values);
    if (p_.bias.data != nullptr) add(p_.bias, T(1), i, j, count, values);
    if (p_.Z.data != nullptr) write(p_.Z, i, j, count, values);
    with_activation<T>(p_.activation, [&](const auto& activation) {
#pragma unroll
      for (int e = 0; e < size; ++e) values.of[e] = activation(values.of[e]);
    });
    if (!p_.slope_below.is_one) multiply_by_slope(i, j, count, values);
    write(p_.C, i, j, count, values);
  }

  /// The same for the usual epilogue: values + bias, with or without relu. `bias` is that of these values.
  template <bool relu>
  __device__ void store_plain(std::int32_t i, std::int32_t j, Vector<T> values, const Vector<T>& bias) const {
    if (i >= p_.m || j >= p_.n) return;
#pragma unroll
    for (int e = 0; e < size; ++e) {
      const T z    = values.of[e] + bias.of[e];
      values.of[e] = relu ? Relu()(z) : z;
    }
    write(p_.C, i, j, p_.n - j < size ? p_.n - j : size, values);
  }

  /// 16 bytes of the bias, or zeros where there is none.
  __device__ Vector<T> bias(std::int32_t i, std::int32_t j) const {
    Vector<T> values = {};
    if (p_.bias.data != nullptr && i < p_.m && j < p_.n)
      add(p_.bias, T(1), i, j, p_.n - j < size ? p_.n - j : size, values);
    return values;
  }

 private:
  // Of the layer below.
  __device__ void multiply_by_slope(std::int32_t i, std::int32_t j, int count, Vector<T>& values) const {
    Vector<T> saved = {};
    add(p_.saved_below, T(1), i, j, count, saved);
#pragma unroll
    for (int e = 0; e < size; ++e) values.of[e] *= p_.slope_below(saved.of[e]);
  }

  __device__ static void add(const VectorMatrix<T>& matrix, T factor, std::int32_t i, std::int32_t j, int count,
                             Vector<T>& values) {
    const T* const from = matrix.at(i, j);
    if (matrix.by_vectors && count == size) {
      const Vector<T> run = *reinterpret_cast<const Vector<T>*>(from);
#pragma unroll
      for (int e = 0; e < size; ++e) values.of[e] += factor * run.of[e];
    } else {
#pragma unroll
      for (int e = 0; e < size; ++e)
        if (e < count) values.of[e] += factor * from[e * matrix.column_stride];
    }
  }

  __device__ static void write(const VectorMatrix<T>& matrix, std::int32_t i, std::int32_t j, int count,
                               const Vector<T>& values) {
    T* const to = matrix.at(i, j);
    if (matrix.by_vectors && count == size) {
      *reinterpret_cast<Vector<T>*>(to) = values;
    } else {
#pragma unroll
      for (int e = 0; e < size; ++e)
        if (e < count) to[e * matrix.column_stride] = values.of[e];
    }
  }

  VectorResult<T, Activation> p_;
};

}  // namespace Tegula::Impl

#endif
