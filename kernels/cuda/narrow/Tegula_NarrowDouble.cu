// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_NarrowLaunch.cuh"

template void Tegula::Impl::launch_narrow_of<double>(const Kokkos::Cuda&, const ProductCall<double>&, const Plan&,
                                                     const ProductPlan&, const CallableRef&);
