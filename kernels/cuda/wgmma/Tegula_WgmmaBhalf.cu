// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.cuh"

template void Tegula::Impl::launch_wgmma_of<Tegula::Impl::Bf16, 1>(const Kokkos::Cuda&, const WgmmaParts<1>&,
                                                                   const ColumnSums&, const Plan&, const CallableRef&);
