// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SELF_CHECK_HPP
#define TEGULA_CUDA_SELF_CHECK_HPP

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

/// How this Kokkos and this nvcc work together. One tiny kernel finds it out, once in a process for each device in use.
struct CudaFacts {
  /// Functors stay kernel parameters (`__grid_constant__`), where TMA can read their tensor maps. Otherwise
  /// a thread that takes the address of a member gets that of a copy of its own.
  bool functors_stay_parameters;
};

/// Throws std::runtime_error if the host and the device disagree on what a Kokkos::View looks like, as they do with
/// some pairs of Kokkos and nvcc: kernels would then silently compute nothing. May be called while a stream is
/// captured.
#ifdef KOKKOS_ENABLE_CUDA
const CudaFacts& cuda_facts(const Kokkos::Cuda& exec);
#endif

}  // namespace Tegula::Impl

#endif
