// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SkinnyLaunch.cuh"

template void Tegula::Impl::launch_skinny<double>(const CudaLaunch&);
