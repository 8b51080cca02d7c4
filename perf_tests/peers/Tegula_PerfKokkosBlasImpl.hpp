// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_KOKKOS_BLAS_IMPL_HPP
#define TEGULA_PERF_KOKKOS_BLAS_IMPL_HPP

#include <KokkosBlas3_gemm.hpp>

#include "Tegula_PerfKokkosBlas.hpp"

namespace Tegula::Perf {

/// The layouts are types here: KokkosBlas takes its path by them.
template <class T>
void kokkosblas_gemm(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C, Scaling scaling) {
  const auto letter = [](Op op) { return op == Op::none ? "N" : "T"; };
  const T alpha(scaling.alpha), beta(scaling.beta);
  A.visit([&](const auto& a) {
    B.visit([&](const auto& b) {
      C.visit([&](const auto& c) { KokkosBlas::gemm(letter(op_a), letter(op_b), alpha, a, b, beta, c); });
    });
  });
}

}  // namespace Tegula::Perf

#endif
