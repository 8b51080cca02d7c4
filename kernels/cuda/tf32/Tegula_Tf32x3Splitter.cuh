// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32X3_SPLITTER_CUH
#define TEGULA_TF32X3_SPLITTER_CUH

#include "../Tegula_Fp32Parts.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "../wgmma/Tegula_WgmmaPipeline.cuh"
#include "Tegula_Tf32Arguments.cuh"

/// What splits the right operand: tensor cores read both parts of it from scratch. Two warps beside the producer do
/// that for all consumers, so that these wait for each other nowhere.

namespace Tegula::Impl {

/// Of the pipeline, for tf32x3: when the right operand of a stage is split.
template <class Config>
class Tf32x3Barriers {
 public:
  static constexpr int warps = 2, threads = 32 * warps;  // that split

  __device__ explicit Tf32x3Barriers(std::uint32_t scratch) : first_(scratch + Config::split_barriers_at) {}

  /// One thread calls this, before WgmmaPipeline::init().
  __device__ void init() const {
    for (int stage = 0; stage < Config::stages; ++stage) ptx::barrier_init(split(stage), warps);
  }
  __device__ std::uint32_t split(int stage) const { return first_ + 8 * stage; }

 private:
  std::uint32_t first_;
};

/// Splits a right operand: high parts take its place, low ones follow. `thread` is among those that split.
template <class Config>
__device__ inline void split_right(std::uint32_t right, int thread) {
  constexpr int threads = Tf32x3Barriers<Config>::threads, at_once = Config::teams == 1 ? 4 : 2,
                words = Config::right_bytes / 16 / threads;
  static_assert(words % at_once == 0);
  const std::uint32_t first = right + thread * 16;
#pragma unroll
  for (int w = 0; w < words; w += at_once) {
    std::uint32_t raw[at_once][4];
#pragma unroll
    for (int i = 0; i < at_once; ++i) ptx::load_vector(first + (w + i) * threads * 16, raw[i]);
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      Fp32Parts of;
      of.split(raw[i]);
      ptx::store_vector(first + (w + i) * threads * 16, of.high);
      ptx::store_vector(first + (w + i) * threads * 16 + Config::right_bytes, of.low);
    }
  }
}

/// Splits what the producer fetches for the work items of a team, in order.
template <class Config>
__device__ inline void split_right_operands(const WgmmaPipeline<Config>& pipeline,
                                            const Tf32x3Barriers<Config>& barriers, const Tf32Arguments& arguments,
                                            std::uint32_t team, int thread) {
  WgmmaStage<Config> stage{0, 0};
  for (WgmmaTurns<1> turns(arguments.shares, team); !turns.is_over(); turns.next()) {
    const CudaWork work = arguments.products[0].tiles(turns.number());
    for (std::int32_t step = work.step_begin; step < work.step_end; ++step) {
      ptx::barrier_wait(pipeline.full(stage.index), stage.parity);
      split_right<Config>(pipeline.right(stage.index), thread);
      ptx::shared_to_tma_fence();  // tensor cores see what was written
      __syncwarp();
      if (thread % 32 == 0) ptx::barrier_arrive(barriers.split(stage.index));
      stage.next();
    }
  }
}

}  // namespace Tegula::Impl

#endif
