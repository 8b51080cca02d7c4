// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_MAINLOOP_CUH
#define TEGULA_SPLIT_MAINLOOP_CUH

#include <cstddef>
#include <utility>

#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxWgmma.cuh"
#include "../wgmma/Tegula_WgmmaMainloop.cuh"
#include "Tegula_SplitConfig.hpp"

/// The inner loop of a consumer warpgroup: products of parts by tensor cores, a block at a time, added in float.

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

/// The sums of products of a block: of the first parts, and of all others.
template <class Config>
struct BlockSums {
  float high[Config::tile_n / 2], low[Config::tile_n / 2];
};

/// sums (+)= left right^T for one pair of parts, of `split_depth` steps.
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

/// Queues all products of a stage, those of the first parts last and as a group of their own.
template <class Config, class Scheme>
__device__ inline void multiply_block(BlockSums<Config>& block, std::uint64_t left, std::uint64_t right) {
  constexpr std::size_t further = sizeof(Scheme::further) / sizeof(PartPair);
  const auto multiply_further   = [&]<std::size_t... pairs>(std::index_sequence<pairs...>) {
      (multiply_parts<Config, Scheme, Scheme::further[pairs], (pairs > 0)>(block.low, left, right), ...);
  };
  multiply_further(std::make_index_sequence<further>());
  ptx::wgmma_commit();
  multiply_parts<Config, Scheme, PartPair{0, 0}, false>(block.high, left, right);
  ptx::wgmma_commit();
}

/// Adds the sums of a block, times what its elements were scaled by. `scales`: of the thread's first row, and of its
/// first column.
template <class Config, class Scheme>
__device__ inline void add_block(WgmmaSums<Config>& sums, const BlockSums<Config>& block, const float* row_scales,
                                 const float* column_scales) {
  const float rows[] = {row_scales[0], row_scales[8]};
#pragma unroll
  for (int j = 0; j < Config::tile_n / 8; ++j) {
    const float2 columns = *reinterpret_cast<const float2*>(column_scales + 8 * j);
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const float sum    = fmaf(block.low[4 * j + e], Scheme::factor, block.high[4 * j + e]);
      sums[0][4 * j + e] = fmaf(sum, rows[e / 2] * (e % 2 == 0 ? columns.x : columns.y), sums[0][4 * j + e]);
    }
  }
}

/// The turns of two consumers at the tensor cores. Both at once would share them, be done at the same time, and leave
/// them idle while both add.
template <class Config>
class TensorTurns {
 public:
  __device__ explicit TensorTurns(int consumer) : consumer_(consumer) {}

  /// The first turn is that of consumer 0; the one that is given to it last is nobody's.
  __device__ void begin() const {
    if (consumer_ == 1) give();
  }
  __device__ void end() const {
    if (consumer_ == 0) wait();
  }
  __device__ void wait() const { ptx::named_barrier(barrier_of(consumer_), threads); }
  __device__ void give() const { ptx::named_barrier_arrive(barrier_of(1 - consumer_), threads); }

 private:
  static_assert(Config::consumers == 2);
  static constexpr int threads = Config::consumers * Config::warpgroup;

  // The epilogue has those before.
  __device__ static int barrier_of(int consumer) { return 1 + Config::consumers + consumer; }

  int consumer_;
};

/// sums += left right^T over `steps` stages. What one warpgroup adds hides behind what the other multiplies.
template <class Config, class Scheme>
__device__ inline void multiply_add_parts(const WgmmaPipeline<SplitRing<Config, Scheme>>& pipeline, const char* scales,
                                          int consumer, int thread, int steps, SplitStage& stage,
                                          WgmmaSums<Config>& sums) {
  const int row = consumer * 64 + thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;
  const TensorTurns<Config> turns(consumer);
  BlockSums<Config> block;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
    turns.wait();
    ptx::wgmma_fence();
    const std::uint64_t left =
        ptx::wgmma_descriptor(pipeline.left(stage.index) + consumer * 64 * Config::line_bytes, Major::depth);
    multiply_block<Config, Scheme>(block, left, ptx::wgmma_descriptor(pipeline.right(stage.index), Major::depth));
    ptx::wgmma_wait<1>();
    turns.give();  // the last group hides the way there
    ptx::wgmma_wait<0>();
    const auto* const of_stage = reinterpret_cast<const float*>(scales + stage.index * Config::scale_bytes);
    add_block<Config, Scheme>(sums, block, of_stage + row, of_stage + Config::tile_m + column);
    __syncwarp();
    if (thread % 32 == 0) ptx::barrier_arrive(pipeline.empty(stage.index));
    stage.next<SplitRing<Config, Scheme>::stages>();
  }
}

}  // namespace Tegula::Impl

#endif
