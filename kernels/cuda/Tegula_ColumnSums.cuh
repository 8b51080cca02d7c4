// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_COLUMN_SUMS_CUH
#define TEGULA_COLUMN_SUMS_CUH

#include "Tegula_ColumnSums.hpp"
#include "Tegula_CudaPairs.cuh"

namespace Tegula::Impl {

/// total (+)= the sum of all parts, always in the same order. All lanes of warp `warp` of `warps` call this. Eight
/// lanes take neighbouring columns, in one memory transaction; four lanes share the parts of a column.
template <class Sum>
__device__ inline void add_column_sums(const ColumnSumsOf<Sum>& sums, std::int32_t warp, std::int32_t warps, int lane) {
  constexpr int columns = 8, shares = 4;
  const int column = lane % columns, share = lane / columns;
  for (std::int32_t first = warp * columns; first < sums.n; first += warps * columns) {
    const std::int32_t j = first + column;
    Sum total            = 0;
    if (j < sums.n) {
#pragma unroll 4
      for (std::int32_t part = share; part < sums.parts; part += shares)
        total += sums.parts_of_sums[static_cast<std::int64_t>(part) * sums.n + j];
    }
    for (int distance = columns; distance < columns * shares; distance *= 2)
      total += __shfl_xor_sync(0xFFFFFFFFu, total, distance);
    if (share == 0 && j < sums.n)
      store(sums.total, 0, j, sums.accumulates ? total + load<Sum>(sums.total, 0, j) : total);
  }
}

}  // namespace Tegula::Impl

#endif
