// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_FETCH_CUH
#define TEGULA_TALL_FETCH_CUH

#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_TallArguments.hpp"
#include "Tegula_TallLayout.hpp"

namespace Tegula::Impl {

/// A warp brings tiles of a matrix to scratch: 16 bytes at a time from matrices that lie as the tiles do, or single
/// elements, whatever the strides. Elements outside the matrix become zero.
template <class Config, Major major, bool by_elements>
class TallFetch {
  using T      = typename Config::element;
  using Layout = TallLayout<Config, major>;

 public:
  /// `end` is the row behind the last one.
  __device__ TallFetch(std::int32_t end, int lane) : end_(end), lane_(lane) {}

  /// Begins to copy the tile from this row on, if there is one, and ends the lane's group of copies.
  __device__ void operator()(const TallMatrix<T>& matrix, std::int32_t row, std::uint32_t to) const {
    if (matrix.data != nullptr && row < end_) {
      if constexpr (by_elements) {
        matrix.row_stride == 1 ? copy_elements<true>(matrix, row, to) : copy_elements<false>(matrix, row, to);
      } else {
        copy(matrix, row, to);
      }
    }
    ptx::commit_copies();
  }

 private:
  // Neighbouring lanes have neighbouring rows or columns.
  template <bool has_near_rows>
  __device__ void copy_elements(const TallMatrix<T>& matrix, std::int32_t row, std::uint32_t to) const {
    constexpr int length = has_near_rows ? Config::tile_rows : Config::width, near = length < 32 ? length : 32;
    constexpr int turns = length / near, pass_lines = 32 / near;
    constexpr int passes = Config::tile_rows * Config::width / 32;
    const int along = lane_ % near, line = lane_ / near;
    const T* const tile = matrix.data + row * matrix.row_stride;
#pragma unroll 4
    for (int pass = 0; pass < passes; ++pass) {
      const int at = along + pass % turns * near, on = line + pass / turns * pass_lines;
      const int i = has_near_rows ? at : on, j = has_near_rows ? on : at;
      const bool is_inside = i < end_ - row && j < matrix.columns;
      ptx::copy_part_of_unit<Layout::size>(
          to + Layout::place(i, j), is_inside ? tile + i * matrix.row_stride + j * matrix.column_stride : matrix.data,
          is_inside ? Layout::size : 0);
    }
  }

  __device__ void copy(const TallMatrix<T>& matrix, std::int32_t row, std::uint32_t to) const {
    const int line = Layout::line(lane_), at = Layout::at(lane_), rows = end_ - row;
    const T* const tile = matrix.data + row * (Layout::along_rows ? matrix.row_stride : 1);
    const T* const from = tile + line * line_stride(matrix) + at;
    if (rows >= Config::tile_rows && matrix.columns == Config::width) {
#pragma unroll
      for (int pass = 0; pass < Layout::passes; ++pass)
        ptx::copy_unit<16>(to + Layout::pass_offset(lane_, pass), from + distance(matrix, pass));
    } else {
      const int lines = (Layout::along_rows ? rows : matrix.columns) - line,
                along = (Layout::along_rows ? matrix.columns : rows) - at;
      const int bytes = along <= 0 ? 0 : (along < Layout::unit ? along : Layout::unit) * Layout::size;
#pragma unroll
      for (int pass = 0; pass < Layout::passes; ++pass) {
        const bool is_inside = lines > pass * Layout::pass_lines && bytes > 0;
        ptx::copy_part_of_unit<16>(to + Layout::pass_offset(lane_, pass),
                                   is_inside ? from + distance(matrix, pass) : matrix.data, is_inside ? bytes : 0);
      }
    }
  }

  __device__ static std::int64_t distance(const TallMatrix<T>& matrix, int pass) {
    return pass * Layout::pass_lines * line_stride(matrix);
  }
  __device__ static std::int64_t line_stride(const TallMatrix<T>& matrix) {
    return Layout::along_rows ? matrix.row_stride : matrix.column_stride;
  }

  std::int32_t end_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
