// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_PRODUCT_CUH
#define TEGULA_NARROW_PRODUCT_CUH

#include "Tegula_NarrowOperands.cuh"

namespace Tegula::Impl {

/// What a warp has of a tile: the sums of 64 lines of the long operand, and of all steps of depth from number `slot`
/// on, every `slots`-th.
template <class Config, class Input, NarrowForm form>
class NarrowProduct {
  using Bits  = bits_t<Input>;
  using Sum   = sum_t<Bits>;
  using Long  = NarrowLong<Bits, form>;
  using Short = NarrowShort<Bits, Config::blocks>;

  static constexpr int step_depth = narrow_step<Bits>, chunk_depth = narrow_chunk<Bits>;

 public:
  __device__ NarrowProduct(const NarrowArguments<Bits>& arguments, std::int32_t row, std::int32_t column, int lane)
      : p_(arguments), row_(row), column_(column), lane_(lane) {}

  __device__ void run(int slot, int slots) {
    const int whole = p_.depth / step_depth;
    int step        = slot;
#pragma unroll 1
    for (; step < whole; step += slots) multiply_step(step * step_depth);
    if (step == whole && p_.depth > whole * step_depth) multiply_rest(whole * step_depth);
  }

  /// Writes the sums to scratch, row by row.
  __device__ void put(Sum* to) const {
    using Pair = std::conditional_t<sizeof(Sum) == 4, float2, double2>;
#pragma unroll
    for (int group = 0; group < Long::groups; ++group)
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const Sum* const pair                   = sums_[group][block] + 2 * half;
          *reinterpret_cast<Pair*>(to + Long::line_of(lane_, group, half) * Config::pitch + block * 8 +
                                   lane_ % 4 * 2) = {pair[0], pair[1]};
        }
  }

 private:
  // Chunks that are on their way at a time: runs that are not aligned take two registers for one.
  static constexpr int chunks = step_depth / chunk_depth, at_once = has_aligned_runs(form) ? chunks : 1;

  __device__ void multiply_step(std::int32_t depth) {
#pragma unroll
    for (int first = 0; first < chunks; first += at_once) {
      Long of_long[at_once];
      Short of_short[at_once];
#pragma unroll
      for (int c = 0; c < at_once; ++c) {
        of_long[c].ask(p_, row_, depth + (first + c) * chunk_depth, chunk_depth, lane_);
        of_short[c].ask(p_, column_, depth + (first + c) * chunk_depth, chunk_depth, lane_);
      }
#pragma unroll
      for (int c = 0; c < at_once; ++c) multiply<true>(of_long[c], of_short[c]);
    }
  }

  __device__ void multiply_rest(std::int32_t depth) {
#pragma unroll 1
    for (; depth < p_.depth; depth += chunk_depth) {
      Long of_long;
      Short of_short;
      of_long.ask(p_, row_, depth, p_.depth - depth, lane_);
      of_short.ask(p_, column_, depth, p_.depth - depth, lane_);
      multiply<false>(of_long, of_short);
    }
  }

  template <bool is_whole>
  __device__ void multiply(const Long& of_long, Short& of_short) {
    using Part = typename Short::Part;
    of_short.arrange(p_);
    of_long.template for_each<is_whole>([&](int group, int i, const Part(&left)[4]) {
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block) {
        const Part right[] = {of_short.part(block, i, 0), of_short.part(block, i, 1)};
        narrow_multiply(Input(), sums_[group][block], left, right);
      }
    });
  }

  const NarrowArguments<Bits>& p_;
  std::int32_t row_, column_;
  int lane_;
  Sum sums_[Long::groups][Config::blocks][4] = {};
};

}  // namespace Tegula::Impl

#endif
