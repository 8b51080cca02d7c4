// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OWN_MEMORY_HPP
#define TEGULA_OWN_MEMORY_HPP

#include <cstddef>
#include <exception>
#include <string>

#include "Tegula_KeptMemory.hpp"
#include "Tegula_KokkosCompat.hpp"
#include "cuda/Tegula_CudaMemory.hpp"
#include "host/Tegula_HostMemory.hpp"

/// Memory for the workspace of a call that was given none. It is there before the call queues anything, so that a call
/// without memory leaves all as it was. An execution space has it in one of three ways, here and nowhere else.

namespace Tegula::Impl {

/// Throws as the other ways do.
template <class ExecutionSpace>
auto allocated_memory(const ExecutionSpace& exec, const char* call, const MemoryUse& use, std::size_t bytes) {
  try {
    // Through the instance, whose device need not be Kokkos' default one.
    return Kokkos::View<char*, typename ExecutionSpace::memory_space>(
        Kokkos::view_alloc(exec, std::string(use.label), Kokkos::WithoutInitializing), bytes);
  } catch (const std::exception& error) {  // of one type or another, by the version of Kokkos
    fail_without_memory(call, use, bytes, error.what());
  }
}

/// What every space can do: allocate, and wait until the kernels are done with the memory before it goes.
template <class ExecutionSpace, class Launch>
void with_fenced_memory(const ExecutionSpace& exec, const char* call, std::size_t bytes, const Launch& launch) {
  const auto memory = allocated_memory(exec, call, workspace_memory, bytes);
  launch(memory.data());
  exec.fence();
}

/// Calls launch(workspace), which queues the kernels of a call, "gemm", on exec. The workspace has so many bytes.
template <class ExecutionSpace, class Launch>
void with_own_memory(const ExecutionSpace& exec, const char* call, std::size_t bytes, const Launch& launch) {
  if constexpr (is_done_at_return<ExecutionSpace>) {
    const HostMemory memory(call, bytes);
    launch(memory.data());
  } else {
    with_fenced_memory(exec, call, bytes, launch);
  }
}

#ifdef KOKKOS_ENABLE_CUDA
template <class Launch>
void with_own_memory(const Kokkos::Cuda& exec, const char* call, std::size_t bytes, const Launch& launch) {
  if (const cudaMemPool_t pool = CudaMemory::pool(exec)) {
    const CudaMemory memory(exec, pool, call, bytes);
    launch(memory.data());
  } else {
    with_fenced_memory(exec, call, bytes, launch);
  }
}
#endif

}  // namespace Tegula::Impl

#endif
