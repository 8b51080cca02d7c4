// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_GemvLaunch.cuh"

template void Tegula::Impl::launch_gemv<float>(const CudaLaunch&);
