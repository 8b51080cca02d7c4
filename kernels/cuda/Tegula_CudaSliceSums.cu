// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaSliceSums.hpp"

#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaSliceSums.cuh"

namespace Tegula::Impl {

namespace {

/// The call with the results that are cut along k, and what is added to them.
template <class Bits>
ProductCall<Bits> of_cut_part(ProductCall<Bits> call, const ProductPlan& plan) {
  for (AnyMatrix* matrix : {&call.C, &call.Z, &call.bias})
    if (matrix->data != nullptr) *matrix = matrix->from(plan.whole_rows, plan.whole_columns);
  return call;
}

}  // namespace

void launch_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const Call& product, const ProductPlan& plan,
                   char* memory, bool runs_beside) {
  if (plan.split_k == 1) return;
  with_bits(product, [&]<class Bits>() {
    const ProductCall<Bits> call = of_cut_part(product_call<Bits>(product), plan);
    const auto* own              = own_kernels(call);
    // A user's activation belongs to gemm, which has no other product.
    own == nullptr ? add_slices_with<ActivationChoice>(exec, label, call, plan, memory, runs_beside)
                   : own->add_slices(exec, label, call, plan, memory);
  });
}

void launch_gradient_slices(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory) {
  const auto add = [&](std::size_t p, const CallMatrix& gradient, const GemmShape& shape, Update update,
                       const CallMatrix& dbias) {
    const ProductPlan& product = plan.products[p];
    if (product.split_k == 1) return;
    with_bits(call, [&]<class Bits>() {
      const SliceSums<sum_t<Bits>, ActivationChoice> arguments{
          .adds_row_sums = call.update_dbias == Update::accumulate,
          .C             = gradient.any(),
          .row_sums      = dbias.any(),
          .activation    = {},
          .alpha         = static_cast<sum_t<Bits>>(call.alpha_of(shape)),
          .beta          = static_cast<sum_t<Bits>>(update == Update::accumulate ? 1 : 0)};
      add_slices(exec, KernelLabel(plan, product), product, product_workspace(plan, p, memory),
                 slices_run_beside(plan, p), arguments);
    });
  };
  add(0, call.dA, call.dA_shape(), call.update_dA, {});
  add(1, call.dB.transposed(), call.dB_shape(), call.update_dB, call.dbias);
}

}  // namespace Tegula::Impl
