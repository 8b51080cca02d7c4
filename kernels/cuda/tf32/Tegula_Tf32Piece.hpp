// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_PIECE_HPP
#define TEGULA_TF32_PIECE_HPP

#include "../Tegula_VectorResult.hpp"

/// A piece of sums in scratch, 64 rows x 32 columns, on its way to the result.

namespace Tegula::Impl {

inline constexpr int tf32_box_bytes = 32 * 128;

/// Where a piece has its elements, in floats: two boxes of 32 lines of 32 floats along the rows of the result, with the
/// 128-byte swizzle.
struct Tf32PieceByRows {  // rows of the result are rows of the piece
  static constexpr bool by_columns = false;
  static constexpr int length = 32, lines = 64;
  TEGULA_HOST_DEVICE static constexpr int place(int row, int column) {
    return row * 32 + ((column >> 2 ^ (row & 7)) << 2 | (column & 3));
  }
};
struct Tf32PieceByColumns {  // rows of the result are columns of the piece
  static constexpr bool by_columns = true;
  static constexpr int length = 64, lines = 32;
  TEGULA_HOST_DEVICE static constexpr int place(int column, int row) {
    return (row >> 5) * 1024 + column * 32 + (((row >> 2 & 7) ^ (column & 7)) << 2 | (row & 3));
  }
};

/// What a thread needs of the bias: a vector along the rows of its sums, of which it has two, or along the columns.
template <class Piece>
class Tf32Bias {
 public:
  TEGULA_HOST_DEVICE Tf32Bias(const VectorResult<float>& result, std::int32_t first, std::int32_t second)
      : result_(result), is_along_columns_(result.bias.data != nullptr && column_stride() != 0) {
    if (result.bias.data == nullptr || is_along_columns_) return;
    if (first < rows()) rows_[0] = result.bias.data[first * row_stride()];
    if (second < rows()) rows_[1] = result.bias.data[second * row_stride()];
  }

  /// Adds it to a thread's part of a piece, from this column on: see WgmmaTf32.
  template <int Values>
  TEGULA_HOST_DEVICE void add(std::int32_t column, float (&values)[Values]) const {
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
  TEGULA_HOST_DEVICE std::int64_t row_stride() const {
    return Piece::by_columns ? result_.bias.column_stride : result_.bias.row_stride;
  }
  TEGULA_HOST_DEVICE std::int64_t column_stride() const {
    return Piece::by_columns ? result_.bias.row_stride : result_.bias.column_stride;
  }
  TEGULA_HOST_DEVICE std::int32_t rows() const { return Piece::by_columns ? result_.n : result_.m; }
  TEGULA_HOST_DEVICE std::int32_t columns() const { return Piece::by_columns ? result_.m : result_.n; }

  const VectorResult<float>& result_;
  bool is_along_columns_;
  float rows_[2] = {0, 0};
};

}  // namespace Tegula::Impl

#endif
