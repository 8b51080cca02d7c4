// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CUDA_WORKSPACE_HPP
#define TEGULA_PERF_CUDA_WORKSPACE_HPP

#include <cstddef>

#include "Tegula_PerfCuda.hpp"

namespace Tegula::Perf {

/// Memory on the device that a call of cuBLAS or cuBLASLt may use, one call at a time.
struct CudaWorkspace {
  void* data;
  std::size_t bytes;
};

/// Four times the size that NVIDIA advises for Hopper, kept as long as the process lives. The libraries want it aligned
/// to 256 bytes, so it comes from the CUDA runtime: the data of a View begin 128 bytes into what Kokkos allocates.
inline const CudaWorkspace& cuda_workspace() {
  static const CudaWorkspace workspace = [] {
    CudaWorkspace fresh{nullptr, std::size_t(128) << 20};
    check_cuda(cudaMalloc(&fresh.data, fresh.bytes), "cudaMalloc of the workspace of cuBLAS");
    return fresh;
  }();
  return workspace;
}

}  // namespace Tegula::Perf

#endif
