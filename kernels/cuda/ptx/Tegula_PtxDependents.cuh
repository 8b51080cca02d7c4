// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_DEPENDENTS_CUH
#define TEGULA_PTX_DEPENDENTS_CUH

/// Kernels that begin before the one in front of them has ended: compute capability 9.0 and newer. Sections are those
/// of NVIDIA's PTX ISA manual 8.x. On older devices a kernel begins when the other has ended, and nothing is to be
/// done.

namespace Tegula::Impl::ptx {

/// "griddepcontrol.wait": until the kernel in front has ended, and what it wrote is seen.
__device__ inline void wait_for_kernel_in_front() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// "griddepcontrol.launch_dependents": the kernel behind this one may begin as soon as all blocks have come here, or
/// have ended. No block comes here before all that its own kernel depends on has ended.
__device__ inline void let_kernel_behind_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// "fence.acq_rel.gpu", for a kernel that does not wait: lines that its multiprocessor kept from before are not read.
__device__ inline void forget_what_was_read_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

}  // namespace Tegula::Impl::ptx

#endif
