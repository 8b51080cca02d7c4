// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlasImpl.hpp"

namespace Tegula::Perf {

// On a host the 16-bit types are float.
#if TEGULA_HAS_BHALF && KOKKOS_VERSION >= 40000
template void kokkosblas_gemm(Op, const Matrix<bhalf_t>&, Op, const Matrix<bhalf_t>&, const Matrix<bhalf_t>&, Scaling);
#endif

}  // namespace Tegula::Perf
