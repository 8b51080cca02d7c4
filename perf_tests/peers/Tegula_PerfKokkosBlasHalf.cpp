// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlasImpl.hpp"

// On a host the 16-bit types are float.
#if TEGULA_HAS_HALF && KOKKOS_VERSION >= 40000
template void Tegula::Perf::kokkosblas_gemm(Op, const Matrix<Tegula::half_t>&, Op, const Matrix<Tegula::half_t>&,
                                            const Matrix<Tegula::half_t>&);
#endif
#if TEGULA_HAS_BHALF && KOKKOS_VERSION >= 40000
template void Tegula::Perf::kokkosblas_gemm(Op, const Matrix<Tegula::bhalf_t>&, Op, const Matrix<Tegula::bhalf_t>&,
                                            const Matrix<Tegula::bhalf_t>&);
#endif
