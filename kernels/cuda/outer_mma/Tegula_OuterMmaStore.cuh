// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_STORE_CUH
#define TEGULA_OUTER_MMA_STORE_CUH

#include "../Tegula_CudaPairs.cuh"
#include "Tegula_OuterMmaArguments.hpp"

/// How a warp's sums leave, 16 rows and 32 columns at a time. A lane has 8 neighbours of two rows, 8 rows apart.

namespace Tegula::Impl {

inline constexpr int part_columns = 32, lane_columns = 8, lane_rows = 2;

/// Where a team's tile lies in the result.
struct OuterMmaTile {
  std::int32_t row, column, columns;  // first ones, and columns that are stored unless tiles lap
  std::int32_t left;                  // columns from the first one to the end of the matrix
};

/// The results of a lane in a part of a tile's rows.
using OuterMmaValues = float[lane_rows][lane_columns];

/// Stores the rows `first` and 8 below of a tile, a part behind the other.
template <class Input>
class OuterMmaStore {
 public:
  __device__ OuterMmaStore(const OuterMmaArguments& p, const OuterMmaTile& tile, int first, int lane)
      : shifts_(p.how.shifts), relu_(p.is_relu), q_(lane % lanes_of_row) {
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      const std::int64_t row = std::int64_t(tile.row) + first + r * 8;
      auto* const data       = static_cast<std::uint16_t*>(p.C.data) + row * p.C.row_stride + tile.column;
      const int left         = row < p.m ? 2 * min(tile.left, outer_mma_columns) : 0;
      rows_[r]               = {reinterpret_cast<char*>(data),
                                OuterMmaSpan::of(reinterpret_cast<std::uintptr_t>(data), tile.column == 0, p.how.laps,
                                                 2 * tile.columns, left)};
    }
  }

  /// All lanes of a warp call this.
  __device__ void store(int part, const OuterMmaValues& values) {
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      OuterMmaRun run;
#pragma unroll
      for (int w = 0; w < run_words; ++w) {
        const float first = values[r][2 * w], second = values[r][2 * w + 1];
        run.words[w] = relu_ ? rounded<true>(Input(), first, second) : rounded<false>(Input(), first, second);
      }
      store_group(rows_[r], run, part * group_bytes);
    }
  }

 private:
  __device__ void store_group(OuterMmaRow& row, const OuterMmaRun& own, int at) const {
    if (!shifts_) return row.store(own, at, q_);
    const OuterMmaRun sent = row.handed_on(own, q_);
    OuterMmaRun before;
#pragma unroll
    for (int w = 0; w < run_words; ++w)
      before.words[w] = __shfl_sync(0xFFFFFFFFu, sent.words[w], q_ + lanes_of_row - 1, lanes_of_row);
    row.store_shifted(before, own, at, q_);
  }

  bool shifts_, relu_;
  int q_;  // of the lanes that have a row
  OuterMmaRow rows_[lane_rows];
};

}  // namespace Tegula::Impl

#endif
