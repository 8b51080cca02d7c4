// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_DirectLaunch.cuh"

template void Tegula::Impl::launch_direct<double>(const CudaLaunch&);
template void Tegula::Impl::launch_direct_gradients<double>(const CudaLaunch&);
