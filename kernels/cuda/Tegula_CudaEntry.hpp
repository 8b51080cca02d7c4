// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_ENTRY_HPP
#define TEGULA_CUDA_ENTRY_HPP

#include <cstddef>
#include <cstdint>

#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"

namespace Tegula::Impl {

/// A kernel entry of Tegula's own, and what its blocks are made of.
struct CudaEntry {
  const void* function;  // __global__, of one argument
  int threads, scratch_bytes;
};

/// So many blocks, of which `cluster` neighbours each form a cluster. They may begin early where the device can do
/// that: while the kernel in front of them ends, whosever that is, for which they wait themselves
/// (ptx/Tegula_PtxDependents.cuh). They ask for scratch_bytes if that is more than what they are made of.
struct CudaGrid {
  std::uint32_t blocks;
  int cluster;
  bool begins_early;
  std::size_t scratch_bytes = 0;
};

/// Makes the entry ready on the instance's device, which is the current one: loads its code, and allows its blocks all
/// the scratch that a block can have, where a kernel that did not ask has 48 KiB. May be called while a stream is
/// captured. Throws std::runtime_error with the label.
void make_ready(const Kokkos::Cuda& exec, const CudaEntry& entry, const KernelLabel& label);

/// Queues blocks on the instance's stream, as a parallel_for does: Kokkos' tools hear of its beginning and its
/// end. The instance's device is the current one, and the entry ready there. Throws std::runtime_error with the label.
void launch_entry(const Kokkos::Cuda& exec, const KernelLabel& label, const CudaEntry& entry, const CudaGrid& grid,
                  const void* argument);

}  // namespace Tegula::Impl

#endif
