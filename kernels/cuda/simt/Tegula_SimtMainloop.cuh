// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MAINLOOP_CUH
#define TEGULA_SIMT_MAINLOOP_CUH

#include <algorithm>

#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxFma.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_SimtConfig.hpp"
#include "Tegula_SimtFetch.cuh"

/// The main loop of a team.

namespace Tegula::Impl {

/// The sums of a thread.
template <class Config>
using SimtSums = float[Config::blocks_m * Config::block][Config::blocks_n * Config::block];

/// What a thread multiplies in one step of depth: blocks of 4 lines, which lie `lanes` times 4 lines apart.
template <int Blocks, int Lanes, int Pitch>
struct SimtFragment {
  float of[Blocks][4];

  __device__ void read(std::uint32_t line, int depth) {
#pragma unroll
    for (int block = 0; block < Blocks; ++block)
      ptx::load_vector(line + (depth * Pitch + block * Lanes * 4) * 4, of[block]);
  }
};

/// The main loop of a warp: sums += left right^T over its slice of each of `steps` tiles that two fetchers bring.
///
/// A stage is free as soon as all warps have read the last step of depth in it. They read the first one of the next
/// stage before they multiply that last one. From then on until the next stage is free it is filled again, by copies
/// that are spread over the multiplications.
template <class Config, class LeftFetch, class RightFetch>
class SimtMainloop {
  using Left  = SimtFragment<Config::blocks_m, Config::lane_rows, Config::tile_m + Config::padding>;
  using Right = SimtFragment<Config::blocks_n, Config::lane_columns, Config::tile_n + Config::padding>;

 public:
  __device__ SimtMainloop(const SimtOperand<float>& left, const SimtOrigin& left_origin,
                          const SimtOperand<float>& right, const SimtOrigin& right_origin, int steps,
                          std::uint32_t scratch, int warp, int thread, SimtSums<Config>& sums)
      : left_fetch_(left, left_origin, thread),
        right_fetch_(right, right_origin, thread),
        left_origin_(left_origin),
        right_origin_(right_origin),
        steps_(steps),
        whole_steps_(min(LeftFetch::whole_steps(left, left_origin), RightFetch::whole_steps(right, right_origin))),
        filled_steps_(min(LeftFetch::filled_steps(left, left_origin), RightFetch::filled_steps(right, right_origin))),
        thread_(thread),
        scratch_(scratch),
        left_at_(((warp / Config::group_warps * Config::slice) * (Config::tile_m + Config::padding) +
                  row_of(warp, thread % 32)) *
                 4),
        right_at_(Config::left_bytes +
                  ((warp / Config::group_warps * Config::slice) * (Config::tile_n + Config::padding) +
                   column_of(warp, thread % 32)) *
                      4),
        sums_(sums) {}

  /// The first row and column of a thread's sums within the tile.
  static __device__ int row_of(int warp, int lane) {
    return warp % Config::group_warps / Config::warps_n * Config::warp_m + lane / Config::lane_columns * Config::block;
  }
  static __device__ int column_of(int warp, int lane) {
    return warp % Config::warps_n * Config::warp_n + lane % Config::lane_columns * Config::block;
  }

  __device__ void run() {
#pragma unroll 1
    for (int step = 0; step < Config::stages - 1; ++step)
#pragma unroll
      for (int part = 0; part < parts; ++part) fetch(step, scratch_ + step * Config::stage_bytes, part);
    free_  = scratch_ + (Config::stages - 1) * Config::stage_bytes;
    stage_ = scratch_;
    wait();
    read(0);
#pragma unroll 1
    for (int step = 0; step < steps_; ++step) multiply_step(step);
    ptx::wait_copies<0>();
  }

 private:
  // Copies of a step are issued in parts, with some multiplications between: all at once would wait for each other.
  static constexpr int parts = std::max(1, Config::slice / 8), steps_per_part = Config::slice / parts;

  __device__ void multiply_step(int step) {
#pragma unroll
    for (int k = 0; k < Config::slice; ++k) {
      if (k % steps_per_part == 0) fetch(step + Config::stages - 1, free_, k / steps_per_part);
      if (k + 1 == Config::slice) go_on();
      read(k + 1);
      multiply_add(left_[k % 2], right_[k % 2]);
    }
  }

  // Moves from one stage to the next.
  __device__ void go_on() {
    wait();
    free_  = stage_;
    stage_ = stage_ + Config::stage_bytes == scratch_ + Config::stages * Config::stage_bytes
                 ? scratch_
                 : stage_ + Config::stage_bytes;
  }

  // Neighbouring products have a factor in common, whose register is not read again.
  __device__ void multiply_add(const Left& left, const Right& right) {
    constexpr int rows = Config::blocks_m * 4, columns = Config::blocks_n * 4;
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int i = j % 2 == 0 ? r : rows - 1 - r;
        ptx::multiply_add(sums_[i][j], left.of[i / 4][i % 4], right.of[j / 4][j % 4]);
      }
  }

  // Waits until the next stage has arrived and nobody reads the last one.
  __device__ void wait() {
    ptx::wait_copies<Config::stages - 2>();
    __syncthreads();
  }

  __device__ void read(int k) {
    right_[k % 2].read(stage_ + right_at_, k % Config::slice);
    left_[k % 2].read(stage_ + left_at_, k % Config::slice);
  }

  // Fetches one of several parts of the tile of a step to a stage; does nothing beyond the last step.
  __device__ void fetch(int step, std::uint32_t to, int part) {
    if (step < whole_steps_) {
      left_fetch_.copy(to, part, parts);
      right_fetch_.copy(to + Config::left_bytes, part, parts);
    } else if (step < filled_steps_) {
      left_fetch_.copy_lines_inside(to, part, parts, left_origin_, thread_);
      right_fetch_.copy_lines_inside(to + Config::left_bytes, part, parts, right_origin_, thread_);
    } else if (part == 0 && step < steps_) {
      left_fetch_.copy_ragged(to, left_origin_, step, thread_);
      right_fetch_.copy_ragged(to + Config::left_bytes, right_origin_, step, thread_);
    }
    if (part + 1 < parts) return;
    left_fetch_.go_on();
    right_fetch_.go_on();
    ptx::commit_copies();
  }

  LeftFetch left_fetch_;
  RightFetch right_fetch_;
  const SimtOrigin &left_origin_, &right_origin_;
  int steps_, whole_steps_, filled_steps_, thread_;
  std::uint32_t scratch_, stage_, free_;
  std::uint32_t left_at_, right_at_;
  Left left_[2];
  Right right_[2];
  SimtSums<Config>& sums_;
};

}  // namespace Tegula::Impl

#endif
