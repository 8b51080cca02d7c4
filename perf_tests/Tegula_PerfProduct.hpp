// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PRODUCT_HPP
#define TEGULA_PERF_PRODUCT_HPP

#include <string>

#include "Tegula_PerfKokkosBlas.hpp"
#include "Tegula_PerfOpenBlas.hpp"

/// Peers that only multiply, from their names.

namespace Tegula::Perf {

/// C = op_a(A) op_b(B)
template <class T>
using Gemm = void (*)(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C);

template <class T>
struct Product {
  Gemm<T> gemm = nullptr;  ///< null if the peer does not multiply such elements
  std::string path;        ///< what it calls, where Kokkos Tools do not see it; else empty
};

template <class T>
Product<T> product_of(const std::string& peer) {
  if constexpr (has_kokkosblas_gemm<T>) {
    if (peer == "kokkoskernels") return {kokkosblas_gemm<T>, ""};
  }
  if constexpr (has_openblas_gemm<T>) {
    if (peer == "openblas") return {openblas_gemm<T>, openblas_path<T>()};
  }
  return {};
}

template <class T>
Side absent_for_type(const std::string& peer) {
  return {peer, {}, "", std::string("it has no ") + ScalarTraits<T>::name};
}

}  // namespace Tegula::Perf

#endif
