// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_MATRIX_CUH
#define TEGULA_RUN_MATRIX_CUH

#include <cstdint>

#include "Tegula_CudaElement.cuh"

/// Matrices of any element type as elementwise kernels take them: a run of a row a thread, 32 bytes of what is summed.

namespace Tegula::Impl {

/// A matrix of which threads read and write runs of a line.
struct RunMatrix {
  AnyMatrix matrix;
  bool whole = false;  // a whole run lies in memory as vectors of 16 bytes, at multiples of 16

  /// The first `count` elements of a run; what lies behind is 0.
  template <class Sum, int run>
  __device__ void read(std::int64_t i, std::int64_t j, int count, Sum (&values)[run]) const {
    if (whole && count == run) {
      read_words(begin(i, j), values);
    } else {
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] = e < count ? load<Sum>(matrix, i, j + e) : Sum(0);
    }
  }

  template <class Sum, int run>
  __device__ void write(std::int64_t i, std::int64_t j, int count, const Sum (&values)[run]) const {
    if (whole && count == run) {
      write_words(begin(i, j), values);
    } else {
#pragma unroll
      for (int e = 0; e < run; ++e)
        if (e < count) store(matrix, i, j + e, values[e]);
    }
  }

 private:
  __device__ void* begin(std::int64_t i, std::int64_t j) const {
    return static_cast<char*>(matrix.data) +
           (i * matrix.row_stride + j * matrix.column_stride) * element_bytes(matrix.element);
  }

  __device__ void read_words(const void* from, float (&v)[8]) const {
    if (matrix.element == Element::f32) {
      const float4 low = static_cast<const float4*>(from)[0], high = static_cast<const float4*>(from)[1];
      v[0] = low.x, v[1] = low.y, v[2] = low.z, v[3] = low.w;
      v[4] = high.x, v[5] = high.y, v[6] = high.z, v[7] = high.w;
    } else {
      const uint4 word            = *static_cast<const uint4*>(from);
      const std::uint32_t pairs[] = {word.x, word.y, word.z, word.w};
#pragma unroll
      for (int e = 0; e < 8; ++e) v[e] = from_bits(matrix.element, pairs[e / 2] >> (e % 2 * 16) & 0xFFFF);
    }
  }
  __device__ void read_words(const void* from, double (&v)[4]) const {
    const double2 low = static_cast<const double2*>(from)[0], high = static_cast<const double2*>(from)[1];
    v[0] = low.x, v[1] = low.y, v[2] = high.x, v[3] = high.y;
  }

  __device__ void write_words(void* to, const float (&v)[8]) const {
    if (matrix.element == Element::f32) {
      static_cast<float4*>(to)[0] = {v[0], v[1], v[2], v[3]};
      static_cast<float4*>(to)[1] = {v[4], v[5], v[6], v[7]};
    } else {
      const bool half = matrix.element == Element::f16;
      const auto pair = [&](int e) {
        return half ? rounded_pair<F16>(v[e], v[e + 1]) : rounded_pair<Bf16>(v[e], v[e + 1]);
      };
      *static_cast<uint4*>(to) = {pair(0), pair(2), pair(4), pair(6)};
    }
  }
  __device__ void write_words(void* to, const double (&v)[4]) const {
    static_cast<double2*>(to)[0] = {v[0], v[1]};
    static_cast<double2*>(to)[1] = {v[2], v[3]};
  }
};

/// A matrix with what lets a run be read at once.
inline RunMatrix run_matrix(const AnyMatrix& matrix) {
  const bool has_runs = matrix.column_stride == 1 && matrix.row_stride * element_bytes(matrix.element) % 16 == 0;
  return {matrix, has_runs && reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0};
}

}  // namespace Tegula::Impl

#endif
