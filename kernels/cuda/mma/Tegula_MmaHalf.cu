// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaLaunch.cuh"

template void Tegula::Impl::launch_mma<Tegula::Impl::F16>(const Kokkos::Cuda&, const HalfCall&, const Plan&,
                                                          const ProductPlan&, float*, const CallableRef&);
