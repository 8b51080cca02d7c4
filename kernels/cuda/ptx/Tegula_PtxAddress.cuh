// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_ADDRESS_CUH
#define TEGULA_PTX_ADDRESS_CUH

#include <cstdint>

namespace Tegula::Impl::ptx {

/// The address of an object in shared memory within the shared window.
__device__ inline std::uint32_t shared_address(const void* object) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(object));
}

/// The same number, hidden from the assembler, which then keeps it in a register and does not compute it anew wherever
/// it is used. All threads of a warp call this, in a team whose threads Kokkos counts by threadIdx.y.
__device__ inline int kept(int number) { return __shfl_sync(0xFFFFFFFFu, number, static_cast<int>(threadIdx.y) % 32); }

/// "isspacep.local" of NVIDIA's PTX ISA manual 8.x: whether an address is that of a thread's own memory.
__device__ inline bool is_local(const void* address) {
  std::uint32_t is;
  asm volatile("{\n.reg .pred p;\nisspacep.local p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(is) : "l"(address));
  return is != 0;
}

}  // namespace Tegula::Impl::ptx

#endif
