// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_OPEN_BLAS_HPP
#define TEGULA_PERF_OPEN_BLAS_HPP

#include <string>

#include "Tegula_PerfMatrix.hpp"

namespace Tegula::Perf {

/// Whether there is a gemm of OpenBLAS for this element type.
template <class T>
inline constexpr bool has_openblas_gemm = TEGULA_PERF_HAS_OPENBLAS &&
                                          (std::is_same_v<T, float> || std::is_same_v<T, double>);

/// C = alpha op_a(A) op_b(B) + beta C by cblas_sgemm or cblas_dgemm of OpenBLAS. Defined only where has_openblas_gemm.
template <class T>
void openblas_gemm(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C, Scaling scaling);

/// The function that openblas_gemm calls, and the file it was found in: "cblas_sgemm -> .../libopenblasp-r0.3.21.so".
template <class T>
std::string openblas_path();

/// Loads the library and gives it the number of threads. Returns version, core type, file and threads in words.
std::string start_openblas(int threads);

}  // namespace Tegula::Perf

#endif
