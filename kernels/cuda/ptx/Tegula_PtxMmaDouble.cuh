// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_MMA_DOUBLE_CUH
#define TEGULA_PTX_MMA_DOUBLE_CUH

#include <cstdint>

/// What a warp does with matrices of doubles in its registers. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "ld.shared": a double at an address of the shared window, a multiple of 8.
__device__ inline double load_double(std::uint32_t from) {
  double value;
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(from) : "memory");
  return value;
}

/// "mma.sync.m8n8k4": sums += left right^T, 8 lines each and 4 steps of depth. Lane l has line l / 4 and step l mod 4
/// of both operands, and row l / 4, columns 2 (l mod 4) and the next, of the sums.
__device__ inline void multiply_add(double& first, double& second, double left, double right) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(first), "+d"(second)
               : "d"(left), "d"(right));
}

/// "mma.sync.m16n8k4" (compute capability 9.0): the same with 16 lines of left. Lane l has lines l / 4 and l / 4 + 8 of
/// left; s[0, 1] and s[2, 3] are its sums of these rows. Older devices compute it in two instructions.
__device__ inline void multiply_add(double (&s)[4], const double (&left)[2], const double (&right)[1]) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
               : "d"(left[0]), "d"(left[1]), "d"(right[0]));
#else
  for (int half = 0; half < 2; ++half) multiply_add(s[2 * half], s[2 * half + 1], left[half], right[0]);
#endif
}

/// "mma.sync.m16n8k8" (compute capability 9.0): the same with 8 steps. What a lane has of the last four steps follows
/// what it has of the first four. Older devices compute it in four instructions.
__device__ inline void multiply_add(double (&s)[4], const double (&left)[4], const double (&right)[2]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
      : "d"(left[0]), "d"(left[1]), "d"(left[2]), "d"(left[3]), "d"(right[0]), "d"(right[1]));
#else
  for (int step = 0; step < 2; ++step)
    for (int half = 0; half < 2; ++half) multiply_add(s[2 * half], s[2 * half + 1], left[2 * step + half], right[step]);
#endif
}

}  // namespace Tegula::Impl::ptx

#endif
