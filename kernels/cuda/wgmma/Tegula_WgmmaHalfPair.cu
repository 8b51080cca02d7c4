// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.cuh"

template void Tegula::Impl::launch_wgmma_of<Tegula::Impl::F16, 2>(const Kokkos::Cuda&, const WgmmaParts<2>&,
                                                                  const ColumnSums&, const Plan&, const CallableRef&);
