// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SimtLaunch.hpp"

#include "../Tegula_ActivationKernels.hpp"
#include "Tegula_SimtLeft.hpp"

namespace Tegula::Impl {

void launch_simt(const Kokkos::Cuda& exec, const ProductCall<float>& call, const Plan& plan, const ProductPlan& product,
                 float* partial_sums, const CallableRef& before) {
  if (const auto* own = own_kernels(call, product)) return own->simt(exec, call, plan, product, before);
  launch_simt_with(exec, call, plan, product,
                   vector_result(call, product.shape, product.split_k > 1 ? partial_sums : nullptr), before);
}

}  // namespace Tegula::Impl
