// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_MMA_TF32_CUH
#define TEGULA_PTX_MMA_TF32_CUH

#include <cstdint>

/// What a warp does with matrices of floats in its registers. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "ld.shared": 4 bytes at an address of the shared window, a multiple of 4.
__device__ inline std::uint32_t load_word(std::uint32_t from) {
  std::uint32_t word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(from) : "memory");
  return word;
}

/// "cvt.rna.tf32": a float rounded to 11 bits, to the nearest, ties away from zero. Inf remains, and NaN but
/// for one whose 11 bits are those of Inf.
__device__ inline std::uint32_t round_to_tf32(std::uint32_t bits) {
  std::uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(bits)));
  return rounded;
}

/// "mma.sync.m16n8k8" of TF32: sums += left right^T; left is 16 lines and right 8 lines of 8 steps of depth. Registers
/// of left: lines 0 to 7 and 8 to 15 of the first 4 steps, then of the other 4. Registers of right: the first 4 steps,
/// the other 4. Of each lane l has line l / 4, step l mod 4. Sums are those of 16 bits.
__device__ inline void multiply_add(float, float (&s)[4], const std::uint32_t (&left)[4], std::uint32_t right_first,
                                    std::uint32_t right_second) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_first), "r"(right_second));
}

}  // namespace Tegula::Impl::ptx

#endif
