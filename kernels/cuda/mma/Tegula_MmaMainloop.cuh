// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MAINLOOP_CUH
#define TEGULA_MMA_MAINLOOP_CUH

#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_MmaFetch.cuh"

/// The inner loop of a team.

namespace Tegula::Impl {

/// The sums of a warp: blocks of 16 x 8 as ptx::multiply_add holds them.
template <class Config>
using MmaSums = float[Config::warp_m / 16][Config::warp_n / 8][4];

/// What a warp multiplies at once: its lines of an operand, 16 at a time, of 16 steps of depth.
template <int WarpLines>
using MmaFragments = std::uint32_t[WarpLines / 16][4];

template <class Layout, int WarpLines>
__device__ inline void read_fragments(std::uint32_t tile, const typename Layout::Lane& lane, Major major, int part,
                                      MmaFragments<WarpLines>& fragments) {
#pragma unroll
  for (int block = 0; block < WarpLines / 16; ++block) {
    if (major == Major::depth) {
      ptx::load_matrices(tile + lane.offset(block, part), fragments[block]);
    } else {
      ptx::load_matrices_transposed(tile + lane.offset(block, part), fragments[block]);
    }
  }
}

template <class Config, class Input>
__device__ inline void multiply_add(const MmaFragments<Config::warp_m>& left, const MmaFragments<Config::warp_n>& right,
                                    MmaSums<Config>& sums) {
#pragma unroll
  for (int i = 0; i < Config::warp_m / 16; ++i)
#pragma unroll
    for (int j = 0; j < Config::warp_n / 8; ++j)
      ptx::multiply_add(Input(), sums[i][j], left[i], right[j / 2][j % 2], right[j / 2][j % 2 + 2]);
}

/// sums += left right^T over `steps` tiles that two fetchers bring. A stage is filled again as soon as all warps have
/// read its last part, and they read the first part of the next stage before they multiply that last one.
template <class Config, class Input, Major left_major, Major right_major, class LeftFetch, class RightFetch>
__device__ inline void multiply_add(LeftFetch left_fetch, RightFetch right_fetch, std::uint32_t scratch, int warp,
                                    int lane, int steps, MmaSums<Config>& sums) {
  using LeftLayout  = MmaLayout<left_major, Config::tile_m, Config::tile_k>;
  using RightLayout = MmaLayout<right_major, Config::tile_n, Config::tile_k>;
  const typename LeftLayout::Lane left_lane(warp / Config::warps_n * Config::warp_m, lane);
  const typename RightLayout::Lane right_lane(warp % Config::warps_n * Config::warp_n, lane);
  MmaFragments<Config::warp_m> left[2];
  MmaFragments<Config::warp_n> right[2];

  const auto fetch = [&](std::uint32_t stage) {
    left_fetch.next(stage);
    right_fetch.next(stage + Config::left_bytes);
    ptx::commit_copies();
  };
  const auto read = [&](std::uint32_t stage, int part) {
    read_fragments<LeftLayout, Config::warp_m>(stage, left_lane, left_major, part, left[part % 2]);
    read_fragments<RightLayout, Config::warp_n>(stage + Config::left_bytes, right_lane, right_major, part,
                                                right[part % 2]);
  };

  const std::uint32_t end = scratch + Config::used_bytes;
#pragma unroll 1
  for (std::uint32_t stage = scratch; stage != end; stage += Config::stage_bytes) fetch(stage);
  ptx::wait_copies<Config::stages - 1>();
  __syncthreads();
  read(scratch, 0);
  std::uint32_t stage = scratch;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int part = 0; part < Config::parts; ++part) {
      if (part + 1 < Config::parts) {
        read(stage, part + 1);
      } else {
        ptx::wait_copies<Config::stages - 2>();
        __syncthreads();
        const std::uint32_t free = stage;
        stage                    = stage + Config::stage_bytes == end ? scratch : stage + Config::stage_bytes;
        read(stage, 0);
        fetch(free);
      }
      multiply_add<Config, Input>(left[part % 2], right[part % 2], sums);
    }
  }
}

/// The same for directions that are known only now; the instructions that read fragments must know them when they are
/// compiled. Where an operand is gathered, so is the other one.
template <class Config, class Input>
__device__ inline void multiply_add(const MmaOperand& left, const MmaOrigin& left_origin, const MmaOperand& right,
                                    const MmaOrigin& right_origin, std::uint32_t scratch, int thread, int warp,
                                    int steps, MmaSums<Config>& sums) {
  const int lane      = thread % 32;
  const auto multiply = [&]<Major left_major, Major right_major>() {
    multiply_add<Config, Input, left_major, right_major>(
        MmaFetch<Config, left_major, Config::tile_m>(left, thread, left_origin),
        MmaFetch<Config, right_major, Config::tile_n>(right, thread, right_origin), scratch, warp, lane, steps, sums);
  };
  if (!left.whole_chunks || !right.whole_chunks) {
    multiply_add<Config, Input, Major::depth, Major::depth>(
        MmaGather<Config, Config::tile_m>(left, thread, left_origin),
        MmaGather<Config, Config::tile_n>(right, thread, right_origin), scratch, warp, lane, steps, sums);
  } else if (left.major == Major::depth) {
    if (right.major == Major::depth) {
      multiply.template operator()<Major::depth, Major::depth>();
    } else {
      multiply.template operator()<Major::depth, Major::lines>();
    }
  } else {
    if (right.major == Major::depth) {
      multiply.template operator()<Major::lines, Major::depth>();
    } else {
      multiply.template operator()<Major::lines, Major::lines>();
    }
  }
}

}  // namespace Tegula::Impl

#endif
