// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KOKKOS_BASICS_HPP
#define TEGULA_KOKKOS_BASICS_HPP

/// Kokkos' macros and mathematical functions. Kernels need no more of it where Tegula's own entry launches them: nvcc
/// reads these headers in a second, all of Kokkos in twelve. A file that defines TEGULA_WITHOUT_KOKKOS is read by a
/// host's compiler alone, and may compute with types that nvcc refuses in functions for both sides.

#ifdef TEGULA_WITHOUT_KOKKOS
#define KOKKOS_FORCEINLINE_FUNCTION inline __attribute__((always_inline))
#else
#include <Kokkos_Macros.hpp>

#if !defined(KOKKOS_VERSION) || KOKKOS_VERSION < 30400
#error "Tegula needs Kokkos 3.4 or newer"
#endif

#if KOKKOS_VERSION >= 40600
#include <Kokkos_MathematicalFunctions.hpp>
#else  // not tried with older ones, whose headers need not stand alone
#include <Kokkos_Core.hpp>
#endif

// Whether kernels for CUDA are launched by a kernel entry of Tegula's own, and not as a TeamPolicy, whose teams have no
// more than 48 KiB of scratch before Kokkos 5.2. CMake's option Tegula_CUDA_LAUNCH sets it if it is not AUTO.
#ifndef TEGULA_CUDA_ENTRY
#define TEGULA_CUDA_ENTRY (KOKKOS_VERSION < 50200)
#endif

namespace Tegula::Impl {

// The mathematical functions that may be called in a kernel: exp, erf, tanh, ...
#if KOKKOS_VERSION >= 30700
namespace math = Kokkos;
#else
namespace math = Kokkos::Experimental;
#endif

}  // namespace Tegula::Impl
#endif

#endif
