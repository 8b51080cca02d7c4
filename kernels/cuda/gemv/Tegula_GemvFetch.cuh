// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_FETCH_CUH
#define TEGULA_GEMV_FETCH_CUH

#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_GemvArguments.hpp"
#include "Tegula_GemvConfig.hpp"

/// The threads bring operands to scratch, step after step. Elements outside an operand become zero.

namespace Tegula::Impl {

/// Where a tile begins, and where the team's part of the inner dimension ends.
struct GemvOrigin {
  std::int32_t line, depth, depth_end;
};

/// The long operand: a lane copies 16 bytes of each of its warp's rows, those that it multiplies itself; or, where
/// these are not aligned or do not follow each other, as many single elements, so that neighbouring lanes copy
/// neighbours.
template <class Config, bool is_aligned>
class GemvFetch {
  using T                        = typename Config::element;
  static constexpr bool by_lines = Config::by_lines;
  static constexpr int run = is_aligned ? Config::unit : 1, runs = Config::unit / run;  // elements; copies of a row
  static constexpr int run_bytes = run * int(sizeof(T)), apart = 32 * run;              // elements from copy to copy

 public:
  __device__ GemvFetch(const MatrixRef<const T>& operand, const GemvOrigin& origin, int warp, int lane)
      : row_stride_(by_lines ? operand.column_stride : operand.row_stride),
        stride_(is_aligned ? 1
                : by_lines ? operand.row_stride
                           : operand.column_stride),
        offset_(warp * Config::rows * Config::row_bytes + lane * run_bytes) {
    const std::int32_t line  = origin.line + (by_lines ? lane * run : warp * Config::rows),
                       depth = origin.depth + (by_lines ? warp * Config::rows : lane * run);
    from_  = operand.data + (by_lines ? line * stride_ + depth * row_stride_ : line * row_stride_ + depth * stride_);
    lines_ = static_cast<std::int32_t>(operand.rows) - line;
    depth_ = origin.depth_end - depth;
  }

  /// Begins to copy the next step to a stage.
  __device__ void operator()(std::uint32_t stage) {
    const int rows = by_lines ? depth_ : lines_, along = by_lines ? lines_ : depth_;
    if (rows >= Config::rows && along >= (runs - 1) * apart + run) {
#pragma unroll
      for (int row = 0; row < Config::rows; ++row)
#pragma unroll
        for (int r = 0; r < runs; ++r) ptx::copy_unit<run_bytes>(to(stage, row, r), from(row, r));
    } else {
      copy_ragged(stage, rows, along);
    }
    from_ += by_lines ? Config::tile_k * row_stride_ : Config::tile_k * stride_;
    depth_ -= Config::tile_k;
  }

 private:
  // So many rows are left, and so many elements in each. The loop is not unrolled: this is rare.
  __device__ void copy_ragged(std::uint32_t stage, int rows, int along) const {
#pragma unroll 1
    for (int row = 0; row < Config::rows; ++row)
#pragma unroll
      for (int r = 0; r < runs; ++r) {
        const int left = row < rows ? along - r * apart : 0, elements = left < 0 ? 0 : left < run ? left : run;
        ptx::copy_part_of_unit<run_bytes>(to(stage, row, r), from(row, r), elements * int(sizeof(T)));
      }
  }

  __device__ std::uint32_t to(std::uint32_t stage, int row, int r) const {
    return stage + offset_ + row * Config::row_bytes + r * 32 * run_bytes;
  }
  __device__ const T* from(int row, int r) const { return from_ + row * row_stride_ + r * apart * stride_; }

  std::int64_t row_stride_, stride_;
  const T* from_;               // the lane's first element of the next step
  std::int32_t lines_, depth_;  // of the operand, from there on
  int offset_;
};

/// The place of an element of the short operand in a stage, in bytes. The elements of a line follow each other; where
/// all lanes of a warp multiply the same step of depth, those of a step do.
template <class Config>
__device__ constexpr int held_offset(int line, int step) {
  return (Config::by_lines ? step * Config::lines + line : line * Config::tile_k + step) *
         int(sizeof(typename Config::element));
}

/// Copies the short operand element by element. Lines beyond its last one are left out, and so are their sums.
template <class Config>
__device__ inline void fetch_held(const MatrixRef<const typename Config::element>& held, std::int32_t depth,
                                  std::int32_t depth_end, std::uint32_t to, int thread) {
  using T             = typename Config::element;
  constexpr int bytes = sizeof(T);
#pragma unroll
  for (int first = 0; first < Config::lines * Config::tile_k; first += Config::threads) {
    const int at = first + thread, line = at / Config::tile_k, step = at % Config::tile_k;
    if (line >= held.rows) break;
    ptx::copy_part_of_unit<bytes>(to + held_offset<Config>(line, step),
                                  held.data + line * held.row_stride + (depth + step) * held.column_stride,
                                  depth + step < depth_end ? bytes : 0);
  }
}

}  // namespace Tegula::Impl

#endif
