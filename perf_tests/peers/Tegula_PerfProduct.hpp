// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PRODUCT_HPP
#define TEGULA_PERF_PRODUCT_HPP

#include <functional>
#include <string>

#include "Tegula_PerfCuBlas.hpp"
#include "Tegula_PerfKokkosBlas.hpp"
#include "Tegula_PerfOpenBlas.hpp"

/// Peers that only multiply, from their names.

namespace Tegula::Perf {

/// C = alpha op_a(A) op_b(B) + beta C
template <class T>
using Gemm =
    std::function<void(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C, Scaling scaling)>;

template <class T>
struct Product {
  Gemm<T> gemm;      ///< empty if the peer does not multiply such elements
  std::string path;  ///< what it calls, where Kokkos Tools do not see it; else empty
};

template <class T>
Product<T> product_of(const std::string& peer, [[maybe_unused]] Compute compute) {
  if constexpr (has_kokkosblas_gemm<T>) {
    if (peer == "kokkoskernels") return {kokkosblas_gemm<T>, ""};
  }
  if constexpr (has_openblas_gemm<T>) {
    if (peer == "openblas") return {openblas_gemm<T>, openblas_path<T>()};
  }
#if TEGULA_PERF_HAS_CUBLAS
  if (peer == "cublas" || peer == "cublas_plain") {
    const auto gemm = [compute](Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C,
                                Scaling scaling) {
      cublas_gemm(column_major_product(op_a, A, op_b, B, C, scaling), compute);
    };
    return {gemm, cublas_path(ScalarTraits<T>::name, compute)};
  }
#endif
  return {};
}

template <class T>
Call absent_for_type() {
  return {{}, "", std::string("it has no ") + ScalarTraits<T>::name};
}

}  // namespace Tegula::Perf

#endif
