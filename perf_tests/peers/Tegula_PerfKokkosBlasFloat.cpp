// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlasImpl.hpp"

template void Tegula::Perf::kokkosblas_gemm(Op, const Matrix<float>&, Op, const Matrix<float>&, const Matrix<float>&);
