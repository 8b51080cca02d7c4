// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_StreamLaunch.cuh"

template void Tegula::Impl::launch_stream<Tegula::Impl::Bf16>(const CudaLaunch&);
