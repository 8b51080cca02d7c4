// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_OuterLaunch.cuh"

template void Tegula::Impl::launch_outer_of<Tegula::Impl::Bf16>(const Kokkos::Cuda&,
                                                                const ProductCall<bits_t<Tegula::Impl::Bf16>>&,
                                                                const Plan&, const ProductPlan&, const CallableRef&);
