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

/// Reads the fragments of a warp out of a tile in scratch.
template <Major major, int TileLines, int WarpLines, int TileK>
class MmaReader {
  using Layout                 = MmaLayout<major, TileLines, TileK>;
  static constexpr int blocks  = WarpLines / 16, parts = TileK / 16;
  static constexpr int columns = major == Major::depth ? parts : blocks;

 public:
  __device__ MmaReader(MatrixOrder order, int first_line, int lane) {
    const typename Layout::Lane at(order, first_line, lane);
#pragma unroll
    for (int column = 0; column < columns; ++column) at_[column] = ptx::kept(at.offset(0, column));
  }

  __device__ void operator()(std::uint32_t tile, int part, MmaFragments<WarpLines>& fragments) const {
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
      if (major == Major::depth) {
        ptx::load_matrices(tile + at_[part] + Layout::row_offset(block), fragments[block]);
      } else {
        ptx::load_matrices_transposed(tile + at_[block] + Layout::row_offset(part), fragments[block]);
      }
    }
  }

 private:
  int at_[columns];  // of what the lane names in the first 16 rows
};

template <class Config, class Input>
__device__ inline void multiply_add(const MmaFragments<Config::warp_m>& left, const MmaFragments<Config::warp_n>& right,
                                    MmaSums<Config>& sums) {
#pragma unroll
  for (int i = 0; i < Config::warp_m / 16; ++i)
#pragma unroll
    for (int j = 0; j < Config::warp_n / 8; ++j)
      ptx::multiply_add(Input(), sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
}

/// sums += left right^T over `steps` tiles that two fetchers bring. A stage is filled again as soon as all warps have
/// read its last part, and they read the first part of the next stage before they multiply that last one.
template <class Config, class Input, Major left_major, Major right_major, class LeftFetch, class RightFetch>
__device__ inline void multiply_add(LeftFetch left_fetch, RightFetch right_fetch, std::uint32_t whole_steps,
                                    std::uint32_t scratch, int warp, int lane, int steps, MmaSums<Config>& sums) {
  const MmaReader<left_major, Config::tile_m, Config::warp_m, Config::tile_k> read_left(
      MatrixOrder::lines_first, warp / Config::warps_n * Config::warp_m, lane);
  const MmaReader<right_major, Config::tile_n, Config::warp_n, Config::tile_k> read_right(
      MatrixOrder::depth_first, warp % Config::warps_n * Config::warp_n, lane);
  // Fragments of one part are read while those of the part before are multiplied, in turn. What lies beyond the last
  // step is zero.
  constexpr int steps_at_once = Config::parts % 2 == 0 ? 1 : 2;
  MmaFragments<Config::warp_m> left[2];
  MmaFragments<Config::warp_n> right[2];

  std::uint32_t fetched = 0;

  const auto fetch = [&](std::uint32_t stage) {
    if (fetched++ < whole_steps) {
      left_fetch.next_whole(stage);
      right_fetch.next_whole(stage + Config::left_bytes);
    } else {
      left_fetch.next(stage);
      right_fetch.next(stage + Config::left_bytes);
    }
    ptx::commit_copies();
  };
  const auto read = [&](std::uint32_t stage, int part) {
    read_left(stage, part % Config::parts, left[part % 2]);
    read_right(stage + Config::left_bytes, part % Config::parts, right[part % 2]);
  };

  const std::uint32_t end = scratch + Config::used_bytes;
#pragma unroll 1
  for (std::uint32_t stage = scratch; stage != end; stage += Config::stage_bytes) fetch(stage);
  ptx::wait_copies<Config::stages - 1>();
  __syncthreads();
  read(scratch, 0);
  std::uint32_t stage = scratch;
#pragma unroll 1
  for (int step = 0; step < steps; step += steps_at_once) {
#pragma unroll
    for (int part = 0; part < steps_at_once * Config::parts; ++part) {
      if ((part + 1) % Config::parts != 0) {
        read(stage, part + 1);
      } else {
        ptx::wait_copies<Config::stages - 2>();
        __syncthreads();
        const std::uint32_t free = stage;
        stage                    = stage + Config::stage_bytes == end ? scratch : stage + Config::stage_bytes;
        read(stage, part + 1);
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
    using LeftFetch  = MmaFetch<Config, left_major, Config::tile_m>;
    using RightFetch = MmaFetch<Config, right_major, Config::tile_n>;
    const std::uint32_t left_whole  = LeftFetch::whole_steps(left, left_origin),
                        right_whole = RightFetch::whole_steps(right, right_origin);
    multiply_add<Config, Input, left_major, right_major>(
        LeftFetch(left, thread, left_origin), RightFetch(right, thread, right_origin),
        left_whole < right_whole ? left_whole : right_whole, scratch, warp, lane, steps, sums);
  };
  if (!left.whole_chunks || !right.whole_chunks) {
    multiply_add<Config, Input, Major::depth, Major::depth>(
        MmaGather<Config, Config::tile_m>(left, thread, left_origin),
        MmaGather<Config, Config::tile_n>(right, thread, right_origin), 0, scratch, warp, lane, steps, sums);
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
