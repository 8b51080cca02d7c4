// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOPPER_KERNELS_HPP
#define TEGULA_HOPPER_KERNELS_HPP

#include <cstddef>

#include "Tegula_CudaDevice.hpp"
#include "Tegula_CudaSelfCheck.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA
/// Whether kernels for Hopper run here: they want compute capability 9.0, `scratch` bytes for a team, and tensor maps
/// that stay where TMA finds them.
inline bool runs_hopper_kernels(const Kokkos::Cuda& exec, std::size_t scratch) {
  return cuda_device(exec).major == 9 && cuda_machine(exec).scratch_max >= scratch &&
         cuda_facts(exec).functors_stay_parameters;
}
#endif

}  // namespace Tegula::Impl

#endif
