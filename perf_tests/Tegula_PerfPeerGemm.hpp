// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PEER_GEMM_HPP
#define TEGULA_PERF_PEER_GEMM_HPP

#include "Tegula_PerfMatrix.hpp"

namespace Tegula::Perf {

/// Whether there is a KokkosBlas::gemm for this element type. The 16-bit types of a device came with Kokkos 4.
template <class T>
inline constexpr bool has_peer_gemm = TEGULA_PERF_HAS_KOKKOSKERNELS &&
                                      (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                       KOKKOS_VERSION >= 40000);

/// C = op_a(A) op_b(B) by KokkosBlas::gemm on the default instance of the execution space. Compiled for each element
/// type in a source file of its own; defined only where has_peer_gemm.
template <class T>
void peer_gemm(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C);

}  // namespace Tegula::Perf

#endif
