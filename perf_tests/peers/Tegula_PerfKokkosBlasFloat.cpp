// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlasImpl.hpp"

namespace Tegula::Perf {

template void kokkosblas_gemm(Op, const Matrix<float>&, Op, const Matrix<float>&, const Matrix<float>&, Scaling);

}  // namespace Tegula::Perf
