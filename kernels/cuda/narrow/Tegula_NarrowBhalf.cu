// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_NarrowLaunch.cuh"

template void Tegula::Impl::launch_narrow<Tegula::Impl::Bf16>(const CudaLaunch&);
