// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_SHARED_CUH
#define TEGULA_PTX_SHARED_CUH

#include <cstdint>

/// Loads from shared memory and stores to it. Sections are those of NVIDIA's PTX ISA manual 8.x.

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

__device__ inline void load_vector(std::uint32_t from, std::uint32_t (&to)[4]) {
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

/// "ld.shared.v2": 8 bytes at a multiple of 8.
__device__ inline void load_vector(std::uint32_t from, float (&to)[2]) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "r"(from) : "memory");
}
__device__ inline void load_pair(std::uint32_t from, std::uint32_t& first, std::uint32_t& second) {
  asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(first), "=r"(second) : "r"(from) : "memory");
}

/// "st.shared.v2": 8 bytes at a multiple of 8.
__device__ inline void store_pair(std::uint32_t to, float first, float second) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to), "f"(first), "f"(second) : "memory");
}

/// "st.shared.v2": 16 bytes at a multiple of 16.
__device__ inline void store_pair(std::uint32_t to, double first, double second) {
  asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(to), "d"(first), "d"(second) : "memory");
}

/// "st.shared.v4": 16 bytes at a multiple of 16.
__device__ inline void store_vector(std::uint32_t to, const float (&of)[4]) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(of[0]), "f"(of[1]), "f"(of[2]), "f"(of[3])
               : "memory");
}
__device__ inline void store_vector(std::uint32_t to, const double (&of)[2]) { store_pair(to, of[0], of[1]); }

/// "st.shared.v4": 16 bytes at a multiple of 16.
__device__ inline void store_word(std::uint32_t to, const uint4& word) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w)
               : "memory");
}

__device__ inline void store_vector(std::uint32_t to, const std::uint32_t (&of)[4]) {
  store_word(to, {of[0], of[1], of[2], of[3]});
}

/// "ld.shared"
__device__ inline void load_element(std::uint32_t from, std::uint32_t& to) {
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(to) : "r"(from) : "memory");
}
__device__ inline void load_element(std::uint32_t from, float& to) {
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(to) : "r"(from) : "memory");
}
__device__ inline void load_element(std::uint32_t from, double& to) {
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(to) : "r"(from) : "memory");
}

/// "ld.shared.u16": 2 bytes, with zeros before them.
__device__ inline std::uint32_t load_16_bits(std::uint32_t from) {
  std::uint32_t bits;
  asm volatile("ld.shared.u16 %0, [%1];" : "=r"(bits) : "r"(from) : "memory");
  return bits;
}

/// "st.shared"
__device__ inline void store_element(std::uint32_t to, std::uint16_t value) {
  asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(value) : "memory");
}
__device__ inline void store_element(std::uint32_t to, std::uint32_t value) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(value) : "memory");
}
__device__ inline void store_element(std::uint32_t to, float value) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");
}
__device__ inline void store_element(std::uint32_t to, double value) {
  asm volatile("st.shared.f64 [%0], %1;" ::"r"(to), "d"(value) : "memory");
}

}  // namespace Tegula::Impl::ptx

#endif
