// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32X3_MAINLOOP_CUH
#define TEGULA_TF32X3_MAINLOOP_CUH

#include "Tegula_Tf32Mainloop.cuh"
#include "Tegula_Tf32x3Splitter.cuh"

/// The main loop of a consumer warpgroup that multiplies floats in two parts each (Fp32Parts): three products of TF32.
/// It splits its lines of the left operand in registers.

namespace Tegula::Impl {

/// The place of a thread's part of a left operand with contiguous depth, as Tf32Places: rows of 128 bytes with the
/// 128-byte swizzle.
struct Tf32DepthPlaces {
  std::uint32_t row, swizzle;  // of its first row

  __device__ explicit Tf32DepthPlaces(int thread) {
    const WgmmaThread at(thread);
    const int line = wgmma_line(Major::depth, at, 0);
    row            = line * 128 + at.quarter * 4;
    swizzle        = line % 8 << 4;
  }
  __device__ void load(std::uint32_t left, int part, std::uint32_t (&fragment)[4]) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const std::uint32_t at = left + row + ((2 * part + half) << 4 ^ swizzle);
      ptx::load_element(at, fragment[2 * half]);
      ptx::load_element(at + 8 * 128, fragment[2 * half + 1]);
    }
  }
};

/// A consumer's products. Errors are bounded as Fp32Parts says. Tensor cores form the products exactly, eight at a
/// time, add them, and cut off what is below the last bit of a float: those of high parts of a stage, whose sum is then
/// added in float, and those with low parts all the way, which are smaller by 2^10.
template <class Config, Major left_major>
class Tf32x3Products {
 public:
  __device__ Tf32x3Products(const Tf32Consumer<Config>& consumer, const Tf32x3Barriers<Config>& barriers,
                            WgmmaStage<Config>& stage, Tf32Sums<Config>& sums)
      : consumer_(consumer), barriers_(barriers), places_(consumer.thread), stage_(stage), sums_(sums) {}

  /// sums += left right^T over `steps` stages. While tensor cores multiply half of one, the next half is split.
  __device__ void add(int steps) {
    if (steps == 0) return;
#pragma unroll
    for (float& sum : low_) sum = 0;
    begin();
    // In this form ptxas knows what is still multiplied when sums are read, and lets it run.
#pragma unroll 1
    for (; steps > 2; steps -= 2) {
      go_on();
      go_on();
    }
    if (steps == 2) {
      go_on();
      end();
    } else {
      end();
    }
#pragma unroll
    for (int e = 0; e < sums; ++e) sums_[e] = fmaf(low_[e], 1 / Fp32Parts::low_factor, sums_[e]);
  }

 private:
  static constexpr int parts = tf32_parts<Config> / 2, sums = Config::tile_n / 2;  // of half a stage
  using Multiply = ptx::WgmmaTf32<Config::tile_n>;
  using Places   = std::conditional_t<left_major == Major::depth, Tf32DepthPlaces, Tf32Places>;

  // A thread's lines of half a stage.
  using Fragments = Fp32Parts[parts];

  __device__ void begin() {
    Fragments first;
    enter_stage(first);
    multiply_low(0, first);
    multiply_high<false>(0, first);
    multiply_second_half();
  }
  __device__ void go_on() {
    const std::uint32_t before = empty_;
    Fragments first;
    enter_stage(first);
    multiply_low(0, first);
    ptx::wgmma_wait<1>();  // the stage before is multiplied
    leave(before);
    multiply_high<false>(0, first);
    multiply_second_half();
  }
  __device__ void end() {
    ptx::wgmma_wait<0>();
    leave(empty_);
  }
  __device__ void multiply_second_half() {
    Fragments left;
    split_left(1, left);
    multiply_low(1, left);
    ptx::wgmma_wait<1>();  // registers of the first half are free
    multiply_high<true>(1, left);
    stage_.next();
  }

  // Waits for the operands of a stage, and splits the first half of the left one.
  __device__ void enter_stage(Fragments& left) {
    ptx::barrier_wait(consumer_.pipeline.full(stage_.index), stage_.parity);
    empty_ = consumer_.pipeline.empty(stage_.index);
    split_left(0, left);
    ptx::barrier_wait(barriers_.split(stage_.index), stage_.parity);
  }
  // All products of a stage are there.
  __device__ void leave(std::uint32_t empty) {
    consumer_.give_back(empty);
#pragma unroll
    for (int e = 0; e < sums; ++e) sums_[e] += high_[e];
  }

  __device__ void split_left(int half, Fragments& left) const {
    std::uint32_t words[parts][4];
#pragma unroll
    for (int p = 0; p < parts; ++p) places_.load(consumer_.left(stage_.index), half * parts + p, words[p]);
#pragma unroll
    for (int p = 0; p < parts; ++p) left[p].split(words[p]);
  }

  // Tensor cores have the products with low parts to form while those of high parts of the stage before are added.
  __device__ void multiply_low(int half, const Fragments& left) {
    ptx::wgmma_fence();
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      Multiply::multiply_add(low_, left[p].low, right_of(half, p, 0));
      Multiply::multiply_add(low_, left[p].high, right_of(half, p, Config::right_bytes));
    }
    ptx::wgmma_commit();
  }
  template <bool adds>
  __device__ void multiply_high(int half, const Fragments& left) {
    ptx::wgmma_fence();
    Multiply::template multiply_add<adds>(high_, left[0].high, right_of(half, 0, 0));
#pragma unroll
    for (int p = 1; p < parts; ++p) Multiply::multiply_add(high_, left[p].high, right_of(half, p, 0));
    ptx::wgmma_commit();
  }
  __device__ std::uint64_t right_of(int half, int part, int offset) const {
    return ptx::wgmma_descriptor(consumer_.pipeline.right(stage_.index) + offset, Major::depth) +
           (half * parts + part) * ptx::wgmma_tf32_depth_step;
  }

  const Tf32Consumer<Config>& consumer_;
  Tf32x3Barriers<Config> barriers_;
  Places places_;
  WgmmaStage<Config>& stage_;
  Tf32Sums<Config>& sums_;
  std::uint32_t empty_ = 0;  // the barrier of the last stage
  float low_[sums], high_[sums];
};

}  // namespace Tegula::Impl

#endif
