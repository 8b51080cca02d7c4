// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_ROUND_CUH
#define TEGULA_PTX_ROUND_CUH

#include <cstdint>

/// Rounding of two floats at once. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "cvt.rn.bf16x2": both rounded to nearest, `low` in the lower half; negative numbers to zero if relu.
template <bool relu>
__device__ inline std::uint32_t round_to_bf16(float low, float high) {
  std::uint32_t pair;
  if constexpr (relu) {
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  }
  return pair;
}

/// "cvt.rn.f16x2": the same for f16.
template <bool relu>
__device__ inline std::uint32_t round_to_f16(float low, float high) {
  std::uint32_t pair;
  if constexpr (relu) {
    asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  }
  return pair;
}

}  // namespace Tegula::Impl::ptx

#endif
