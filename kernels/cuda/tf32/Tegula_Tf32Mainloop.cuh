// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MAINLOOP_CUH
#define TEGULA_TF32_MAINLOOP_CUH

#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxWgmma.cuh"
#include "../wgmma/Tegula_WgmmaPipeline.cuh"
#include "../wgmma/Tegula_WgmmaRows.hpp"
#include "Tegula_Tf32Rows.hpp"

/// The main loops of a consumer warpgroup. The right operand has contiguous depth and is read from scratch by the
/// tensor cores. So is the left one if its depth is contiguous; otherwise threads bring it to registers.

namespace Tegula::Impl {

/// The sums of a consumer, as WgmmaTf32 lays them out.
template <class Config>
using Tf32Sums = float[Config::tile_n / 2];

template <class Config>
inline constexpr int tf32_parts = Config::tile_k / 8;  // of a stage: what one instruction takes

/// A consumer in its pipeline.
template <class Config>
struct Tf32Consumer {
  const WgmmaPipeline<Config>& pipeline;
  int number, thread;

  __device__ std::uint32_t left(int stage) const { return pipeline.left(stage) + number * 64 * Config::line_bytes; }
  __device__ void give_back(std::uint32_t empty) const {
    if (thread == 0) ptx::barrier_arrive(empty);
  }
};

/// sums += left right^T over `steps` stages, both operands with contiguous depth. The wgmma of one stage run while the
/// next one is waited for; then the stage before is released.
template <class Config>
__device__ inline void multiply_add_depth(const Tf32Consumer<Config>& consumer, int steps, WgmmaStage<Config>& stage,
                                          Tf32Sums<Config>& sums) {
  using Multiply         = ptx::WgmmaTf32<Config::tile_n>;
  const auto& pipeline   = consumer.pipeline;
  std::uint32_t previous = 0;  // the barrier `empty` of the stage before
#pragma unroll 2
  for (int step = 0; step < steps; ++step) {
    ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
    ptx::wgmma_fence();
    const std::uint64_t left  = ptx::wgmma_descriptor(consumer.left(stage.index), Major::depth);
    const std::uint64_t right = ptx::wgmma_descriptor(pipeline.right(stage.index), Major::depth);
#pragma unroll
    for (int part = 0; part < tf32_parts<Config>; ++part)
      Multiply::multiply_add(sums, left + part * ptx::wgmma_tf32_depth_step, right + part * ptx::wgmma_tf32_depth_step);
    ptx::wgmma_commit();
    ptx::wgmma_wait<1>();
    if (step > 0) consumer.give_back(previous);
    previous = pipeline.empty(stage.index);
    stage.next();
  }
  ptx::wgmma_wait<0>();
  if (steps > 0) consumer.give_back(previous);
}

/// What a thread has of the left operand in a stage.
template <class Config>
using Tf32Fragments = std::uint32_t[tf32_parts<Config>][4];

/// The place of a thread's part of the left operand, from the beginning of the consumer's lines.
struct Tf32Places {
  std::uint32_t first, second;  // its steps of the first part

  __device__ explicit Tf32Places(int thread) {
    const WgmmaThread at(thread);
    const int line = wgmma_line(Major::lines, at, 0);
    first          = tf32_left_place(line, at.quarter);
    second         = tf32_left_place(line, at.quarter + 4);
  }
  __device__ void load(std::uint32_t left, int part, std::uint32_t (&fragment)[4]) const {
    const std::uint32_t rows = left + part * 8 * 128;
    ptx::load_pair(first + rows, fragment[0], fragment[1]);
    ptx::load_pair(second + rows, fragment[2], fragment[3]);
  }
};

/// The same for a left operand with contiguous lines. While a stage is multiplied, the fragments of the next one are
/// loaded to registers that a part of the stage before has left.
template <class Config>
__device__ inline void multiply_add_lines(const Tf32Consumer<Config>& consumer, int steps, WgmmaStage<Config>& stage,
                                          Tf32Sums<Config>& sums) {
  constexpr int parts  = tf32_parts<Config>;
  using Multiply       = ptx::WgmmaTf32<Config::tile_n>;
  const auto& pipeline = consumer.pipeline;
  const Tf32Places places(consumer.thread);
  if (steps == 0) return;
  Tf32Fragments<Config> even, odd;
  std::uint32_t previous = 0;  // the barrier `empty` of the stage before
  const auto multiply    = [&]<bool more>(Tf32Fragments<Config>& now, Tf32Fragments<Config>& next) {
    const std::uint64_t right = ptx::wgmma_descriptor(pipeline.right(stage.index), Major::depth);
    const std::uint32_t empty = pipeline.empty(stage.index);
    stage.next();
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      ptx::wgmma_fence();
      Multiply::multiply_add(sums, now[part], right + part * ptx::wgmma_tf32_depth_step);
      ptx::wgmma_commit();
      ptx::wgmma_wait<parts - 1>();
      if constexpr (more) {
        if (part == 0) ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
        places.load(consumer.left(stage.index), part, next[part]);
      }
    }
    if (previous != 0) consumer.give_back(previous);
    previous = empty;
  };
  ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
#pragma unroll
  for (int part = 0; part < parts; ++part) places.load(consumer.left(stage.index), part, even[part]);
#pragma unroll 1
  for (; steps > 2; steps -= 2) {
    multiply.template operator()<true>(even, odd);
    multiply.template operator()<true>(odd, even);
  }
  if (steps == 2) {
    multiply.template operator()<true>(even, odd);
    multiply.template operator()<false>(odd, even);
  } else {
    multiply.template operator()<false>(even, odd);
  }
  ptx::wgmma_wait<0>();
  consumer.give_back(previous);
}

}  // namespace Tegula::Impl

#endif
