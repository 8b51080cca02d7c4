// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_MMA_CUH
#define TEGULA_PTX_MMA_CUH

#include <cstdint>

#include "../Tegula_CudaCall.hpp"

/// What a warp does with matrices in its registers. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "ldmatrix": four 8 x 8 matrices of 16-bit elements. Lane 8 q + r gives the address of row r of matrix q. Lane l
/// gets, of row l / 4 of each matrix, elements 2 (l mod 4) and the next.
__device__ inline void load_matrices(std::uint32_t row, std::uint32_t (&fragments)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragments[0]), "=r"(fragments[1]), "=r"(fragments[2]), "=r"(fragments[3])
               : "r"(row)
               : "memory");
}

/// "ldmatrix.trans": the same, each matrix transposed.
__device__ inline void load_matrices_transposed(std::uint32_t row, std::uint32_t (&fragments)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragments[0]), "=r"(fragments[1]), "=r"(fragments[2]), "=r"(fragments[3])
               : "r"(row)
               : "memory");
}

/// "movmatrix": transposes an 8 x 8 matrix of 16-bit elements. Lane l has, of row l / 4, elements 2 (l mod 4) and the
/// next.
__device__ inline std::uint32_t transposed_matrix(std::uint32_t fragment) {
  std::uint32_t transposed;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(fragment));
  return transposed;
}

/// "mma.sync.m16n8k16": sums += left right^T; left is 16 lines and right 8 lines of 16 steps of depth. Registers of
/// left: lines 0 to 7 and 8 to 15 of the first 8 steps, then of the other 8. Registers of right: the first 8 steps, the
/// other 8. Each is as load_matrices gives it. Lane l holds row l / 4 in sums[0, 1] and the row 8 below in sums[2, 3],
/// columns 2 (l mod 4) and the next.
__device__ inline void multiply_add(Bf16, float (&s)[4], const std::uint32_t (&left)[4], std::uint32_t right_first,
                                    std::uint32_t right_second) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_first), "r"(right_second));
}
__device__ inline void multiply_add(F16, float (&s)[4], const std::uint32_t (&left)[4], std::uint32_t right_first,
                                    std::uint32_t right_second) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right_first), "r"(right_second));
}

}  // namespace Tegula::Impl::ptx

#endif
