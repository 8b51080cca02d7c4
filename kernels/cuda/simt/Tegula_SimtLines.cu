// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SimtLaunch.cuh"

template void Tegula::Impl::launch_simt_left<Tegula::Impl::FetchBy::lines>(const Kokkos::Cuda&, const Plan&,
                                                                           const ProductPlan&, const SimtArguments&,
                                                                           const CallableRef&);
