// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SLICE_SUMS_CUH
#define TEGULA_CUDA_SLICE_SUMS_CUH

#include "Tegula_CudaElement.cuh"
#include "product/Tegula_AnyResult.hpp"
#include "product/Tegula_Product.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

/// The addition of the slices that products with split-k leave in their workspace.

namespace Tegula::Impl {

/// The addition needs no operands.
struct NoOperand {};

/// Queues the addition of the slices of a product, if it has some.
template <class Sum, class Result>
void add_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductPlan& product, char* workspace,
                const Result& result) {
  if (product.teams() > 0)
    launch_split_k_reduce<Sum>(exec, label, make_product<Sum>(NoOperand(), NoOperand(), result, product, workspace));
}

/// The same for the product of gemm, to which an activation of this type is applied.
template <class Activation, class Bits>
void add_slices_with(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductCall<Bits>& call,
                     const ProductPlan& product, char* workspace) {
  using Result = AnyEpilogueResult<sum_t<Bits>, Activation>;
  add_slices<sum_t<Bits>>(exec, label, product, workspace,
                          Result{call.C, call.bias, call.Z, activation_of<Activation>(call), call.alpha, call.beta});
}

}  // namespace Tegula::Impl

#endif
