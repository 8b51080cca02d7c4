// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaSharedLaunch.cuh"

template void Tegula::Impl::launch_wgmma_shared<Tegula::Impl::Bf16>(const Kokkos::Cuda&, const HalfCall&, const Plan&,
                                                                    const ProductPlan&, const CallableRef&);
