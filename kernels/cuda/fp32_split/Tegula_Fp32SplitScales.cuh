// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_SCALES_CUH
#define TEGULA_FP32_SPLIT_SCALES_CUH

#include "../wgmma/Tegula_WgmmaFloatBias.cuh"
#include "Tegula_Fp32SplitConfig.hpp"
#include "Tegula_Fp32SplitPass.hpp"

namespace Tegula::Impl {

/// Undoes the scaling of lines in the sums of a consumer; `thread` is the number within it.
template <class Config>
class Fp32SplitScales {
 public:
  __device__ Fp32SplitScales(const Fp32SplitOperands& operands, std::uint32_t scratch, int consumer, int thread)
      : left_(operands.operands[0]),
        right_(operands.operands[1]),
        row_(consumer * 64 + thread / 32 * 16 + thread % 32 / 4),
        columns_(scratch + Config::scales_at, consumer, thread) {}

  /// On their way, before the main loop: those of a thread's two rows, and of columns for all.
  struct Fetched {
    float rows[2];
    typename WgmmaColumnValues<Config>::Fetched columns;
  };
  __device__ Fetched fetch(const CudaWork& work) const {
    return {{scale(left_, work.row + row_), scale(left_, work.row + row_ + 8)},
            columns_.fetch([&](int column) { return scale(right_, work.column + column); })};
  }

  /// Behind it. All threads of the consumer call this.
  __device__ void apply(const Fetched& fetched, Fp32SplitSums<Config>& sums) const {
    columns_.share(fetched.columns);
#pragma unroll
    for (int j = 0; j < Config::tile_n / 8; ++j) {
      float pair[2];
      columns_.read(8 * j, pair);
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[4 * j + e] *= fetched.rows[e / 2] * pair[e % 2];
    }
  }

 private:
  __device__ static float scale(const Fp32SplitOperand& operand, std::int64_t line) {
    return line < operand.lines() ? operand.scales[line] : 0.0f;
  }

  const Fp32SplitOperand &left_, &right_;
  int row_;
  WgmmaColumnValues<Config> columns_;
};

}  // namespace Tegula::Impl

#endif
