// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_NarrowLaunch.hpp"

#include "../Tegula_CudaInput.hpp"

namespace Tegula::Impl {

template <class Input>
void launch_narrow_of(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                      const ProductPlan& product, const CallableRef& before);

void launch_narrow(const Kokkos::Cuda& exec, const ProductCall<double>& call, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before) {
  launch_narrow_of<double>(exec, call, plan, product, before);
}

void launch_narrow(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                   const CallableRef& before) {
  const auto launch = call.input == Element::bf16 ? launch_narrow_of<Bf16> : launch_narrow_of<F16>;
  launch(exec, call, plan, product, before);
}

}  // namespace Tegula::Impl
