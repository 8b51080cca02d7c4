// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_GemvLaunch.cuh"

template void Tegula::Impl::launch_gemv<double>(const Kokkos::Cuda&, const ProductCall<double>&, const Plan&,
                                                const ProductPlan&, double*, const CallableRef&);
