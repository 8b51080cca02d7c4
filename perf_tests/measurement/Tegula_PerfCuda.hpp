// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CUDA_HPP
#define TEGULA_PERF_CUDA_HPP

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace Tegula::Perf {

/// Throws std::runtime_error if a function of the CUDA runtime failed.
inline void check_cuda(cudaError_t status, const char* function) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(function) + ": " + cudaGetErrorString(status));
}

}  // namespace Tegula::Perf

#endif
