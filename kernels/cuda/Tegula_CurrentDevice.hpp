// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CURRENT_DEVICE_HPP
#define TEGULA_CURRENT_DEVICE_HPP

#include <stdexcept>
#include <string>

#include "Tegula_KokkosCompat.hpp"

#ifdef KOKKOS_ENABLE_CUDA
namespace Tegula::Impl {

/// Tensor maps are encoded by the driver, which wants the context that the runtime makes current in a thread of the
/// host only when it is called there.
inline void make_current(const Kokkos::Cuda& exec) {
  if (const cudaError_t error = cudaSetDevice(exec.cuda_device()); error != cudaSuccess)
    throw std::runtime_error(std::string("Tegula: cudaSetDevice: ") + cudaGetErrorString(error));
}

}  // namespace Tegula::Impl
#endif

#endif
