// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_DirectLaunch.hpp"

#include "../Tegula_CudaInput.hpp"

namespace Tegula::Impl {

template <class Input>
void launch_direct_of(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                      const ProductPlan& product, const CallableRef& before);

template <class Input>
void launch_direct_gradients_of(const Kokkos::Cuda& exec, const Call& call, const Plan& plan,
                                std::span<const ProductPlan> products, const CallableRef& before);

template <class Bits>
void launch_direct(const Kokkos::Cuda& exec, const ProductCall<Bits>& call, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before) {
  launch_direct_of<Bits>(exec, call, plan, product, before);
}

template <>
void launch_direct(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                   const CallableRef& before) {
  const auto launch = call.input == Element::bf16 ? launch_direct_of<Bf16> : launch_direct_of<F16>;
  launch(exec, call, plan, product, before);
}

template void launch_direct(const Kokkos::Cuda&, const ProductCall<float>&, const Plan&, const ProductPlan&,
                            const CallableRef&);
template void launch_direct(const Kokkos::Cuda&, const ProductCall<double>&, const Plan&, const ProductPlan&,
                            const CallableRef&);

void launch_direct_gradients(const Kokkos::Cuda& exec, const Call& call, const Plan& plan,
                             std::span<const ProductPlan> products, const CallableRef& before) {
  with_input_of_gradients(
      call, [&]<class Input>() { launch_direct_gradients_of<Input>(exec, call, plan, products, before); });
}

}  // namespace Tegula::Impl
