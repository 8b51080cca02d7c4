// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_PRODUCER_CUH
#define TEGULA_WGMMA_PRODUCER_CUH

#include "../Tegula_SpreadSteps.hpp"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "../ptx/Tegula_PtxWgmma.cuh"
#include "Tegula_WgmmaArguments.cuh"
#include "Tegula_WgmmaPipeline.cuh"

/// The producer: a warp that keeps TMA busy. All lanes go along, so that addresses are in registers that they share,
/// and one issues: by one alone a step had taken it longer than tensor cores need for those of small tiles.

namespace Tegula::Impl {

/// Fetches `Lines` lines from `line` on and `Depth` steps from `depth` on, which are 128 bytes, the width of the
/// swizzle. With contiguous depth one box has all lines; with contiguous lines a box is as wide as the swizzle.
/// fetch_shared_lines is for all teams of a tile, each of which fetches its part for all: of the lines of a box or,
/// with contiguous lines, of its steps.
template <int Lines, int Depth>
__device__ inline void fetch_lines(std::uint32_t to, const CUtensorMap& map, Major major, std::int32_t line,
                                   std::int32_t depth, std::uint32_t barrier, bool issues) {
  if (major == Major::depth) {
    ptx::load_box(to, map, depth, line, barrier, issues);
  } else {
    constexpr int blocks = (Lines + Depth - 1) / Depth, block_bytes = Depth * 128;
    for (int block = 0; block < blocks; ++block)
      ptx::load_box(to + block * block_bytes, map, line + Depth * block, depth, barrier, issues);
  }
}

template <int Lines, int Depth, int Parts>
__device__ inline void fetch_shared_lines(std::uint32_t to, const CUtensorMap& map, Major major, std::int32_t line,
                                          std::int32_t depth, std::uint32_t barrier, int part, bool issues) {
  constexpr int line_bytes = 128, block_bytes = Depth * line_bytes;
  constexpr std::uint16_t all = (1 << Parts) - 1;
  if (major == Major::depth) {
    constexpr int lines = Lines / Parts;
    ptx::load_box_of_blocks(to + part * lines * line_bytes, map, depth, line + part * lines, barrier, all, issues);
  } else {
    constexpr int blocks = (Lines + Depth - 1) / Depth, steps = Depth / Parts;
    for (int block = 0; block < blocks; ++block)
      ptx::load_box_of_blocks(to + block * block_bytes + part * steps * line_bytes, map, line + Depth * block,
                              depth + part * steps, barrier, all, issues);
  }
}

/// Fetches the operands of one step of a work item to an empty stage.
template <class Config, class Product>
__device__ inline void fetch_step(const WgmmaPipeline<Config>& pipeline, int stage, const Product& p,
                                  const CudaWork& work, std::int32_t step, int part, bool issues) {
  const std::uint32_t full = pipeline.full(stage);
  const std::int32_t depth = step * Config::tile_k;
  ptx::barrier_arrive_expect(full, p.left_fetch.bytes + p.right_fetch.bytes, issues);
  fetch_lines<Config::tile_m, Config::tile_k>(pipeline.left(stage), p.left, p.left_fetch.major, work.row, depth, full,
                                              issues);
  if constexpr (Config::tile_teams == 1) {
    fetch_lines<Config::tile_n, Config::tile_k>(pipeline.right(stage), p.right, p.right_fetch.major, work.column, depth,
                                                full, issues);
  } else {
    fetch_shared_lines<Config::tile_n, Config::tile_k, Config::tile_teams>(
        pipeline.right(stage), p.right, p.right_fetch.major, work.column, depth, full, part, issues);
  }
}

/// The steps of a work item as they are fetched; consumers need not know which one is which.
template <class Product>
__device__ inline SpreadSteps steps_of(const Product& p, const CudaWork& work, std::uint32_t number) {
  return {work.step_begin, work.step_end, number, p.left_fetch.is_crowded || p.right_fetch.is_crowded};
}

/// Fetches the first step of a team that has its tile for itself, whose stage is empty from the beginning. Returns how
/// many steps that are: 1 or 0.
template <class Config, class Arguments>
__device__ inline int produce_first(const WgmmaPipeline<Config>& pipeline, const Arguments& arguments,
                                    std::uint32_t team, bool issues) {
  const typename Arguments::turns turns(arguments.shares, team);
  if (turns.is_over()) return 0;
  const auto& p           = arguments.products[turns.product()];
  const CudaWork work     = arguments.work_of(p, turns.number());
  const SpreadSteps steps = steps_of(p, work, turns.number());
  if (steps.are_over()) return 0;
  fetch_step(pipeline, 0, p, work, steps.step(), 0, issues);
  return 1;
}

/// Until all consumers of the tile are done with all stages, the next of which is `stage`: those of another team tell
/// this one's barriers, which must be there.
template <class Config>
__device__ inline void wait_until_released(const WgmmaPipeline<Config>& pipeline, WgmmaStage<Config> stage) {
  for (int s = 0; s < Config::stages; ++s) {
    ptx::barrier_wait(pipeline.empty(stage.index), stage.parity);
    stage.next();
  }
}

/// Fetches the operands of all work items, in order, as stages become empty, for the team that has this part of them.
/// The steps that have been fetched before are left out.
template <class Config, class Arguments>
__device__ inline void produce(const WgmmaPipeline<Config>& pipeline, const Arguments& arguments, std::uint32_t number,
                               int fetched, bool issues, int part = 0) {
  WgmmaStage<Config> stage{fetched, 1};
  for (typename Arguments::turns turns(arguments.shares, number); !turns.is_over(); turns.next()) {
    const auto& p       = arguments.products[turns.product()];
    const CudaWork work = part_of<Config>(arguments.work_of(p, turns.number()), part);
    SpreadSteps steps   = steps_of(p, work, turns.number());
    if (fetched > 0) steps.next();
    for (; !steps.are_over(); steps.next()) {
      ptx::barrier_wait(pipeline.empty(stage.index), stage.parity);
      fetch_step(pipeline, stage.index, p, work, steps.step(), part, issues);
      stage.next();
    }
    fetched = 0;
  }
  if constexpr (Config::tile_teams > 1) wait_until_released(pipeline, stage);
}

}  // namespace Tegula::Impl

#endif
