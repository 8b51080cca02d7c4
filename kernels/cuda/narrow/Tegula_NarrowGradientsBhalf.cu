// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_NarrowGradientsLaunch.cuh"

template void Tegula::Impl::launch_narrow_gradients<Tegula::Impl::Bf16>(const CudaLaunch&);
