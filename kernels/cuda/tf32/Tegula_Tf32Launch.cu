// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Tf32Launch.cuh"

namespace Tegula::Impl {

void launch_tf32(const CudaLaunch& l) { launch_tf32_with<Tf32Configs>(l); }

}  // namespace Tegula::Impl
