// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CU_BLAS_HPP
#define TEGULA_PERF_CU_BLAS_HPP

#include <string>

#include "Tegula_PerfColumnMajor.hpp"

/// Defined where TEGULA_PERF_HAS_CUBLAS.

namespace Tegula::Perf {

/// The product by cublasGemmEx, queued on the default instance of the execution space. Sums are formed in float, in
/// double for double; with Compute::tf32 factors in float are rounded to TF32.
void cublas_gemm(const ColumnMajorProduct& product, Compute compute);

/// The function that cublas_gemm calls, what it computes in, and the file: "cublasGemmEx,32F -> .../libcublas.so.13".
std::string cublas_path(const char* element, Compute compute);

/// Creates the handle, which lives as long as the process. Returns version and file in words.
std::string start_cublas(int threads);

}  // namespace Tegula::Perf

#endif
