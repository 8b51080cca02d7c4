// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaLaunch.cuh"

template void Tegula::Impl::launch_mma<float, Tegula::Impl::MmaFp32SplitConfigs>(const Kokkos::Cuda&,
                                                                                 const ProductCall<float>&, const Plan&,
                                                                                 const ProductPlan&, float*,
                                                                                 const CallableRef&);
