// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MAINLOOP_CUH
#define TEGULA_WGMMA_MAINLOOP_CUH

#include "../ptx/Tegula_PtxWgmma.cuh"
#include "Tegula_WgmmaPipeline.cuh"

/// The main loop of a consumer warpgroup.

namespace Tegula::Impl {

/// The sums of a consumer: for each of its blocks of 64 rows, laid out as Wgmma says.
template <class Config>
using WgmmaSums = float[Config::row_blocks][Config::tile_n / 2];

/// sums += left right^T over `steps` stages. The wgmma of one stage run while the next one is waited for; then the
/// stage before is released. issued() is called when the last ones have begun.
template <class Config, class Input, Major left_major, Major right_major, class Issued>
__device__ inline void multiply_add(const WgmmaPipeline<Config>& pipeline, int consumer, int thread, int steps,
                                    WgmmaStage<Config>& stage, WgmmaSums<Config>& sums, const Issued& issued) {
  using Multiply         = ptx::Wgmma<Input, Config::tile_n, left_major, right_major>;
  const int first_block  = Config::takes_turns ? 0 : consumer * Config::row_blocks;
  std::uint32_t previous = 0;  // the barrier `empty` of the stage before
  // Unrolled, the loop is a few per cent faster once its instructions are loaded. A small product, which takes a small
  // tile, ends before that pays.
  constexpr int unrolled = Config::tile_m * Config::tile_n > 128 * 128 ? 4 : 1;
#pragma unroll unrolled
  for (int step = 0; step < steps; ++step) {
    ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
    ptx::wgmma_fence();
    const std::uint64_t left =
        ptx::wgmma_descriptor(pipeline.left(stage.index) + first_block * Config::block_bytes, left_major);
    const std::uint64_t right = ptx::wgmma_descriptor(pipeline.right(stage.index), right_major);
#pragma unroll
    for (int part = 0; part < Config::tile_k / 16; ++part) {
#pragma unroll
      for (int block = 0; block < Config::row_blocks; ++block)
        Multiply::multiply_add(sums[block],
                               left + part * ptx::wgmma_depth_step<left_major> + block * (Config::block_bytes >> 4),
                               right + part * ptx::wgmma_depth_step<right_major>);
    }
    ptx::wgmma_commit();
    ptx::wgmma_wait<1>();
    if (step > 0) pipeline.release(previous, thread);
    previous = pipeline.empty(stage.index);
    stage.next();
  }
  issued();
  ptx::wgmma_wait<0>();
  if (steps > 0) pipeline.release(previous, thread);
}

/// The same for directions that are known at run time only. The instruction must know them when it is compiled.
template <class Config, class Input, class Issued>
__device__ inline void multiply_add(const WgmmaPipeline<Config>& pipeline, Major left_major, Major right_major,
                                    int consumer, int thread, int steps, WgmmaStage<Config>& stage,
                                    WgmmaSums<Config>& sums, const Issued& issued) {
  const auto multiply = [&]<Major left, Major right>() {
    multiply_add<Config, Input, left, right>(pipeline, consumer, thread, steps, stage, sums, issued);
  };
  if (left_major == Major::depth) {
    if (right_major == Major::depth) {
      multiply.template operator()<Major::depth, Major::depth>();
    } else {
      multiply.template operator()<Major::depth, Major::lines>();
    }
  } else {
    if (right_major == Major::depth) {
      multiply.template operator()<Major::lines, Major::depth>();
    } else {
      multiply.template operator()<Major::lines, Major::lines>();
    }
  }
}

}  // namespace Tegula::Impl

#endif
