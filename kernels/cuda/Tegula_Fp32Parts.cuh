// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_PARTS_CUH
#define TEGULA_FP32_PARTS_CUH

#include <cstdint>

/// Products of floats from three products of TF32: what is computed, and how large its error may be.
///
///   x = h + l / 2^11 + r,        x y ~ h h' + (h l' + l h') / 2^11
///
/// h and l have 11 bits, so that |r| <= 2u |x|, u = 2^-24, and l l' / 2^22, which is left out, is at most 4u |x y|:
/// together 8u |x y|. TF32 has the exponents of float, and l those of x. So this holds for every x from 2^-125 on; what
/// is below has |r| <= 2^-148. No data have to be looked at before.
///
/// Inf and NaN, and what h rounds to Inf, have no l. They make a sum Inf or NaN; such sums are formed by fused
/// multiply-adds again.

namespace Tegula::Impl {

/// Parts of four floats: h and l.
struct Fp32Parts {
  std::uint32_t high[4], low[4];

  static constexpr float low_factor = 2048;

  // h is rounded to nearest. l has 12 bits before, of which tensor cores cut off one. Of a NaN at least the low part is
  // one.
  __device__ void split(const std::uint32_t (&words)[4]) {
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      high[w] = (words[w] + 0x1000) & 0xFFFFE000;
      low[w]  = __float_as_uint((__uint_as_float(words[w]) - __uint_as_float(high[w])) * low_factor);
    }
  }
};

}  // namespace Tegula::Impl

#endif
