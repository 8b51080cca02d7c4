// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_GemvLaunch.cuh"

template void Tegula::Impl::launch_gemv<float>(const Kokkos::Cuda&, const ProductCall<float>&, const Plan&,
                                               const ProductPlan&, float*, const CallableRef&);
