// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_FMA_CUH
#define TEGULA_PTX_FMA_CUH

/// Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "fma.rn.f32": sum += a b, rounded once. The compiler keeps the order of these statements, which decides how often a
/// register is read.
__device__ inline void multiply_add(float& sum, float a, float b) {
  asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(a), "f"(b));
}

}  // namespace Tegula::Impl::ptx

#endif
