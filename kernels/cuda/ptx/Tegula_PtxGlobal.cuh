// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_GLOBAL_CUH
#define TEGULA_PTX_GLOBAL_CUH

#include <cstdint>

/// Stores to global memory, and prefetches. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "st.global": 16 bytes at a multiple of 16, in one store; an assignment of 16 bytes may become several.
__device__ inline void store_vector(float* to, const float (&of)[4]) {
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(of[0]), "f"(of[1]), "f"(of[2]), "f"(of[3])
               : "memory");
}
__device__ inline void store_vector(double* to, const double (&of)[2]) {
  asm volatile("st.global.v2.f64 [%0], {%1, %2};" ::"l"(to), "d"(of[0]), "d"(of[1]) : "memory");
}
__device__ inline void store_vector(std::uint16_t* to, const std::uint32_t (&pairs)[4]) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]),
               "r"(pairs[3])
               : "memory");
}

/// "prefetch.global.L2": brings the line of memory that holds this address to the second cache.
__device__ inline void prefetch_line(const void* address) { asm volatile("prefetch.global.L2 [%0];" ::"l"(address)); }

}  // namespace Tegula::Impl::ptx

#endif
