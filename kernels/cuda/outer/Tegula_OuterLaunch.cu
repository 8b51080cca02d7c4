// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_OuterLaunch.hpp"

namespace Tegula::Impl {

template <class Bits>
void launch_outer(const Kokkos::Cuda& exec, const ProductCall<Bits>& call, const Plan& plan, const ProductPlan& product,
                  const CallableRef& before) {
  launch_outer_of<Bits>(exec, call, plan, product, before);
}

template <>
void launch_outer(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                  const CallableRef& before) {
  const auto launch = call.input == Element::bf16 ? launch_outer_of<Bf16> : launch_outer_of<F16>;
  launch(exec, call, plan, product, before);
}

template void launch_outer(const Kokkos::Cuda&, const ProductCall<float>&, const Plan&, const ProductPlan&,
                           const CallableRef&);
template void launch_outer(const Kokkos::Cuda&, const ProductCall<double>&, const Plan&, const ProductPlan&,
                           const CallableRef&);

}  // namespace Tegula::Impl
