// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_EXACT_CUH
#define TEGULA_TF32_EXACT_CUH

#include "../wgmma/Tegula_WgmmaRows.hpp"
#include "Tegula_Tf32Arguments.cuh"
#include "Tegula_Tf32Mainloop.cuh"

namespace Tegula::Impl {

/// left right^T of one line each over steps [begin, end), by fused multiply-adds.
__device__ inline float chain_of(const Tf32Product& product, std::int64_t row, std::int64_t column, std::int64_t begin,
                                 std::int64_t end) {
  const MatrixRef<const float>&left = product.operands[0], &right = product.operands[1];
  float sum = 0;
#pragma unroll 1
  for (std::int64_t step = begin; step < end; ++step) sum = fmaf(left(row, step), right(column, step), sum);
  return sum;
}

/// Forms those sums of a consumer again that are Inf or NaN (Fp32Parts). This is rare.
template <class Config>
__device__ inline void form_exactly(const Tf32Product& product, const CudaWork& work,
                                    const Tf32Consumer<Config>& consumer, Tf32Sums<Config>& sums) {
  constexpr int count = Config::tile_n / 2;
  const WgmmaThread at(consumer.thread);
  const Major major                 = product.left_fetch.major;
  const std::int64_t row0           = work.row + consumer.number * 64,
                     rows[]         = {row0 + wgmma_line(major, at, 0), row0 + wgmma_line(major, at, 1)};
  const MatrixRef<const float>&left = product.operands[0], &right = product.operands[1];
  // Others are not stored.
  const auto exists = [&](int e) {
    return rows[e % 4 / 2] < left.rows && work.column + e / 4 * 8 + at.quarter * 2 + e % 2 < right.rows;
  };
  bool finite = true;
#pragma unroll
  for (int e = 0; e < count; ++e) finite = finite && (isfinite(sums[e]) || !exists(e));
  if (finite) return;
  float values[count];  // in local memory
#pragma unroll
  for (int e = 0; e < count; ++e) values[e] = sums[e];
  const std::int64_t begin = std::int64_t(work.step_begin) * Config::tile_k,
                     end   = min(std::int64_t(work.step_end) * Config::tile_k, left.columns);
#pragma unroll 1
  for (int e = 0; e < count; ++e)
    if (!isfinite(values[e]) && exists(e))
      values[e] = chain_of(product, rows[e % 4 / 2], work.column + e / 4 * 8 + at.quarter * 2 + e % 2, begin, end);
#pragma unroll
  for (int e = 0; e < count; ++e) sums[e] = values[e];
}

}  // namespace Tegula::Impl

#endif
