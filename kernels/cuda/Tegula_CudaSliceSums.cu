// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaSliceSums.cuh"

#include <algorithm>

#include "Tegula_CudaSteps.hpp"

namespace Tegula::Impl {

void launch_slice_sums(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, bool sums_rows) {
  const auto is_cut = [](const ProductPlan& product) { return product.split_k > 1; };
  if (std::none_of(plan.products.begin(), plan.products.end(), is_cut)) return;
  const std::string label = KernelLabel(plan).if_heard();
  with_bits(call, [&]<class Bits>() {
    using Sum        = sum_t<Bits>;
    const auto calls = planned_calls<Bits>(call, plan);
    if (!call.is_backward) {
      const auto* own = own_kernels(calls[0]);
      return (own == nullptr ? add_slices_with<ActivationChoice, Bits> : own->add_slices)(exec, label, calls[0],
                                                                                          plan.products[0], workspace);
    }
    for (std::size_t p = 0; p < calls.size(); ++p) {
      const AnyMatrix dbias = sums_rows && p == 1 ? call.dbias.any() : AnyMatrix{};
      add_slices<Sum>(exec, label, plan.products[p], product_workspace(plan, p, workspace),
                      AnyGradientResult<Sum>{calls[p].C, dbias, calls[p].alpha, calls[p].beta != 0,
                                             call.update_dbias == Update::accumulate});
    }
  });
}

}  // namespace Tegula::Impl
