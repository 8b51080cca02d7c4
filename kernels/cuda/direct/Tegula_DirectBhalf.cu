// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_DirectLaunch.cuh"

template void Tegula::Impl::launch_direct<Tegula::Impl::Bf16>(const CudaLaunch&);
template void Tegula::Impl::launch_direct_gradients<Tegula::Impl::Bf16>(const CudaLaunch&);
