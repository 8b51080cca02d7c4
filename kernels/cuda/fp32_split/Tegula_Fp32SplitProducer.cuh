// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_PRODUCER_CUH
#define TEGULA_FP32_SPLIT_PRODUCER_CUH

#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "../wgmma/Tegula_WgmmaPipeline.cuh"
#include "Tegula_Fp32SplitArguments.cuh"
#include "Tegula_Fp32SplitConfig.hpp"

/// The producer: a warp that keeps TMA busy, as that of wgmma.

namespace Tegula::Impl {

/// Fetches `lines` lines and 64 steps of depth of all parts of an operand.
template <class Scheme>
__device__ inline void fetch_parts(std::uint32_t to, const CUtensorMap& map, const Fp32SplitOperand& operand, int lines,
                                   std::int32_t line, std::int32_t block, std::uint32_t barrier, bool issues) {
  constexpr int line_bytes = split_depth * 2;
#pragma unroll
  for (int part = 0; part < Scheme::parts; ++part)
    ptx::load_box(to + part * lines * line_bytes, map, block * split_depth,
                  line + part * static_cast<std::int32_t>(operand.lines()), barrier, issues);
}

/// Fetches the operands of all work items of a team, in order, as stages become empty.
template <class Config, class Scheme>
__device__ inline void produce_parts(const WgmmaPipeline<Fp32SplitRing<Config, Scheme>>& pipeline,
                                     const Fp32SplitArguments& arguments, std::uint32_t team, bool issues) {
  using Ring = Fp32SplitRing<Config, Scheme>;
  WgmmaStage<Ring> stage{0, 1};
  for (WgmmaTurns<1> turns(arguments.shares, team); !turns.is_over(); turns.next()) {
    const CudaWork work = arguments.tiles(turns.number());
    for (std::int32_t step = work.step_begin; step < work.step_end; ++step) {
      const std::uint32_t full = pipeline.full(stage.index);
      ptx::barrier_wait(pipeline.empty(stage.index), stage.parity);
      ptx::barrier_arrive_expect(full, Ring::stage_bytes, issues);
      fetch_parts<Scheme>(pipeline.left(stage.index), arguments.left, arguments.operands.operands[0], Config::tile_m,
                          work.row, step, full, issues);
      fetch_parts<Scheme>(pipeline.right(stage.index), arguments.right, arguments.operands.operands[1], Config::tile_n,
                          work.column, step, full, issues);
      stage.next();
    }
  }
}

}  // namespace Tegula::Impl

#endif
