// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TallLaunch.cuh"

template void Tegula::Impl::launch_tall<float>(const CudaLaunch&);
