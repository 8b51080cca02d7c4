// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_MEMORY_HPP
#define TEGULA_CUDA_MEMORY_HPP

#include <cstddef>

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA

/// Memory of a device for the workspace of a call that was given none, for work on one stream. The stream has it from
/// here on, and gives it back when it has done what was queued while this lived: nobody waits, and the next call on the
/// stream has the same memory. A stream that is captured has it in the graph.
class CudaMemory {
 public:
  /// The pool that the library keeps on the instance's device, until Kokkos ends; null if that has no pools of memory.
  /// Makes the device the current one.
  static cudaMemPool_t pool(const Kokkos::Cuda& exec);

  /// Throws std::runtime_error, which names the call and the bytes, if there is no memory.
  CudaMemory(const Kokkos::Cuda& exec, cudaMemPool_t pool, const char* call, std::size_t bytes);
  ~CudaMemory();
  CudaMemory(const CudaMemory&)            = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  char* data() const { return static_cast<char*>(data_); }

 private:
  cudaStream_t stream_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

#endif

}  // namespace Tegula::Impl

#endif
