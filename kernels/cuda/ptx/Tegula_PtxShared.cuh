// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_SHARED_CUH
#define TEGULA_PTX_SHARED_CUH

#include <cstdint>

/// Loads from shared memory. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "ld.shared.v4": 16 bytes at a multiple of 16.
__device__ inline void load_vector(std::uint32_t from, float (&to)[4]) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(from)
               : "memory");
}
__device__ inline void load_vector(std::uint32_t from, double (&to)[2]) {
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "r"(from) : "memory");
}

}  // namespace Tegula::Impl::ptx

#endif
