// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_PAIR_CUH
#define TEGULA_PTX_PAIR_CUH

#include <cstdint>

#include "../Tegula_CudaCall.hpp"

/// Arithmetic of pairs of 16-bit numbers, the first in the lower bits. Sections are those of NVIDIA's PTX ISA manual
/// 8.x: "Half Precision Floating Point Instructions", "Half Precision Comparison Instructions".

namespace Tegula::Impl::ptx {

/// The derivative of Relu at a pair of results: 1 where they are more than 0, else 0; NaN stays.
__device__ inline std::uint32_t relu_slopes(Bf16, std::uint32_t y) {
  std::uint32_t slopes;
  asm("{\n"
      ".reg .b32 one, rest;\n"
      "set.gt.bf16x2.bf16x2 one, %1, %2;\n"
      "min.NaN.bf16x2 rest, %1, %2;\n"
      "max.NaN.bf16x2 %0, one, rest;\n"
      "}"
      : "=r"(slopes)
      : "r"(y), "r"(0));
  return slopes;
}
__device__ inline std::uint32_t relu_slopes(F16, std::uint32_t y) {
  std::uint32_t slopes;
  asm("{\n"
      ".reg .b32 one, rest;\n"
      "set.gt.f16x2.f16x2 one, %1, %2;\n"
      "min.NaN.f16x2 rest, %1, %2;\n"
      "max.NaN.f16x2 %0, one, rest;\n"
      "}"
      : "=r"(slopes)
      : "r"(y), "r"(0));
  return slopes;
}

/// Products of pairs, rounded to nearest.
__device__ inline std::uint32_t multiply_pairs(Bf16, std::uint32_t a, std::uint32_t b) {
  std::uint32_t product;
  asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
}
__device__ inline std::uint32_t multiply_pairs(F16, std::uint32_t a, std::uint32_t b) {
  std::uint32_t product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
}

}  // namespace Tegula::Impl::ptx

#endif
