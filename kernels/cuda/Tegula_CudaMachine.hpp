// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_MACHINE_HPP
#define TEGULA_CUDA_MACHINE_HPP

#include <cstddef>

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

/// What the planners of the families for tensor cores know of the machine.
struct CudaMachine {
  int multiprocessors;
  std::size_t scratch_max;  // of a team, at level 0
};

#ifdef KOKKOS_ENABLE_CUDA
inline CudaMachine cuda_machine(const Kokkos::Cuda& exec) {
  // scratch_size_max speaks of the largest team; what smaller ones may have is the device's limit less what Kokkos
  // keeps for a team. Before Kokkos 5.2 there is no more than the 48 KiB that need no asking.
  constexpr std::size_t unasked = 48 * 1024, kept = 8 * 1024;
  const cudaDeviceProp& device = exec.cuda_device_prop();
  const bool asks              = Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0) > int(unasked);
  return {device.multiProcessorCount, (asks ? device.sharedMemPerBlockOptin : unasked) - kept};
}
#endif

}  // namespace Tegula::Impl

#endif
