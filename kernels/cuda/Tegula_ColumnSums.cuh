// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_COLUMN_SUMS_CUH
#define TEGULA_COLUMN_SUMS_CUH

#include "Tegula_ColumnSums.hpp"
#include "Tegula_CudaPairs.cuh"

namespace Tegula::Impl {

/// A warp adds sums of 8 neighbouring columns, which are one memory transaction; four lanes share a column.
inline constexpr int summed_columns = 8, lanes_of_column = 4;

/// The sum of every `step`th of the parts of column j from `part` on, `batch` of which are asked for before the first
/// is added.
template <int batch = 4, class Sum>
__device__ inline Sum sum_of_parts(const ColumnSumsOf<Sum>& sums, std::int32_t j, std::int32_t part,
                                   std::int32_t step) {
  Sum sum = 0;
  if (j >= sums.n) return sum;
  const Sum* at             = sums.parts_of_sums + (static_cast<std::int64_t>(part) * sums.n + j);
  const std::int64_t behind = static_cast<std::int64_t>(step) * sums.n;
#pragma unroll 1
  for (; part < sums.parts; part += batch * step, at += batch * behind) {
    Sum values[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) values[b] = part + b * step < sums.parts ? at[b * behind] : Sum(0);
#pragma unroll
    for (int b = 0; b < batch; ++b) sum += values[b];
  }
  return sum;
}

/// What the lanes that share a column have got.
template <class Sum>
__device__ inline Sum added_over_column(Sum sum) {
  for (int distance = summed_columns; distance < summed_columns * lanes_of_column; distance *= 2)
    sum += __shfl_xor_sync(0xFFFFFFFFu, sum, distance);
  return sum;
}

template <class Sum>
__device__ inline void store_total(const ColumnSumsOf<Sum>& sums, std::int32_t j, Sum total) {
  if (j < sums.n) store(sums.total, 0, j, sums.accumulates ? total + load<Sum>(sums.total, 0, j) : total);
}

/// total (+)= the sum of all parts, always in the same order. All lanes of warp `warp` of `warps` call this.
template <class Sum>
__device__ inline void add_column_sums(const ColumnSumsOf<Sum>& sums, std::int32_t warp, std::int32_t warps, int lane) {
  const int share = lane / summed_columns;
  for (std::int32_t first = warp * summed_columns; first < sums.n; first += warps * summed_columns) {
    const std::int32_t j = first + lane % summed_columns;
    const Sum total      = added_over_column(sum_of_parts(sums, j, share, lanes_of_column));
    if (share == 0) store_total(sums, j, total);
  }
}

}  // namespace Tegula::Impl

#endif
