// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_OuterLaunch.cuh"

template void Tegula::Impl::launch_outer_of<float>(const Kokkos::Cuda&, const ProductCall<bits_t<float>>&, const Plan&,
                                                   const ProductPlan&, const CallableRef&);
