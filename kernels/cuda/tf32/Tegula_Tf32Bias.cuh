// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_BIAS_CUH
#define TEGULA_TF32_BIAS_CUH

#include "../Tegula_VectorResult.hpp"

namespace Tegula::Impl {

/// The bias for a thread's sums: it runs along the rows of the sums, of which a thread has two, or along their columns.
template <class Piece>
class Tf32Bias {
 public:
  __device__ Tf32Bias(const VectorResult<float>& result, std::int32_t first, std::int32_t second)
      : result_(result), is_along_columns_(result.bias.data != nullptr && column_stride() != 0) {
    if (result.bias.data == nullptr || is_along_columns_) return;
    if (first < rows()) rows_[0] = result.bias.data[first * row_stride()];
    if (second < rows()) rows_[1] = result.bias.data[second * row_stride()];
  }

  /// Adds the bias to a thread's part of a piece, which begins at this column: see WgmmaTf32.
  template <int Values>
  __device__ void add(std::int32_t column, float (&values)[Values]) const {
    if (!is_along_columns_) {
#pragma unroll
      for (int e = 0; e < Values; ++e) values[e] += rows_[e % 4 / 2];
    } else {
      const float* const from = result_.bias.data + column * column_stride();
#pragma unroll
      for (int e = 0; e < Values; e += e % 2 == 0 ? 1 : 3) {
        const int step    = e / 4 * 8 + e % 2;
        const float value = column + step < columns() ? from[step * column_stride()] : 0;
        values[e] += value;
        values[e + 2] += value;
      }
    }
  }

 private:
  __device__ std::int64_t row_stride() const {
    return Piece::by_columns ? result_.bias.column_stride : result_.bias.row_stride;
  }
  __device__ std::int64_t column_stride() const {
    return Piece::by_columns ? result_.bias.row_stride : result_.bias.column_stride;
  }
  __device__ std::int32_t rows() const { return Piece::by_columns ? result_.n : result_.m; }
  __device__ std::int32_t columns() const { return Piece::by_columns ? result_.m : result_.n; }

  const VectorResult<float>& result_;
  bool is_along_columns_;
  float rows_[2] = {0, 0};
};

}  // namespace Tegula::Impl

#endif
