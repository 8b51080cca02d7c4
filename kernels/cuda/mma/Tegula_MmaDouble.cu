// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaLaunch.cuh"

template void Tegula::Impl::launch_mma<double>(const Kokkos::Cuda&, const ProductCall<double>&, const Plan&,
                                               const ProductPlan&, double*, const CallableRef&);
