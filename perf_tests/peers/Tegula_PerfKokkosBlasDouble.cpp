// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlasImpl.hpp"

namespace Tegula::Perf {

template void kokkosblas_gemm(Op, const Matrix<double>&, Op, const Matrix<double>&, const Matrix<double>&, Scaling);

}  // namespace Tegula::Perf
