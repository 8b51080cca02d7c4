// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_MAINLOOP_CUH
#define TEGULA_SPLIT_MAINLOOP_CUH

#include <cstddef>
#include <utility>

#include "../ptx/Tegula_PtxWgmma.cuh"
#include "../wgmma/Tegula_WgmmaMainloop.cuh"
#include "Tegula_SplitConfig.hpp"
#include "Tegula_SplitPass.hpp"

/// The inner loop of a consumer warpgroup: products of parts by tensor cores, those of first parts added in float after
/// every step.

namespace Tegula::Impl {

/// A position in the ring of any scheme: see WgmmaStage.
struct SplitStage {
  int index;
  std::uint32_t parity;

  template <int stages>
  __device__ void next() {
    if (++index == stages) {
      index = 0;
      parity ^= 1;
    }
  }
};

/// What tensor cores have summed. high: products of first parts, of one step. low: all others.
template <class Config>
struct PartSums {
  float high[Config::tile_n / 2], low[Config::tile_n / 2];
};

/// sums += left right^T for one pair of parts, of `split_depth` steps; or sums = that, unless it adds.
template <class Config, class Scheme, PartPair pair, bool adds>
__device__ inline void multiply_parts(float (&sums)[Config::tile_n / 2], std::uint64_t left, std::uint64_t right) {
  using Ring     = SplitRing<Config, Scheme>;
  using Multiply = ptx::Wgmma<typename Scheme::input, Config::tile_n, Major::depth, Major::depth>;
  left += pair.left * Ring::left_part >> 4;
  right += pair.right * Ring::right_part >> 4;
  constexpr std::uint64_t step = ptx::wgmma_depth_step<Major::depth>;
  Multiply::template multiply_add<adds>(sums, left, right);
#pragma unroll
  for (int i = 1; i < split_depth / 16; ++i) Multiply::multiply_add(sums, left + i * step, right + i * step);
}

/// Queues all products of a stage.
template <class Config, class Scheme>
__device__ inline void multiply_stage(PartSums<Config>& parts, std::uint64_t left, std::uint64_t right) {
  constexpr std::size_t further = sizeof(Scheme::further) / sizeof(PartPair);
  const auto multiply_further   = [&]<std::size_t... pairs>(std::index_sequence<pairs...>) {
      (multiply_parts<Config, Scheme, Scheme::further[pairs], true>(parts.low, left, right), ...);
  };
  multiply_further(std::make_index_sequence<further>());
  multiply_parts<Config, Scheme, PartPair{0, 0}, false>(parts.high, left, right);
}

/// sums += left right^T over `steps` stages, scaled. While one consumer adds what tensor cores have summed, they
/// multiply for the other.
template <class Config, class Scheme>
__device__ inline void multiply_add_parts(const WgmmaPipeline<SplitRing<Config, Scheme>>& pipeline, int consumer,
                                          bool signals, int steps, SplitStage& stage, WgmmaSums<Config>& sums) {
  PartSums<Config> parts;
#pragma unroll
  for (float& sum : parts.low) sum = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
    ptx::wgmma_fence();
    const std::uint64_t left =
        ptx::wgmma_descriptor(pipeline.left(stage.index) + consumer * 64 * Config::line_bytes, Major::depth);
    multiply_stage<Config, Scheme>(parts, left, ptx::wgmma_descriptor(pipeline.right(stage.index), Major::depth));
    ptx::wgmma_commit();
    ptx::wgmma_wait<0>();
    if (signals) ptx::barrier_arrive(pipeline.empty(stage.index));
    stage.next<SplitRing<Config, Scheme>::stages>();
#pragma unroll
    for (int e = 0; e < Config::tile_n / 2; ++e) sums[0][e] += parts.high[e];
  }
#pragma unroll
  for (int e = 0; e < Config::tile_n / 2; ++e) sums[0][e] = fmaf(parts.low[e], Scheme::factor, sums[0][e]);
}

/// Undoes the scaling of sums.
template <class Config>
__device__ inline void scale_sums(const SplitOperands& operands, const TensorWork& work, int consumer, int thread,
                                  WgmmaSums<Config>& sums) {
  const auto scale = [](const SplitOperand& operand, std::int64_t line) {
    return line < operand.lines() ? operand.scales[line] : 0.0f;
  };
  const std::int64_t row    = work.row + consumer * 64 + thread / 32 * 16 + thread % 32 / 4;
  const std::int64_t column = work.column + thread % 4 * 2;
  const float rows[]        = {scale(operands.operands[0], row), scale(operands.operands[0], row + 8)};
#pragma unroll
  for (int j = 0; j < Config::tile_n / 8; ++j) {
    const float columns[] = {scale(operands.operands[1], column + 8 * j),
                             scale(operands.operands[1], column + 8 * j + 1)};
#pragma unroll
    for (int e = 0; e < 4; ++e) sums[0][4 * j + e] *= rows[e / 2] * columns[e % 2];
  }
}

}  // namespace Tegula::Impl

#endif
