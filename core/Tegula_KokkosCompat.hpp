// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KOKKOS_COMPAT_HPP
#define TEGULA_KOKKOS_COMPAT_HPP

/// With Tegula_KokkosBasics.hpp all that differs between Kokkos 3.4 and 5.2, so that no other file asks for a version.

#include <Kokkos_Core.hpp>
#include <type_traits>

#include "Tegula_DeviceMacros.hpp"
#include "Tegula_KokkosBasics.hpp"

namespace Tegula {

// On a build without a device Kokkos makes both 16-bit types an alias of float. TEGULA_HAS_HALF and TEGULA_HAS_BHALF
// tell whether they are types of their own.
#define TEGULA_HAS_HALF (!KOKKOS_HALF_T_IS_FLOAT)
using half_t = Kokkos::Experimental::half_t;
#ifdef KOKKOS_BHALF_T_IS_FLOAT
#define TEGULA_HAS_BHALF (!KOKKOS_BHALF_T_IS_FLOAT)
using bhalf_t = Kokkos::Experimental::bhalf_t;
#else  // before Kokkos 3.6
#define TEGULA_HAS_BHALF 0
using bhalf_t = float;
#endif

namespace Impl {

template <class T>
concept IsExecutionSpace = Kokkos::is_execution_space<T>::value;

template <class ExecutionSpace>
inline constexpr bool is_host_space = std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

// Whether a kernel is done when its parallel_for returns. Kokkos' other space of the host, HPX, may only queue it.
template <class ExecutionSpace>
inline constexpr bool is_done_at_return = false;
#ifdef KOKKOS_ENABLE_SERIAL
template <>
inline constexpr bool is_done_at_return<Kokkos::Serial> = true;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
inline constexpr bool is_done_at_return<Kokkos::OpenMP> = true;
#endif
#ifdef KOKKOS_ENABLE_THREADS
template <>
inline constexpr bool is_done_at_return<Kokkos::Threads> = true;
#endif

// Whether the library has kernel families of its own for an execution space of CUDA.
template <class ExecutionSpace>
inline constexpr bool has_cuda_families = false;
#if TEGULA_HAS_MMA
template <>
inline constexpr bool has_cuda_families<Kokkos::Cuda> = true;
#endif

}  // namespace Impl
}  // namespace Tegula

#endif
