// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaLaunch.hpp"

#include "../Tegula_ActivationKernels.hpp"

namespace Tegula::Impl {

template <class Input>
void launch_mma_of(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                   const ProductPlan& product, sum_t<Input>* partial_sums, const CallableRef& before);

void launch_mma(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                float* partial_sums, const CallableRef& before) {
  if (const auto* own = own_kernels(call, product)) return own->mma(exec, call, plan, product, before);
  const auto launch = call.input == Element::bf16 ? launch_mma_of<Bf16> : launch_mma_of<F16>;
  launch(exec, call, plan, product, partial_sums, before);
}

void launch_mma(const Kokkos::Cuda& exec, const ProductCall<double>& call, const Plan& plan, const ProductPlan& product,
                double* partial_sums, const CallableRef& before) {
  if (const auto* own = own_kernels(call, product)) return own->mma(exec, call, plan, product, before);
  launch_mma_of<double>(exec, call, plan, product, partial_sums, before);
}

}  // namespace Tegula::Impl
