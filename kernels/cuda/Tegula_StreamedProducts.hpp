// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAMED_PRODUCTS_HPP
#define TEGULA_STREAMED_PRODUCTS_HPP

#include "Tegula_CudaProducts.hpp"
#include "gemv/Tegula_GemvFamily.hpp"
#include "skinny/Tegula_SkinnyFamily.hpp"

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
    kind = SkinnyFamily::name;
    plan_skinny_product<T>(alone, machine, options, arguments);
  } else if (major && is_gemv<T>(product.shape, *major, machine, options) && is_best_gemv<T>(product.shape, *major)) {
    kind = GemvFamily::name;
    plan_gemv_product<T>(alone, *major, machine, options, arguments);
  } else {
    return;
  }
  product        = alone.products[0];
  product.family = kind;
}

/// Nothing for gemm: a call of this kind belongs to the skinny or the gemv family as a whole.
template <class T, class Activation>
void plan_streamed_products(const GemmProblem<T, T, T, T, T, Activation>&, Plan&, const CudaMachine&,
                            const PlanOptions&, const ArgumentList&) {}

/// Plans the products of gemm_backward, unless options name a family, a tile or a split.
template <class T, class Activation>
void plan_streamed_products(const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& problem, Plan& plan,
                            const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  if (!options.family.empty() || options.tile != TileShape{} || options.split_k > 0) return;
  const ProductCalls<T> calls = planned_calls(problem, plan);
  for (std::size_t p = 0; p < calls.size(); ++p)
    if (is_wanted(plan.products[p]))
      plan_streamed_product(calls[p], plan, plan.products[p], machine, options, arguments);
}

#ifdef KOKKOS_ENABLE_CUDA
/// Queues the kernel of a product that was planned for the skinny or the gemv family. Only gemv uses split-k.
template <class T>
void launch_streamed(const Kokkos::Cuda& exec, const ProductCall<T>& call, const Plan& plan, const ProductPlan& product,
                     T* partial_sums) {
  product.holding_teams > 0 ? launch_skinny(exec, call, plan, product)
                            : launch_gemv(exec, call, plan, product, partial_sums);
}
#endif

}  // namespace Tegula::Impl

#endif
