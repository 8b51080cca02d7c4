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

/// "mma.sync.m16n8k4" (compute capability 9.0): sums += left right^T, where left is 16 lines and right 8 lines of 4
/// steps of depth. Lane l has of left lines l / 4 and that plus 8, of right line l / 4, at step l mod 4; of the sums
/// rows l / 4 and that plus 8: s[0, 1] and s[2, 3], columns 2 (l mod 4) and the next.
__device__ inline void multiply_add(double (&s)[4], const double (&left)[2], const double (&right)[1]) {
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
               : "d"(left[0]), "d"(left[1]), "d"(right[0]));
}

/// "mma.sync.m16n8k8": the same of 8 steps: behind each other the elements of the first four and of the others.
__device__ inline void multiply_add(double (&s)[4], const double (&left)[4], const double (&right)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
      : "d"(left[0]), "d"(left[1]), "d"(left[2]), "d"(left[3]), "d"(right[0]), "d"(right[1]));
}

/// "mma.sync.m16n8k16": the same of 16 steps.
__device__ inline void multiply_add(double (&s)[4], const double (&left)[8], const double (&right)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
      : "d"(left[0]), "d"(left[1]), "d"(left[2]), "d"(left[3]), "d"(left[4]), "d"(left[5]), "d"(left[6]), "d"(left[7]),
        "d"(right[0]), "d"(right[1]), "d"(right[2]), "d"(right[3]));
}

}  // namespace Tegula::Impl::ptx

#endif
