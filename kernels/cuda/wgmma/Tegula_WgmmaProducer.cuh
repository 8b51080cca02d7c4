// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_PRODUCER_CUH
#define TEGULA_WGMMA_PRODUCER_CUH

#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "../ptx/Tegula_PtxWgmma.cuh"
#include "Tegula_WgmmaArguments.cuh"
#include "Tegula_WgmmaPipeline.cuh"

/// The producer: one thread, which keeps TMA busy.

namespace Tegula::Impl {

/// Fetches `Lines` lines from `line` on and `Depth` steps from `depth` on, which are 128 bytes, the width of the
/// swizzle. With contiguous depth one box has all lines; with contiguous lines a box is as wide as the swizzle.
template <int Lines, int Depth>
__device__ inline void fetch_lines(std::uint32_t to, const CUtensorMap& map, Major major, std::int32_t line,
                                   std::int32_t depth, std::uint32_t barrier) {
  if (major == Major::depth) {
    ptx::load_box(to, map, depth, line, barrier);
  } else {
    constexpr int block_bytes = Depth * 128;
    for (int block = 0; block < Lines / Depth; ++block)
      ptx::load_box(to + block * block_bytes, map, line + Depth * block, depth, barrier);
  }
}

/// Fetches the operands of one step of a work item to an empty stage.
template <class Config, class Product>
__device__ inline void fetch_step(const WgmmaPipeline<Config>& pipeline, int stage, const Product& p,
                                  const CudaWork& work, std::int32_t step) {
  const std::uint32_t full = pipeline.full(stage);
  const std::int32_t depth = step * Config::tile_k;
  ptx::barrier_arrive_expect(full, p.left_fetch.bytes + p.right_fetch.bytes);
  fetch_lines<Config::tile_m, Config::tile_k>(pipeline.left(stage), p.left, p.left_fetch.major, work.row, depth, full);
  fetch_lines<Config::tile_n, Config::tile_k>(pipeline.right(stage), p.right, p.right_fetch.major, work.column, depth,
                                              full);
}

/// Fetches the team's first step, whose stage is empty from the beginning. Returns how many steps that are: 1 or 0.
template <class Config, class Arguments>
__device__ inline int produce_first(const WgmmaPipeline<Config>& pipeline, const Arguments& arguments,
                                    std::uint32_t team) {
  const typename Arguments::turns turns(arguments.shares, team);
  if (turns.is_over()) return 0;
  const auto& p       = arguments.products[turns.product()];
  const CudaWork work = p.tiles(turns.number());
  if (work.step_begin == work.step_end) return 0;
  fetch_step(pipeline, 0, p, work, work.step_begin);
  return 1;
}

/// Fetches the operands of all work items of a team, in order, as stages become empty. The steps that have been fetched
/// before are left out.
template <class Config, class Arguments>
__device__ inline void produce(const WgmmaPipeline<Config>& pipeline, const Arguments& arguments, std::uint32_t team,
                               int fetched) {
  WgmmaStage<Config> stage{fetched, 1};
  for (typename Arguments::turns turns(arguments.shares, team); !turns.is_over(); turns.next()) {
    const auto& p       = arguments.products[turns.product()];
    const CudaWork work = p.tiles(turns.number());
    for (std::int32_t step = work.step_begin + fetched; step < work.step_end; ++step) {
      ptx::barrier_wait(pipeline.empty(stage.index), stage.parity);
      fetch_step(pipeline, stage.index, p, work, step);
      stage.next();
    }
    fetched = 0;
  }
}

}  // namespace Tegula::Impl

#endif
