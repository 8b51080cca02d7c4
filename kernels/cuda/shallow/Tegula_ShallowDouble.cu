// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ShallowLaunch.cuh"

template void Tegula::Impl::launch_shallow_of<double>(const Kokkos::Cuda&, const Call&, const Plan&, char*,
                                                      const CallableRef&);
