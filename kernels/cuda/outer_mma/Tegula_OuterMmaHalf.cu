// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_OuterMmaLaunch.cuh"

template void Tegula::Impl::launch_outer_mma<Tegula::Impl::F16>(const CudaLaunch&);
