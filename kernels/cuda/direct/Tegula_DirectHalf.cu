// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_DirectLaunch.cuh"

template void Tegula::Impl::launch_direct_of<Tegula::Impl::F16>(const Kokkos::Cuda&,
                                                                const ProductCall<bits_t<Tegula::Impl::F16>>&,
                                                                const Plan&, const ProductPlan&, const CallableRef&);
template void Tegula::Impl::launch_direct_gradients_of<Tegula::Impl::F16>(const Kokkos::Cuda&, const Call&, const Plan&,
                                                                          std::span<const ProductPlan>,
                                                                          const CallableRef&);
