// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_CLUSTER_CUH
#define TEGULA_PTX_CLUSTER_CUH

#include <cstdint>

/// Blocks of a cluster, which reach each other's shared memory: compute capability 9.0 and newer. Sections are those of
/// NVIDIA's PTX ISA manual 8.x. On older devices there are no clusters, and nothing here is ever called.

namespace Tegula::Impl::ptx {

/// "%cluster_ctarank": the number of a block in its cluster.
__device__ inline int cluster_rank() {
  std::uint32_t rank = 0;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return static_cast<int>(rank);
}

/// "barrier.cluster": all threads of all blocks arrive before any that waits goes on. Says nothing of what was written
/// but of barriers, behind their fence: to publish what was written takes 0.7 us, since it waits for memory.
__device__ inline void cluster_arrive_after_init() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}
__device__ inline void cluster_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/// "mapa" and "st.async": writes an element to another block's shared memory, and delivers its bytes to a barrier of
/// that block. Both addresses are those that the own block has at the same place.
__device__ inline void store_to_block(std::uint32_t address, float value, std::uint32_t barrier, int rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n.reg .b32 there, barrier;\nmapa.shared::cluster.u32 there, %0, %3;\n"
      "mapa.shared::cluster.u32 barrier, %2, %3;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [there], %1, [barrier];\n}" ::"r"(address),
      "f"(value), "r"(barrier), "r"(rank)
      : "memory");
#endif
}
__device__ inline void store_to_block(std::uint32_t address, double value, std::uint32_t barrier, int rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n.reg .b32 there, barrier;\nmapa.shared::cluster.u32 there, %0, %3;\n"
      "mapa.shared::cluster.u32 barrier, %2, %3;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [there], %1, [barrier];\n}" ::"r"(address),
      "d"(value), "r"(barrier), "r"(rank)
      : "memory");
#endif
}

/// "mapa" and "mbarrier.arrive": arrives at another block's barrier, which lies there as `barrier` does in the own one.
/// Says nothing of what this thread wrote: a release for the whole cluster would wait for memory, in every call.
__device__ inline void barrier_arrive_at_block(std::uint32_t barrier, int rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
      "r"(rank)
      : "memory");
#endif
}

}  // namespace Tegula::Impl::ptx

#endif
