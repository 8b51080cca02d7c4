// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_FETCH_CUH
#define TEGULA_TALL_FETCH_CUH

#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_TallArguments.hpp"
#include "Tegula_TallLayout.hpp"

namespace Tegula::Impl {

/// A warp brings tiles of a matrix to scratch. Elements outside the matrix become zero.
template <class Config, Major major>
class TallFetch {
  using T      = typename Config::element;
  using Layout = TallLayout<Config, major>;

 public:
  /// `end` is the row behind the last one.
  __device__ TallFetch(std::int32_t end, int lane) : end_(end), lane_(lane) {}

  /// Begins to copy the tile from this row on, if there is one, and ends the lane's group of copies.
  __device__ void operator()(const TallMatrix<T>& matrix, std::int32_t row, std::uint32_t to) const {
    if (matrix.data != nullptr && row < end_) copy(matrix, row, to);
    ptx::commit_copies();
  }

 private:
  __device__ void copy(const TallMatrix<T>& matrix, std::int32_t row, std::uint32_t to) const {
    const int line = Layout::line(lane_), at = Layout::at(lane_), rows = end_ - row;
    const T* const tile = matrix.data + std::int64_t(row) * (Layout::along_rows ? matrix.line_stride : 1);
    const T* const from = tile + line * matrix.line_stride + at;
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
    return pass * Layout::pass_lines * matrix.line_stride;
  }

  std::int32_t end_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
