// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_PRODUCT_CUH
#define TEGULA_NARROW_PRODUCT_CUH

#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_NarrowOperands.cuh"

namespace Tegula::Impl {

/// What a warp has of a tile: the sums of 64 lines of the long operand, and of all steps of depth from number `slot`
/// on, every `slots`-th.
template <class Config, class Input, NarrowForm form>
class NarrowProduct {
  using Long  = NarrowLong<form>;
  using Short = NarrowShort<Config::blocks>;

 public:
  __device__ NarrowProduct(const NarrowArguments& arguments, std::int32_t row, std::int32_t column, int lane)
      : p_(arguments), row_(row), column_(column), lane_(lane) {}

  __device__ void run(int slot, int slots) {
    const int whole = p_.depth / narrow_step;
    int step        = slot;
#pragma unroll 1
    for (; step < whole; step += slots) multiply_step(step * narrow_step);
    if (step == whole && p_.depth > whole * narrow_step) multiply_rest(whole * narrow_step);
  }

  /// Writes the sums to scratch, row by row.
  __device__ void put(float* to) const {
#pragma unroll
    for (int group = 0; group < Long::groups; ++group)
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float* const pair                   = sums_[group][block] + 2 * half;
          *reinterpret_cast<float2*>(to + Long::line_of(lane_, group, half) * Config::pitch + block * 8 +
                                     lane_ % 4 * 2) = {pair[0], pair[1]};
        }
  }

 private:
  // Chunks that are on their way at a time: runs that are not aligned take two registers for one.
  static constexpr int chunks = narrow_step / narrow_chunk, at_once = has_aligned_runs(form) ? chunks : 1;

  __device__ void multiply_step(std::int32_t depth) {
#pragma unroll
    for (int first = 0; first < chunks; first += at_once) {
      Long of_long[at_once];
      Short of_short[at_once];
#pragma unroll
      for (int c = 0; c < at_once; ++c) {
        of_long[c].ask(p_, row_, depth + (first + c) * narrow_chunk, narrow_chunk, lane_);
        of_short[c].ask(p_, column_, depth + (first + c) * narrow_chunk, narrow_chunk, lane_);
      }
#pragma unroll
      for (int c = 0; c < at_once; ++c) multiply<true>(of_long[c], of_short[c]);
    }
  }

  __device__ void multiply_rest(std::int32_t depth) {
#pragma unroll 1
    for (; depth < p_.depth; depth += narrow_chunk) {
      Long of_long;
      Short of_short;
      of_long.ask(p_, row_, depth, p_.depth - depth, lane_);
      of_short.ask(p_, column_, depth, p_.depth - depth, lane_);
      multiply<false>(of_long, of_short);
    }
  }

  template <bool is_whole>
  __device__ void multiply(const Long& of_long, const Short& of_short) {
    of_long.template for_each<is_whole>([&](int group, int half, const std::uint32_t(&left)[4]) {
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block)
        ptx::multiply_add(Input(), sums_[group][block], left, of_short.pair(block, half, 0),
                          of_short.pair(block, half, 1));
    });
  }

  const NarrowArguments& p_;
  std::int32_t row_, column_;
  int lane_;
  float sums_[Long::groups][Config::blocks][4] = {};
};

}  // namespace Tegula::Impl

#endif
