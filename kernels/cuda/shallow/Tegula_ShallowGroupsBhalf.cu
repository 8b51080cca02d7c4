// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ShallowLaunch.cuh"

template void Tegula::Impl::launch_shallow_groups<Tegula::Impl::Bf16>(const CudaLaunch&);
