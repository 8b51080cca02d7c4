// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PRODUCTS_HPP
#define TEGULA_CUDA_PRODUCTS_HPP

#include "Tegula_CudaMachine.hpp"
#include "Tegula_CudaTypes.hpp"
#include "Tegula_GradientPass.hpp"
#include "Tegula_OperandCopies.hpp"
#include "product/Tegula_UncutCall.hpp"

/// How the families for CUDA plan what comes before and after their products. The products of gemm_backward take dZ
/// from memory: it is dC, or a pass forms it in the workspace. Bits is with_bits() of the call.

namespace Tegula::Impl {

/// The product of gemm.
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
          call.is_built_in ? CompiledFunctor{} : CompiledFunctor{call.passes.kernels, call.passes.functor}};
}

/// dA (+)= alpha dZ B^T and dB^T (+)= alpha dZ^T A, for a dZ that lies in memory.
template <class Bits>
ProductCalls<Bits> product_calls(const Call& call, const MatrixRef<const Bits>& dZ) {
  const auto product = [&](const GemmShape& shape, const auto& left, const auto& right, const CallMatrix& gradient,
                           Update update) {
    const auto alpha       = static_cast<sum_t<Bits>>(call.alpha_of(shape));
    const sum_t<Bits> beta = update == Update::accumulate ? 1 : 0;
    return ProductCall<Bits>{input_of(call), left, right, gradient.any(), {}, {}, {}, alpha, beta};
  };
  return {product(call.dA_shape(), dZ, call.B.as<const Bits>(), call.dA, call.update_dA),
          product(call.dB_shape(), dZ.transposed(), call.A.transposed().as<const Bits>(), call.dB.transposed(),
                  call.update_dB)};
}

/// The pass before the products of gemm_backward.
template <class Bits>
GradientCall<Bits> gradient_call(const Call& call) {
  return {input_of(call),
          call.dC.as<const Bits>(),
          call.has_constant_slope ? AnyMatrix{} : call.saved.any(),
          call.activation,
          call.dbias.any(),
          call.update_dbias == Update::accumulate,
          call.is_built_in && is_activation<Identity>(call.activation)};
}

/// The products of a call as they will be: dZ has no address yet, but its layout is known.
template <class Bits>
ProductCalls<Bits> planned_calls(const Call& call, const Plan& plan) {
  if (!call.is_backward) return {product_call<Bits>(call), {}};
  const auto dC = call.dC.as<const Bits>();
  return product_calls<Bits>(call, plan.gradient.stores_dZ ? aligned_copy_at(dC, nullptr) : dC);
}

/// Whether every extent is one that kernels can count in 32 bits, boundaries of tiles included.
bool has_cuda_extents(const Call& call);

/// Whether a call is so large that preparing its operands in a workspace pays.
bool is_worth_preparing(const Call& call);

/// The plan of a call before its products are cut. It leaves dZ and dbias to a pass before the products, unless dC is
/// dZ and no dbias is wanted.
Plan cuda_plan(const char* family, const Call& call, const CudaMachine& machine);

/// Whether a family that forms dZ in a kernel of its own takes a call: always if options name it, or if nobody else
/// could form dZ of a user's activation in another way; otherwise unless the call is too small to be worth that kernel
/// and its workspace.
bool is_worth_its_kernels(const char* family, const Call& call, const CudaMachine& machine, const PlanOptions& options);

/// Adds to every product of 16 bits the copies that it wants.
void plan_copies(const Call& call, Plan& plan);

/// Whether any product is wanted, and is_worth(p) holds for all that are wanted.
template <class Products, class IsWorth>
bool are_worth(const Products& products, const IsWorth& is_worth) {
  std::size_t wanted = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    if (!is_wanted(products[p])) continue;
    if (!is_worth(p)) return false;
    ++wanted;
  }
  return wanted > 0;
}

/// Where a product's slices and copies lie. The products' parts of the workspace follow each other.
inline char* product_workspace(const Plan& plan, std::size_t product, char* workspace) {
  return product == 0 ? workspace : workspace + plan.products[0].workspace_bytes;
}

}  // namespace Tegula::Impl

#endif
