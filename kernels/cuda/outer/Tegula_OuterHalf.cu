// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_OuterLaunch.cuh"

template void Tegula::Impl::launch_outer_of<Tegula::half_t>(const Kokkos::Cuda&,
                                                            const ProductCall<bits_t<Tegula::half_t>>&, const Plan&,
                                                            const ProductPlan&, const CallableRef&);
