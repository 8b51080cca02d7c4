// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_INSTANCES_HPP
#define TEGULA_INSTANCES_HPP

#include "Tegula_KokkosCompat.hpp"

/// What a family compiles once, into the library, on the execution spaces it runs on; everything else is compiled where
/// it is used. An explicit instantiation can be neither a template nor constexpr, hence the macros. PREFIX is `extern`
/// or nothing.

// INSTANCE(PREFIX, SPACE, ...) for each execution space of the Kokkos at hand.
#ifdef KOKKOS_ENABLE_SERIAL
#define TEGULA_ON_SERIAL(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Kokkos::Serial, __VA_ARGS__)
#else
#define TEGULA_ON_SERIAL(INSTANCE, PREFIX, ...)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define TEGULA_ON_OPENMP(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Kokkos::OpenMP, __VA_ARGS__)
#else
#define TEGULA_ON_OPENMP(INSTANCE, PREFIX, ...)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define TEGULA_ON_THREADS(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Kokkos::Threads, __VA_ARGS__)
#else
#define TEGULA_ON_THREADS(INSTANCE, PREFIX, ...)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define TEGULA_ON_CUDA(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Kokkos::Cuda, __VA_ARGS__)
#else
#define TEGULA_ON_CUDA(INSTANCE, PREFIX, ...)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define TEGULA_ON_HIP(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Kokkos::HIP, __VA_ARGS__)
#else
#define TEGULA_ON_HIP(INSTANCE, PREFIX, ...)
#endif

#ifdef KOKKOS_ENABLE_SYCL
#define TEGULA_ON_SYCL(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Tegula::Impl::SyclSpace, __VA_ARGS__)
#else
#define TEGULA_ON_SYCL(INSTANCE, PREFIX, ...)
#endif
#ifdef KOKKOS_ENABLE_HPX
#define TEGULA_ON_HPX(INSTANCE, PREFIX, ...) INSTANCE(PREFIX, Kokkos::Experimental::HPX, __VA_ARGS__)
#else
#define TEGULA_ON_HPX(INSTANCE, PREFIX, ...)
#endif

// Those whose kernels are done when a call returns.
#define TEGULA_HOST_SPACES(INSTANCE, PREFIX, ...) \
  TEGULA_ON_SERIAL(INSTANCE, PREFIX, __VA_ARGS__) \
  TEGULA_ON_OPENMP(INSTANCE, PREFIX, __VA_ARGS__) \
  TEGULA_ON_THREADS(INSTANCE, PREFIX, __VA_ARGS__)

// The rest.
#define TEGULA_OTHER_SPACES(INSTANCE, PREFIX, ...) \
  TEGULA_ON_CUDA(INSTANCE, PREFIX, __VA_ARGS__)    \
  TEGULA_ON_HIP(INSTANCE, PREFIX, __VA_ARGS__)     \
  TEGULA_ON_SYCL(INSTANCE, PREFIX, __VA_ARGS__)    \
  TEGULA_ON_HPX(INSTANCE, PREFIX, __VA_ARGS__)

// Of the rest, those whose only family is the portable one.
#if TEGULA_HAS_MMA
#define TEGULA_SPACES_WITHOUT_PASSES(INSTANCE, PREFIX, ...) \
  TEGULA_ON_HIP(INSTANCE, PREFIX, __VA_ARGS__)              \
  TEGULA_ON_SYCL(INSTANCE, PREFIX, __VA_ARGS__)             \
  TEGULA_ON_HPX(INSTANCE, PREFIX, __VA_ARGS__)
#else
#define TEGULA_SPACES_WITHOUT_PASSES TEGULA_OTHER_SPACES
#endif

#define TEGULA_ALL_SPACES(INSTANCE, PREFIX, ...)    \
  TEGULA_HOST_SPACES(INSTANCE, PREFIX, __VA_ARGS__) \
  TEGULA_OTHER_SPACES(INSTANCE, PREFIX, __VA_ARGS__)

#ifdef KOKKOS_ENABLE_SYCL
namespace Tegula::Impl {
#if KOKKOS_VERSION >= 40500
using SyclSpace = Kokkos::SYCL;
#else
using SyclSpace = Kokkos::Experimental::SYCL;
#endif
}  // namespace Tegula::Impl
#endif

#endif
