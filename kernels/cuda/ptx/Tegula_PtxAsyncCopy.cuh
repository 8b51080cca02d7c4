// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_ASYNC_COPY_CUH
#define TEGULA_PTX_ASYNC_COPY_CUH

#include <cstdint>

/// Copies from global to shared memory that a thread need not wait for. Sections are those of NVIDIA's PTX ISA manual
/// 8.x. Addresses `to` are of the shared window, as shared_address() gives them.

namespace Tegula::Impl::ptx {

/// "cp.async": 4, 8 or 16 bytes. Both addresses are multiples of that.
template <int Bytes>
__device__ inline void copy_unit(std::uint32_t to, const void* from) {
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
  }
}

/// The same, but only the first `bytes` are read, maybe none, and the others become zero.
template <int Bytes>
__device__ inline void copy_part_of_unit(std::uint32_t to, const void* from, int bytes) {
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "r"(bytes)
                 : "memory");
  }
}

/// "cp.async.commit_group": ends the thread's group of copies.
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// "cp.async.wait_group": until all but the thread's last `Pending` groups have arrived.
template <int Pending>
__device__ inline void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

/// "st.shared": 16 bytes at a multiple of 16.
__device__ inline void store_chunk(std::uint32_t to, const std::uint32_t (&words)[4]) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]),
               "r"(words[3])
               : "memory");
}

}  // namespace Tegula::Impl::ptx

#endif
