// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PRODUCTS_HPP
#define TEGULA_CUDA_PRODUCTS_HPP

#include "Tegula_CudaMachine.hpp"
#include "Tegula_CudaTypes.hpp"
#include "Tegula_GradientPass.hpp"
#include "Tegula_OperandCopies.hpp"

/// A call as its kernels for CUDA take it. The products of gemm_backward take dZ from memory: it is dC, or a pass forms
/// it in the workspace. So they are calls of gemm, and whatever computes a product of gemm computes them.

namespace Tegula::Impl {

/// What a product does for the layer below.
template <class Bits>
BelowProduct<Bits> below_product(const Call& call) {
  if (!call.below) return {};
  return {call.below->has_constant_slope ? AnyMatrix{} : call.below->saved.any(),
          output_slope<sum_t<Bits>>(*call.below), static_cast<sum_t<Bits>*>(call.below->column_sums)};
}

/// A call of gemm, for kernels. Bits is with_bits() of the call.
template <class Bits>
ProductCall<Bits> product_call(const Call& call) {
  return {input_of(call),
          call.A.as<const Bits>(),
          call.B.transposed().as<const Bits>(),
          call.C.any(),
          call.Z.any(),
          call.bias.any(),
          call.activation,
          static_cast<sum_t<Bits>>(call.alpha),
          static_cast<sum_t<Bits>>(call.beta),
          call.is_built_in ? CompiledFunctor{} : CompiledFunctor{call.passes.kernels, call.passes.functor},
          below_product<Bits>(call)};
}

/// The pass before the products of gemm_backward.
template <class Bits>
GradientCall<Bits> gradient_call(const Call& call) {
  return {input_of(call),    call.dC.as<const Bits>(), call.has_constant_slope ? AnyMatrix{} : call.saved.any(),
          call.activation,   call.dbias.any(),         call.update_dbias == Update::accumulate,
          call.is_identity()};
}

/// Plans that pass, unless dC is dZ and no dbias is wanted.
GradientPlan plan_gradient(const Call& call, const CudaMachine& machine);

/// The pass behind the products as one before those of the layer below: it forms dZ and dbias, or, where kernels have
/// formed dZ, dbias alone.
Call call_of_pass_below(const Call& call, bool is_dZ_formed);
GradientPlan plan_below(const Call& call, bool is_dZ_formed, const CudaMachine& machine);

/// Predicts the kernel that adds the sums that a pass leaves, where no other does.
void predict_column_sums(GradientPlan& plan, const CudaMachine& machine);

/// Where dZ is: dC, or in the workspace of the pass.
CallMatrix gradient_of(const Call& call, const GradientPlan& plan, char* workspace);

/// dA (+)= alpha dZ B^T and dB^T (+)= alpha dZ^T A as calls of gemm. A gradient that is not wanted has no data. The
/// layer below is that of dA's, whose kernel forms its dZ then.
std::array<Call, 2> gradient_products(const Call& call, const CallMatrix& dZ);

/// The call as kernels of products take it that leave the layer below to the pass behind them.
Call without_below(const Call& call);

/// The call as the kernels of a plan take it: with the layer below if they form its dZ, and a place for its sums.
Call call_for_kernels(const Plan& plan, const Call& call, char* workspace);

/// Whether a call of gemm has anything to compute.
inline bool is_wanted(const Call& product) {
  return product.C.data != nullptr && product.C.rows > 0 && product.C.columns > 0;
}

/// Whether every extent of a call is one that kernels can count in 32 bits, boundaries of tiles included.
bool has_cuda_extents(const Call& call);

/// Where a product's slices and copies lie. The products' parts of the workspace follow each other.
inline char* product_workspace(const Plan& plan, std::size_t product, char* workspace) {
  return product == 0 ? workspace : workspace + plan.products[0].workspace_bytes;
}

}  // namespace Tegula::Impl

#endif
