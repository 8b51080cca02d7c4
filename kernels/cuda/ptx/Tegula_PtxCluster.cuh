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

/// "barrier.cluster": all threads of all blocks arrive before any goes on, and see what others wrote before.
__device__ inline void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;" ::
          : "memory");
#endif
}

/// The same for threads that wrote nothing but barriers, behind their fence: to publish what was written takes 0.7 us,
/// since it waits for memory.
__device__ inline void cluster_barrier_after_init() {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "barrier.cluster.arrive.relaxed.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;" ::
          : "memory");
#endif
}

/// "mapa" and "ld.shared::cluster": an element of another block's shared memory, which lies there as `address` does in
/// the own one.
__device__ inline float load_of_block(std::uint32_t address, int rank, float) {
  float value = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %1, %2;\nld.shared::cluster.f32 %0, [there];\n}"
               : "=f"(value)
               : "r"(address), "r"(rank)
               : "memory");
#endif
  return value;
}
__device__ inline double load_of_block(std::uint32_t address, int rank, double) {
  double value = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %1, %2;\nld.shared::cluster.f64 %0, [there];\n}"
               : "=d"(value)
               : "r"(address), "r"(rank)
               : "memory");
#endif
  return value;
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
