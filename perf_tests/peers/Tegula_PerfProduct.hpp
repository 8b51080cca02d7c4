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
template <class T, class R>
using Gemm =
    std::function<void(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<R>& C, Scaling scaling)>;

template <class T, class R>
struct Product {
  Gemm<T, R> gemm;   ///< empty if the peer does not multiply such elements to such results
  std::string path;  ///< what it calls, where Kokkos Tools do not see it; else empty
};

template <class T, class R>
Product<T, R> product_of(const std::string& peer, [[maybe_unused]] Compute compute) {
  if constexpr (has_kokkosblas_gemm<T> && std::is_same_v<T, R>) {
    if (peer == "kokkoskernels") return {kokkosblas_gemm<T>, ""};
  }
  if constexpr (has_openblas_gemm<T> && std::is_same_v<T, R>) {
    if (peer == "openblas") return {openblas_gemm<T>, openblas_path<T>()};
  }
#if TEGULA_PERF_HAS_CUBLAS
  if (peer == "cublas" || peer == "cublas_plain") {
    const auto gemm = [compute](Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<R>& C,
                                Scaling scaling) {
      cublas_gemm(column_major_product(op_a, A, op_b, B, C, scaling), compute);
    };
    return {gemm, cublas_path(ScalarTraits<T>::name, compute)};
  }
#endif
  return {};
}

template <class T, class R>
Call absent_for_types() {
  const std::string results = std::is_same_v<T, R> ? "" : std::string(" with results in ") + ScalarTraits<R>::name;
  return {{}, "", std::string("it has no ") + ScalarTraits<T>::name + results};
}

}  // namespace Tegula::Perf

#endif
