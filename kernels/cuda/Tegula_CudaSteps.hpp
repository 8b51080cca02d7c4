// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_STEPS_HPP
#define TEGULA_CUDA_STEPS_HPP

#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_QueueInOrder.hpp"

/// How the families for CUDA queue what comes before and after their products.

namespace Tegula::Impl {

/// The products of a call, whose operands lie where the plan puts them, and column sums that are to be added up.
template <class Bits>
struct PlacedCalls {
  ProductCalls<Bits> calls;
  ColumnSumsOf<sum_t<Bits>> column_sums;
};

template <class Bits>
PlacedCalls<Bits> placed_calls(const Call& call, const Plan& plan, char* workspace) {
  if (!call.is_backward) return {planned_calls<Bits>(call, plan), {}};
  const auto formed = formed_gradient(gradient_call<Bits>(call), plan.gradient, workspace + plan.gradient_workspace());
  return {product_calls<Bits>(call, formed.dZ), formed.dbias};
}

/// Queues what comes before the products of gemm_backward. Calls before() when all that can fail is ready, and before
/// anything is queued.
template <class Bits>
void launch_before_products(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                            const CallableRef& before) {
  if (!call.is_backward) return before();
  char* const memory = workspace + plan.gradient_workspace();
  if (call.is_built_in) {
    launch_gradient_pass(exec, KernelLabel(plan), gradient_call<Bits>(call), plan.gradient, memory, before);
  } else {
    call.passes.form_dZ(&exec, KernelLabel(plan), call, plan.gradient, memory, before);
  }
}

/// Queues the addition of the slices of products with split-k. With `sums_rows` the slices of dB^T also have parts of
/// dbias, which otherwise was formed before the products.
void launch_slice_sums(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, bool sums_rows);

/// Queues all of a call whose products have a kernel each. launch_product(call, product, memory, before) is a step of
/// queue_in_order() that queues a product; `memory` is its part of the workspace.
template <class Bits, class LaunchProduct>
void launch_one_by_one(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                       const CallableRef& before, const LaunchProduct& launch_product) {
  const auto placed = placed_calls<Bits>(call, plan, workspace);
  const KernelLabel label(plan);
  const auto passes = [&](const CallableRef& first) {
    launch_before_products<Bits>(exec, call, plan, workspace, first);
  };
  const auto product = [&](std::size_t p) {
    return [&, p](const CallableRef& others) {
      if (plan.products[p].teams() == 0) return others();
      launch_product(placed.calls[p], plan.products[p], product_workspace(plan, p, workspace), others);
    };
  };
  queue_in_order(before, passes, product(0), product(1),
                 [&](const CallableRef& others) { launch_column_sums(exec, label, placed.column_sums, others); });
  launch_slice_sums(exec, call, plan, workspace, false);
}

}  // namespace Tegula::Impl

#endif
