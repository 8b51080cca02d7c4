// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_INSTANCES_HPP
#define TEGULA_INSTANCES_HPP

#include "Tegula_Problem.hpp"

/// What a family compiles once, into the library, on the execution spaces it runs on; everything else is compiled where
/// it is used. An explicit instantiation can be neither a template nor constexpr, hence the macros. PREFIX is `extern`
/// or nothing, SPACES one of the two lists at the end.
///
/// Every activation that Tegula brings, with one element type throughout; LAUNCH is the family's launch function:
///
///   TEGULA_INSTANCES(extern, host_launch, TEGULA_HOST_SPACES, double)

#define TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, ACTIVATION)                                                          \
  PREFIX template void Tegula::Impl::LAUNCH(const SPACE&, const Tegula::Impl::GemmProblem<T, T, T, T, T, ACTIVATION>&, \
                                            const Tegula::Plan&, char*);                                               \
  PREFIX template void Tegula::Impl::LAUNCH(const SPACE&,                                                              \
                                            const Tegula::Impl::GemmBackwardProblem<T, T, T, T, T, T, T, ACTIVATION>&, \
                                            const Tegula::Plan&, char*);

#define TEGULA_INSTANCES_ON(PREFIX, SPACE, LAUNCH, T)          \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Identity)  \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Relu)      \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::LeakyRelu) \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Tanh)      \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Sigmoid)   \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::Silu)      \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::GeluTanh)  \
  TEGULA_INSTANCE(PREFIX, LAUNCH, SPACE, T, Tegula::GeluErf)

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

#define TEGULA_HOST_SPACES(INSTANCE, PREFIX, ...) \
  TEGULA_ON_SERIAL(INSTANCE, PREFIX, __VA_ARGS__) \
  TEGULA_ON_OPENMP(INSTANCE, PREFIX, __VA_ARGS__) \
  TEGULA_ON_THREADS(INSTANCE, PREFIX, __VA_ARGS__)

#define TEGULA_ALL_SPACES(INSTANCE, PREFIX, ...)    \
  TEGULA_HOST_SPACES(INSTANCE, PREFIX, __VA_ARGS__) \
  TEGULA_ON_CUDA(INSTANCE, PREFIX, __VA_ARGS__)     \
  TEGULA_ON_HIP(INSTANCE, PREFIX, __VA_ARGS__)

#define TEGULA_INSTANCES(PREFIX, LAUNCH, SPACES, T) SPACES(TEGULA_INSTANCES_ON, PREFIX, LAUNCH, T)

#endif
