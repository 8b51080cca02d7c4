// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MAINLOOP_CUH
#define TEGULA_MMA_MAINLOOP_CUH

#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_MmaFetch.cuh"
#include "Tegula_MmaFragments.cuh"

/// The inner loop of a team.

namespace Tegula::Impl {

/// The sums of a warp: blocks of 16 x 8 as ptx::multiply_add holds them.
template <class Config>
using MmaSums = float[Config::warp_m / 16][Config::warp_n / 8][4];

/// sums += left right^T for one part. Calls between(number, count) for number = 0 ... count - 1 along the way.
template <class Config, class Input, class Function>
__device__ inline void multiply_add(const MmaFragments<Config::warp_m>& left, const MmaFragments<Config::warp_n>& right,
                                    MmaSums<Config>& sums, const Function& between) {
  constexpr int rows = Config::warp_m / 16;
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < Config::warp_n / 8; ++j)
      ptx::multiply_add(Input(), sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
    between(i, rows);
  }
}

/// The main loop of a warp: sums += left right^T over `steps` tiles that two fetchers bring.
///
/// A stage is free as soon as all warps have read its last part, and they read the first part of the next stage before
/// they multiply that last one. From then on until the next stage is free it is filled again. Copies of tiles that lie
/// within the operands are spread over the multiplications between: all at once they would wait for each other's
/// registers.
template <class Config, class Input, Major left_major, Major right_major, class LeftFetch, class RightFetch>
class MmaMainloop {
 public:
  __device__ MmaMainloop(const LeftFetch& left_fetch, const RightFetch& right_fetch, int steps, int whole_steps,
                         std::uint32_t scratch, int warp, int lane, MmaSums<Config>& sums)
      : left_fetch_(left_fetch),
        right_fetch_(right_fetch),
        read_left_(MatrixOrder::lines_first, warp / Config::warps_n * Config::warp_m, lane),
        read_right_(MatrixOrder::depth_first, warp % Config::warps_n * Config::warp_n, lane),
        steps_(steps),
        whole_steps_(whole_steps),
        scratch_(scratch),
        stage_(scratch),
        free_(scratch + (Config::stages - 1) * Config::stage_bytes),
        sums_(sums) {}

  __device__ void run() {
    fill();
    int step = 0;
#pragma unroll 1
    for (; step + steps_at_once - 1 + Config::stages < whole_steps_; step += steps_at_once) multiply_steps<true>(step);
    if (whole_steps_ >= Config::stages) copy(free_, copies_per_part, copies);
#pragma unroll 1
    for (; step < steps_; step += steps_at_once) multiply_steps<false>(step);
  }

 private:
  static constexpr int parts = Config::parts;
  // Fragments of one part are read while those of the part before are multiplied, in turn. What lies beyond the last
  // step is zero.
  static constexpr int steps_at_once = parts % 2 == 0 ? 1 : 2;
  // Of the copies of a stage the first come behind the barrier, the others with the parts that follow.
  static constexpr int copies          = LeftFetch::passes + RightFetch::passes;
  static constexpr int copies_per_part = (copies + parts - 1) / parts;

  __device__ void fill() {
#pragma unroll 1
    for (int step = 0; step < Config::stages - 1; ++step) {
      const std::uint32_t stage = scratch_ + step * Config::stage_bytes;
      if (step < whole_steps_) {
        copy(stage, 0, copies);
      } else {
        fetch(step, stage);
      }
      ptx::commit_copies();
    }
    if (whole_steps_ >= Config::stages) {
      copy(free_, 0, copies_per_part);
    } else {
      fetch(Config::stages - 1, free_);
    }
    ptx::wait_copies<Config::stages - 2>();
    __syncthreads();
    read(0);
  }

  template <bool whole>
  __device__ void multiply_steps(int step) {
#pragma unroll
    for (int part = 0; part < steps_at_once * parts; ++part) {
      const bool is_last = (part + 1) % parts == 0;
      if (is_last) go_on();
      read(part + 1);
      if (is_last && !whole) fetch(step + part / parts + Config::stages, free_);
      const int first = (part + 1) % parts * copies_per_part;
      multiply_add<Config, Input>(left_[part % 2], right_[part % 2], sums_, [&](int number, int count) {
        if (whole)
          copy(free_, first + number * copies_per_part / count, first + (number + 1) * copies_per_part / count);
      });
    }
  }

  // From one stage to the next.
  __device__ void go_on() {
    ptx::commit_copies();
    ptx::wait_copies<Config::stages - 2>();
    __syncthreads();
    free_  = stage_;
    stage_ = stage_ + Config::stage_bytes == scratch_ + Config::stages * Config::stage_bytes
                 ? scratch_
                 : stage_ + Config::stage_bytes;
  }

  __device__ void read(int part) {
    read_left_(stage_, part % parts, left_[part % 2]);
    read_right_(stage_ + Config::left_bytes, part % parts, right_[part % 2]);
  }

  // Copies [begin, end) of those that bring a whole tile to a stage.
  __device__ void copy(std::uint32_t stage, int begin, int end) {
#pragma unroll
    for (int number = 0; number < copies; ++number) {
      if (number < begin || number >= end) continue;
      if (number < LeftFetch::passes) {
        left_fetch_.copy(stage, number);
      } else {
        right_fetch_.copy(stage + Config::left_bytes, number - LeftFetch::passes);
      }
    }
    if (begin < copies && end >= copies) {
      left_fetch_.go_on();
      right_fetch_.go_on();
    }
  }

  // A tile all at once, whether it is whole or not; none behind the last that is multiplied.
  __device__ void fetch(int step, std::uint32_t stage) {
    if (step >= steps_ + steps_at_once - 1) return;
    left_fetch_.fetch(stage);
    right_fetch_.fetch(stage + Config::left_bytes);
  }

  LeftFetch left_fetch_;
  RightFetch right_fetch_;
  MmaReader<left_major, Config::tile_m, Config::warp_m, Config::tile_k> read_left_;
  MmaReader<right_major, Config::tile_n, Config::warp_n, Config::tile_k> read_right_;
  int steps_, whole_steps_;
  std::uint32_t scratch_, stage_, free_;
  MmaFragments<Config::warp_m> left_[2];
  MmaFragments<Config::warp_n> right_[2];
  MmaSums<Config>& sums_;
};

/// The same for directions that are known only now; the instructions that read fragments must know them when they are
/// compiled. Where an operand is gathered, so is the other one.
template <class Config, class Input>
__device__ inline void multiply_add(const MmaOperand& left, const MmaOrigin& left_origin, const MmaOperand& right,
                                    const MmaOrigin& right_origin, std::uint32_t scratch, int thread, int warp,
                                    int steps, MmaSums<Config>& sums) {
  const int lane      = thread % 32;
  const auto multiply = [&]<Major left_major, Major right_major, class LeftFetch, class RightFetch>() {
    const int left_whole  = LeftFetch::whole_steps(left, left_origin),
              right_whole = RightFetch::whole_steps(right, right_origin);
    MmaMainloop<Config, Input, left_major, right_major, LeftFetch, RightFetch>(
        LeftFetch(left, thread, left_origin), RightFetch(right, thread, right_origin), steps,
        left_whole < right_whole ? left_whole : right_whole, scratch, warp, lane, sums)
        .run();
  };
  const auto multiply_whole = [&]<Major left_major, Major right_major>() {
    multiply.template operator()<left_major, right_major, MmaFetch<Config, left_major, Config::tile_m>,
                                 MmaFetch<Config, right_major, Config::tile_n>>();
  };
  if (!left.whole_chunks || !right.whole_chunks) {
    multiply.template
    operator()<Major::depth, Major::depth, MmaGather<Config, Config::tile_m>, MmaGather<Config, Config::tile_n>>();
  } else if (left.major == Major::depth) {
    if (right.major == Major::depth) {
      multiply_whole.template operator()<Major::depth, Major::depth>();
    } else {
      multiply_whole.template operator()<Major::depth, Major::lines>();
    }
  } else {
    if (right.major == Major::depth) {
      multiply_whole.template operator()<Major::lines, Major::depth>();
    } else {
      multiply_whole.template operator()<Major::lines, Major::lines>();
    }
  }
}

}  // namespace Tegula::Impl

#endif
