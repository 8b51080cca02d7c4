// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_INSTANCES_HPP
#define TEGULA_INSTANCES_HPP

#include "Tegula_Problem.hpp"

/// What a family compiles once, into the library: every activation that Tegula brings, with one element type
/// throughout, on the execution spaces it runs on. Everything else is compiled where it is used. An explicit
/// instantiation can be neither a template nor constexpr, hence the macros. PREFIX is `extern` or nothing, LAUNCH the
/// family's launch function, SPACES one of the two lists at the end.
///
///   TEGULA_INSTANCES(extern, portable_launch, TEGULA_ALL_SPACES, double)

#define TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, ACTIVATION)                                                          \
  PREFIX template void Tegula::Impl::LAUNCH(const SPACE&, const Tegula::Impl::GemmProblem<T, T, T, T, T, ACTIVATION>&, \
                                            const Tegula::Plan&, char*);                                               \
  PREFIX template void Tegula::Impl::LAUNCH(const SPACE&,                                                              \
                                            const Tegula::Impl::GemmBackwardProblem<T, T, T, T, T, T, T, ACTIVATION>&, \
                                            const Tegula::Plan&, char*);

#define TEGULA_INSTANCES_ON(PREFIX, LAUNCH, SPACE, T)          \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Identity)  \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Relu)      \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::LeakyRelu) \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Tanh)      \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Sigmoid)   \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Silu)      \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::GeluTanh)  \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::GeluErf)

#ifdef KOKKOS_ENABLE_SERIAL
#define TEGULA_INSTANCES_SERIAL(PREFIX, LAUNCH, T) TEGULA_INSTANCES_ON(PREFIX, LAUNCH, Kokkos::Serial, T)
#else
#define TEGULA_INSTANCES_SERIAL(PREFIX, LAUNCH, T)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define TEGULA_INSTANCES_OPENMP(PREFIX, LAUNCH, T) TEGULA_INSTANCES_ON(PREFIX, LAUNCH, Kokkos::OpenMP, T)
#else
#define TEGULA_INSTANCES_OPENMP(PREFIX, LAUNCH, T)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define TEGULA_INSTANCES_THREADS(PREFIX, LAUNCH, T) TEGULA_INSTANCES_ON(PREFIX, LAUNCH, Kokkos::Threads, T)
#else
#define TEGULA_INSTANCES_THREADS(PREFIX, LAUNCH, T)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define TEGULA_INSTANCES_CUDA(PREFIX, LAUNCH, T) TEGULA_INSTANCES_ON(PREFIX, LAUNCH, Kokkos::Cuda, T)
#else
#define TEGULA_INSTANCES_CUDA(PREFIX, LAUNCH, T)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define TEGULA_INSTANCES_HIP(PREFIX, LAUNCH, T) TEGULA_INSTANCES_ON(PREFIX, LAUNCH, Kokkos::HIP, T)
#else
#define TEGULA_INSTANCES_HIP(PREFIX, LAUNCH, T)
#endif

#define TEGULA_HOST_SPACES(PREFIX, LAUNCH, T) \
  TEGULA_INSTANCES_SERIAL(PREFIX, LAUNCH, T)  \
  TEGULA_INSTANCES_OPENMP(PREFIX, LAUNCH, T)  \
  TEGULA_INSTANCES_THREADS(PREFIX, LAUNCH, T)

#define TEGULA_ALL_SPACES(PREFIX, LAUNCH, T) \
  TEGULA_HOST_SPACES(PREFIX, LAUNCH, T)      \
  TEGULA_INSTANCES_CUDA(PREFIX, LAUNCH, T)   \
  TEGULA_INSTANCES_HIP(PREFIX, LAUNCH, T)

#define TEGULA_INSTANCES(PREFIX, LAUNCH, SPACES, T) SPACES(PREFIX, LAUNCH, T)

#endif
