// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlasImpl.hpp"

template void Tegula::Perf::kokkosblas_gemm(Op, const Matrix<double>&, Op, const Matrix<double>&,
                                            const Matrix<double>&);
