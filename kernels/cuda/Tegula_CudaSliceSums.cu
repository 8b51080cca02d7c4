// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaSliceSums.hpp"

#include "Tegula_CudaProducts.hpp"
#include "product/Tegula_AnyResult.hpp"
#include "product/Tegula_Product.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

namespace Tegula::Impl {
namespace {

/// The addition needs no operands.
struct NoOperand {};

template <class Sum, class Result>
void add_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductPlan& product, char* memory,
                const Result& result) {
  launch_split_k_reduce<Sum>(exec, label, make_product<Sum>(NoOperand(), NoOperand(), result, product, memory));
}

}  // namespace

void launch_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const Call& product, const ProductPlan& plan,
                   char* memory) {
  if (plan.split_k == 1) return;
  with_bits(product, [&]<class Bits>() {
    using Sum                 = sum_t<Bits>;
    const ProductCall<Bits> c = product_call<Bits>(product);
    add_slices<Sum>(exec, label, plan, memory, AnyEpilogueResult<Sum>{c.C, c.bias, c.Z, c.activation, c.alpha, c.beta});
  });
}

void launch_gradient_slices(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory) {
  const ProductPlan& dB = plan.products[1];
  if (dB.split_k == 1) return;
  with_bits(call, [&]<class Bits>() {
    using Sum = sum_t<Bits>;
    add_slices<Sum>(exec, KernelLabel(plan, dB), dB, memory,
                    AnyGradientResult<Sum>{
                        call.dB.transposed().any(), call.dbias.any(), static_cast<Sum>(call.alpha_of(call.dB_shape())),
                        call.update_dB == Update::accumulate, call.update_dbias == Update::accumulate});
  });
}

}  // namespace Tegula::Impl
