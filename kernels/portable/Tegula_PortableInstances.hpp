// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_INSTANCES_HPP
#define TEGULA_PORTABLE_INSTANCES_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_PortableLaunch.hpp"
#include "Tegula_Scalar.hpp"

/// The portable kernels that are compiled once, into the library: every activation that Tegula brings, with one element
/// type throughout, on every enabled execution space. Everything else is compiled where it is used. An explicit
/// instantiation can be neither a template nor constexpr, hence the macros; PREFIX is `extern` or nothing.

#define TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, ACTIVATION)                                                      \
  PREFIX template void Tegula::Impl::portable_launch(                                                               \
      const SPACE&, const Tegula::Impl::GemmProblem<T, T, T, T, T, ACTIVATION>&, const Tegula::Plan&, char*);       \
  PREFIX template void Tegula::Impl::portable_launch(                                                               \
      const SPACE&, const Tegula::Impl::GemmBackwardProblem<T, T, T, T, T, T, T, ACTIVATION>&, const Tegula::Plan&, \
      char*);

#define TEGULA_PORTABLE_INSTANCES(PREFIX, SPACE, T)             \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::Identity)  \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::Relu)      \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::LeakyRelu) \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::Tanh)      \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::Sigmoid)   \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::Silu)      \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::GeluTanh)  \
  TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T, Tegula::GeluErf)

#ifdef KOKKOS_ENABLE_SERIAL
#define TEGULA_PORTABLE_SERIAL(PREFIX, T) TEGULA_PORTABLE_INSTANCES(PREFIX, Kokkos::Serial, T)
#else
#define TEGULA_PORTABLE_SERIAL(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define TEGULA_PORTABLE_OPENMP(PREFIX, T) TEGULA_PORTABLE_INSTANCES(PREFIX, Kokkos::OpenMP, T)
#else
#define TEGULA_PORTABLE_OPENMP(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define TEGULA_PORTABLE_THREADS(PREFIX, T) TEGULA_PORTABLE_INSTANCES(PREFIX, Kokkos::Threads, T)
#else
#define TEGULA_PORTABLE_THREADS(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define TEGULA_PORTABLE_CUDA(PREFIX, T) TEGULA_PORTABLE_INSTANCES(PREFIX, Kokkos::Cuda, T)
#else
#define TEGULA_PORTABLE_CUDA(PREFIX, T)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define TEGULA_PORTABLE_HIP(PREFIX, T) TEGULA_PORTABLE_INSTANCES(PREFIX, Kokkos::HIP, T)
#else
#define TEGULA_PORTABLE_HIP(PREFIX, T)
#endif

#define TEGULA_PORTABLE_ALL_SPACES(PREFIX, T) \
  TEGULA_PORTABLE_SERIAL(PREFIX, T)           \
  TEGULA_PORTABLE_OPENMP(PREFIX, T)           \
  TEGULA_PORTABLE_THREADS(PREFIX, T)          \
  TEGULA_PORTABLE_CUDA(PREFIX, T)             \
  TEGULA_PORTABLE_HIP(PREFIX, T)

TEGULA_PORTABLE_ALL_SPACES(extern, double)
TEGULA_PORTABLE_ALL_SPACES(extern, float)
#if TEGULA_HAS_HALF
TEGULA_PORTABLE_ALL_SPACES(extern, Tegula::half_t)
#endif
#if TEGULA_HAS_BHALF
TEGULA_PORTABLE_ALL_SPACES(extern, Tegula::bhalf_t)
#endif

#endif
