// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_TENSOR_COPY_CUH
#define TEGULA_PTX_TENSOR_COPY_CUH

#include <cuda.h>

#include <cstdint>

/// TMA: copies boxes of a matrix that a tensor map describes, to shared memory and back. Elements outside the matrix
/// are read as zero and not written. Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "prefetch.tensormap"
__device__ inline void prefetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<std::uint64_t>(&map)) : "memory");
}

/// "cp.async.bulk.tensor", global to shared: the box that begins at (fast, slow). The barrier counts its bytes. One
/// lane of a warp issues it: where all lanes come here, as is_elected() says, operands are in the registers that a warp
/// shares.
__device__ inline void load_box(std::uint32_t to, const CUtensorMap& map, std::int32_t fast, std::int32_t slow,
                                std::uint32_t barrier, bool issues = true) {
  asm volatile(
      "{\n"
      ".reg .pred issues;\n"
      "setp.ne.b32 issues, %5, 0;\n"
      "@issues cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%3, %4}], [%2];\n"
      "}" ::"r"(to),
      "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(barrier), "r"(fast), "r"(slow), "r"(int(issues))
      : "memory");
}

/// The same for the blocks of a cluster whose bits are set in `blocks`: each gets the box where `to` is in its own
/// shared memory, and its bytes are counted by its own barrier.
__device__ inline void load_box_of_blocks(std::uint32_t to, const CUtensorMap& map, std::int32_t fast,
                                          std::int32_t slow, std::uint32_t barrier, std::uint16_t blocks,
                                          bool issues = true) {
  asm volatile(
      "{\n"
      ".reg .pred issues;\n"
      "setp.ne.b32 issues, %6, 0;\n"
      "@issues cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%3, %4}], [%2], %5;\n"
      "}" ::"r"(to),
      "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(barrier), "r"(fast), "r"(slow), "h"(blocks), "r"(int(issues))
      : "memory");
}

/// "cp.async.bulk.tensor", shared to global: the box that begins at (fast, slow), in the thread's next group.
__device__ inline void store_box(const CUtensorMap& map, std::uint32_t from, std::int32_t fast, std::int32_t slow) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
                   reinterpret_cast<std::uint64_t>(&map)),
               "r"(from), "r"(fast), "r"(slow)
               : "memory");
}

/// "cp.async.bulk.commit_group": ends the thread's group of stores.
__device__ inline void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/// "cp.async.bulk.wait_group.read": until all but the thread's last `Pending` groups have read shared memory.
template <int Pending>
__device__ inline void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

/// "fence.proxy.async": what this thread wrote to shared memory may be read by TMA and by wgmma.
__device__ inline void shared_to_tma_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

}  // namespace Tegula::Impl::ptx

#endif
