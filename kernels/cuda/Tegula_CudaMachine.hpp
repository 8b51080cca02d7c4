// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_MACHINE_HPP
#define TEGULA_CUDA_MACHINE_HPP

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
  constexpr std::size_t kept = 8 * 1024;  // by Kokkos, for the largest team
  return {cuda_device(exec).multiprocessors, cuda_scratch(exec) - kept};
}
#endif

}  // namespace Tegula::Impl

#endif
