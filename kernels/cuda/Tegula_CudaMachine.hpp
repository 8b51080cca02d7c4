// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_MACHINE_HPP
#define TEGULA_CUDA_MACHINE_HPP

#include <algorithm>
#include <cstddef>

#include "Tegula_CudaDevice.hpp"

namespace Tegula::Impl {

/// What the planners of the families for CUDA know of the machine.
struct CudaMachine {
  int multiprocessors;
  std::size_t scratch_max;  // of a team, at level 0
};

#ifdef KOKKOS_ENABLE_CUDA
inline CudaMachine cuda_machine(const Kokkos::Cuda& exec) {
  // scratch_size_max speaks of the largest team; what smaller ones may have is the limit less what Kokkos keeps for a
  // team. Before Kokkos 5.2 that limit is the 48 KiB that need no asking. Later it is that of Kokkos' default device,
  // whatever the instance's own device has.
  constexpr std::size_t unasked = 48 * 1024, kept = 8 * 1024;
  const CudaDevice& device    = cuda_device(exec);
  const bool asks             = Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0) > int(unasked);
  const std::size_t of_kokkos = asks ? exec.cuda_device_prop().sharedMemPerBlockOptin : unasked;
  return {device.multiprocessors, std::min(of_kokkos, device.opt_in_scratch) - kept};
}
#endif

}  // namespace Tegula::Impl

#endif
