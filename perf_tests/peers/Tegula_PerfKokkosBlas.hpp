// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_KOKKOS_BLAS_HPP
#define TEGULA_PERF_KOKKOS_BLAS_HPP

#include <string>

#include "Tegula_PerfMatrix.hpp"

namespace Tegula::Perf {

/// Whether there is a KokkosBlas::gemm for this element type. The 16-bit types of a device came with Kokkos 4.
template <class T>
inline constexpr bool has_kokkosblas_gemm = TEGULA_PERF_HAS_KOKKOSKERNELS &&
                                            (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                             KOKKOS_VERSION >= 40000);

/// C = alpha op_a(A) op_b(B) + beta C by KokkosBlas::gemm on the default instance of the execution space. Compiled for
/// each element type in a source file of its own; defined only where has_kokkosblas_gemm.
template <class T>
void kokkosblas_gemm(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C, Scaling scaling);

/// "4.7.99", of the headers that kokkosblas_gemm was compiled with.
std::string kokkoskernels_version();

/// Where a BLAS library that it calls is OpenBLAS, gives that the number of threads. Returns both in words.
std::string start_kokkosblas(int threads);

}  // namespace Tegula::Perf

#endif
