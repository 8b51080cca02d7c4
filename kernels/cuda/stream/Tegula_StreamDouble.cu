// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_StreamLaunch.cuh"

template void Tegula::Impl::launch_stream<double>(const Kokkos::Cuda&, const StreamArguments<double>&, const Plan&,
                                                  const ProductPlan&, const CallableRef&);
