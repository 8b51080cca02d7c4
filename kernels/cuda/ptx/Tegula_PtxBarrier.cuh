// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_BARRIER_CUH
#define TEGULA_PTX_BARRIER_CUH

#include <cstdint>

#include "Tegula_PtxAddress.cuh"

/// Barriers in shared memory that count arrivals and bytes (mbarrier), and the numbered barriers of a block. Sections
/// are those of NVIDIA's PTX ISA manual 8.x. Addresses are of the shared window, as shared_address() gives them.

namespace Tegula::Impl::ptx {

/// "mbarrier.init": a barrier whose phases end after `arrivals` arrivals.
__device__ inline void barrier_init(std::uint32_t barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// "fence.mbarrier_init": makes initialised barriers visible to TMA.
__device__ inline void barrier_init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

/// "mbarrier.arrive"
__device__ inline void barrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// "mbarrier.arrive.expect_tx": arrives, and adds bytes that TMA is still to deliver in this phase. Of a warp whose
/// lanes all come here, the one that issues it does.
__device__ inline void barrier_arrive_expect(std::uint32_t barrier, std::uint32_t bytes, bool issues = true) {
  asm volatile(
      "{\n"
      ".reg .pred issues;\n"
      "setp.ne.b32 issues, %2, 0;\n"
      "@issues mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
      "}" ::"r"(barrier),
      "r"(bytes), "r"(int(issues))
      : "memory");
}

/// "mbarrier.try_wait": returns once the phase of this parity has ended.
__device__ inline void barrier_wait(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// "barrier.sync": waits for `threads` threads of the block at its barrier number `id`, 1 to 15 (0 is __syncthreads).
__device__ inline void named_barrier(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// "barrier.arrive": counts towards the same barrier, and does not wait.
__device__ inline void named_barrier_arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace Tegula::Impl::ptx

#endif
