// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_REFUSAL_HPP
#define TEGULA_CUDA_REFUSAL_HPP

#include <cstddef>

#include "Tegula_CudaProducts.hpp"
#include "Tegula_HopperKernels.hpp"

/// Reasons for not taking a call that several families for CUDA share.

namespace Tegula::Impl {

inline constexpr const char* no_cuda_kernels =
    "its kernels are not in this build, since Kokkos is without CUDA or no nvcc from 12.0 on was found";
inline constexpr const char* no_hopper_kernels =
    "its kernels are not in this build, since Kokkos is without CUDA or no nvcc from 12.5 on was found";

/// The reason of a family that could compute the call, where options name no family.
inline constexpr const char* faster_elsewhere = "another family is faster at this call";

#ifdef KOKKOS_ENABLE_CUDA
/// Null, or why no family for CUDA takes the call.
template <class Problem>
const char* cuda_refusal(const Kokkos::Cuda& exec, const Problem& problem) {
  if (cuda_device(exec).major < 8) return "the device is older than compute capability 8.0";
  if (!has_cuda_extents(problem)) return "an extent is too large to be counted in 32 bits";
  return nullptr;
}

/// Null, or why a family for Hopper, whose teams want `scratch` bytes, does not take the call.
template <class Problem>
const char* hopper_refusal(const Kokkos::Cuda& exec, const Problem& problem, std::size_t scratch) {
  if (cuda_device(exec).major != 9) return "the device is not of compute capability 9.0";
  if (!runs_hopper_kernels(exec, scratch))
    return "this Kokkos gives a team too little scratch (5.2 gives enough), or keeps functors where TMA cannot read";
  return cuda_refusal(exec, problem);
}
#endif

}  // namespace Tegula::Impl

#endif
