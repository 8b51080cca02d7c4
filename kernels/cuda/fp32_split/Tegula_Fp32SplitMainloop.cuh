// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MAINLOOP_CUH
#define TEGULA_FP32_SPLIT_MAINLOOP_CUH

#include <cstddef>
#include <utility>

#include "../ptx/Tegula_PtxWgmma.cuh"
#include "../wgmma/Tegula_WgmmaPipeline.cuh"
#include "Tegula_Fp32SplitConfig.hpp"
#include "Tegula_Fp32SplitPass.hpp"

/// The main loop of a consumer warpgroup: tensor cores form products of parts; the sum of products of first parts is
/// added in float after every chunk.

namespace Tegula::Impl {

/// A position in the ring of any scheme: see WgmmaStage.
struct Fp32SplitStage {
  int index;
  std::uint32_t parity;

  template <int stages>
  __device__ void next() {
    if (++index == stages) {
      index = 0;
      parity ^= 1;
    }
  }
};

/// Sums of the tensor cores. high: products of first parts, of one chunk. low: all other products.
template <class Config>
struct PartSums {
  float high[Config::tile_n / 2], low[Config::tile_n / 2];
};

/// Steps of depth whose products of first parts are added in float: half a stage. Then tensor cores cut off no more
/// when they add than SGEMM rounds off, also where all products have the same sign.
inline constexpr int split_chunk = 32;

/// sums += left right^T, or sums = left right^T, for one pair of parts of a chunk.
template <class Config, class Scheme, PartPair pair, bool adds>
__device__ inline void multiply_parts(float (&sums)[Config::tile_n / 2], std::uint64_t left, std::uint64_t right) {
  using Ring     = Fp32SplitRing<Config, Scheme>;
  using Input    = std::conditional_t<Scheme::input == Element::f16, F16, Bf16>;
  using Multiply = ptx::Wgmma<Input, Config::tile_n, Major::depth, Major::depth>;
  left += pair.left * Ring::left_part >> 4;
  right += pair.right * Ring::right_part >> 4;
  constexpr std::uint64_t step = ptx::wgmma_depth_step<Major::depth>;
  Multiply::template multiply_add<adds>(sums, left, right);
#pragma unroll
  for (int i = 1; i < split_chunk / 16; ++i) Multiply::multiply_add(sums, left + i * step, right + i * step);
}

/// A consumer's products of parts. Two descriptors show its lines of a chunk.
template <class Config, class Scheme>
class PartProducts {
 public:
  using Pipeline = WgmmaPipeline<Fp32SplitRing<Config, Scheme>>;

  __device__ PartProducts(const Pipeline& pipeline, int consumer, bool signals, Fp32SplitStage& stage,
                          Fp32SplitSums<Config>& sums)
      : pipeline_(pipeline), consumer_(consumer), signals_(signals), stage_(stage), sums_(sums) {
#pragma unroll
    for (float& sum : parts_.low) sum = 0;
  }

  /// sums += left right^T over `steps` > 0 stages, scaled. While products of first parts are added, tensor cores
  /// multiply the other parts of the next chunk.
  __device__ void add(int steps) {
    enter_stage();
    multiply_low();
#pragma unroll 1
    for (int chunk = 1; chunk < steps * chunks; ++chunk) {
      multiply_high();
      const bool leaves         = chunk % chunks == 0;
      const std::uint32_t empty = pipeline_.empty(stage_.index);
      go_on(leaves);
      multiply_low();
      ptx::wgmma_wait<1>();
      if (signals_ && leaves) ptx::barrier_arrive(empty);
      add_high();
    }
    multiply_high();
    ptx::wgmma_wait<0>();
    if (signals_) ptx::barrier_arrive(pipeline_.empty(stage_.index));
    stage_.template next<Ring::stages>();
    add_high();
#pragma unroll
    for (int e = 0; e < Config::tile_n / 2; ++e) sums_[e] = fmaf(parts_.low[e], Scheme::factor, sums_[e]);
  }

 private:
  using Ring                  = Fp32SplitRing<Config, Scheme>;
  static constexpr int chunks = split_depth / split_chunk;

  // Waits for the operands of a stage, and begins with its first chunk.
  __device__ void enter_stage() {
    ptx::barrier_wait(pipeline_.full(stage_.index), stage_.parity);
    left_  = ptx::wgmma_descriptor(pipeline_.left(stage_.index) + consumer_ * 64 * Config::line_bytes, Major::depth);
    right_ = ptx::wgmma_descriptor(pipeline_.right(stage_.index), Major::depth);
  }

  // Moves to the next chunk.
  __device__ void go_on(bool leaves_stage) {
    constexpr std::uint64_t step = ptx::wgmma_depth_step<Major::depth> * (split_chunk / 16);
    if (leaves_stage) {
      stage_.template next<Ring::stages>();
      enter_stage();
    } else {
      left_ += step;
      right_ += step;
    }
  }

  __device__ void multiply_high() {
    ptx::wgmma_fence();
    multiply_parts<Config, Scheme, PartPair{0, 0}, false>(parts_.high, left_, right_);
    ptx::wgmma_commit();
  }
  __device__ void multiply_low() {
    constexpr std::size_t further = sizeof(Scheme::further) / sizeof(PartPair);
    ptx::wgmma_fence();
    [&]<std::size_t... pairs>(std::index_sequence<pairs...>) {
      (multiply_parts<Config, Scheme, Scheme::further[pairs], true>(parts_.low, left_, right_), ...);
    }
    (std::make_index_sequence<further>());
    ptx::wgmma_commit();
  }
  __device__ void add_high() {
#pragma unroll
    for (int e = 0; e < Config::tile_n / 2; ++e) sums_[e] += parts_.high[e];
  }

  const Pipeline& pipeline_;
  int consumer_;
  bool signals_;
  Fp32SplitStage& stage_;
  Fp32SplitSums<Config>& sums_;
  PartSums<Config> parts_;
  std::uint64_t left_, right_;
};

}  // namespace Tegula::Impl

#endif
