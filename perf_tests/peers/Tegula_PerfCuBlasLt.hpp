// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CU_BLAS_LT_HPP
#define TEGULA_PERF_CU_BLAS_LT_HPP

#include <string>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfColumnMajor.hpp"

/// Calls of cublasLtMatmul, queued on the default instance of the execution space. Each is made ready here, with the
/// fastest of the algorithms that the library's heuristic names, found by timing; absent where it names none. Timing
/// writes the result. A call that the library refuses throws std::runtime_error with what it was asked for. Sums as
/// those of cublas_gemm; vectors have the type of the result. Defined where TEGULA_PERF_HAS_CUBLAS.

namespace Tegula::Perf {

/// C = alpha op_a(A) op_b(B) + beta C
Call cublaslt_product(const ColumnMajorProduct& product, Compute compute);

/// Whether what the backward pass needs is to be stored: the argument of gelu_tanh there, in the order and the type of
/// C; a mask for relu in memory of the call's own.
struct SavedArgument {
  bool wanted    = false;
  void* argument = nullptr;
};

/// C = act(alpha op_a(A) op_b(B) + beta C + bias), the bias for each column of C, in one kernel. Absent for a
/// column-major C, along whose columns the library's bias would lie, and for an activation that is no epilogue of the
/// library.
Call cublaslt_layer(const ColumnMajorProduct& product, Compute compute, const void* bias, const std::string& activation,
                    const SavedArgument& saved = {});

/// C = op_a(A) op_b(B), and sums over the inner dimension of a factor: of each column of op_b(B) if sum_b, of each row
/// of op_a(A) otherwise.
Call cublaslt_product_and_sums(const ColumnMajorProduct& product, Compute compute, bool sum_b, void* sums);

/// Creates the handle, which lives as long as the process. Returns version and file in words.
std::string start_cublaslt(int threads);

}  // namespace Tegula::Perf

#endif
