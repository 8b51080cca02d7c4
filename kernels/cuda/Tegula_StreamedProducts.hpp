// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAMED_PRODUCTS_HPP
#define TEGULA_STREAMED_PRODUCTS_HPP

#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaFamily.hpp"
#include "Tegula_CudaProducts.hpp"
#include "gemv/Tegula_GemvArguments.hpp"
#include "gemv/Tegula_GemvLaunch.hpp"
#include "gemv/Tegula_GemvPlan.hpp"
#include "skinny/Tegula_SkinnyLaunch.hpp"
#include "skinny/Tegula_SkinnyPlan.hpp"

/// Products of gemm_backward that memory limits. The skinny and the gemv family take gemm alone. A product of
/// gemm_backward of their kind runs on their kernels all the same; the call's own family computes the other product.

namespace Tegula::Impl {

/// Plans a product for those kernels, if they are the fastest for it.
template <class T>
void plan_streamed_product(const ProductCall<T>& call, const Plan& plan, ProductPlan& product,
                           const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan alone       = plan;
  const char* kind = nullptr;
  alone.products   = {product, ProductPlan{}};
  const auto major = streamed_major(call, product.shape);
  if (is_skinny<T>(product.shape, machine, options) && is_best_skinny(call, product.shape)) {
    kind = skinny_family.name;
    plan_skinny_product<T>(alone, machine, options, arguments);
  } else if (major && is_gemv<T>(product.shape, *major, machine, options) && is_best_gemv<T>(product.shape, *major)) {
    kind = gemv_family.name;
    plan_gemv_product<T>(alone, *major, machine, options, arguments);
  } else {
    return;
  }
  product        = alone.products[0];
  product.family = kind;
}

/// Plans the products of gemm_backward, unless options name a family, a tile or a split. A call of gemm of this kind
/// belongs to the skinny or the gemv family as a whole.
template <class T>
void plan_streamed_products(const Call& call, Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                            const ArgumentList& arguments) {
  if (!call.is_backward || !options.family.empty() || options.tile != TileShape{} || options.split_k > 0) return;
  const ProductCalls<T> calls = planned_calls<T>(call, plan);
  for (std::size_t p = 0; p < calls.size(); ++p)
    if (is_wanted(plan.products[p]))
      plan_streamed_product(calls[p], plan, plan.products[p], machine, options, arguments);
}

/// Queues the kernel of a product that was planned for the skinny or the gemv family. Only gemv uses split-k.
template <class T>
void launch_streamed(const Kokkos::Cuda& exec, const ProductCall<T>& call, const Plan& plan, const ProductPlan& product,
                     T* partial_sums, const CallableRef& before) {
  product.holding_teams > 0 ? launch_skinny(exec, call, plan, product, before)
                            : launch_gemv(exec, call, plan, product, partial_sums, before);
}

}  // namespace Tegula::Impl

#endif
