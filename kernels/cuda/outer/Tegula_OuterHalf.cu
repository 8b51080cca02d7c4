// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_OuterLaunch.cuh"

template void Tegula::Impl::launch_outer<Tegula::Impl::F16>(const CudaLaunch&);
