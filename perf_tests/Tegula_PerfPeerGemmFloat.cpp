// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfPeerGemmImpl.hpp"

template void Tegula::Perf::peer_gemm(Op, const Matrix<float>&, Op, const Matrix<float>&, const Matrix<float>&);
