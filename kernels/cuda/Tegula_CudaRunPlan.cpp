// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaRunPlan.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_CudaPasses.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaSliceSums.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_QueueInOrder.hpp"

namespace Tegula::Impl {
namespace {

/// What is launched.
struct PlannedCall {
  const Kokkos::Cuda& exec;
  const Call& call;
  const Plan& plan;
  char* workspace;
};

/// The row of the family that computes a product, alone or with the other one.
const CudaFamily& family_of(const ProductPlan& product, bool is_alone) {
  for (const CudaFamily* family : cuda_families())
    if (family->name == product.family && (family->covers == Covers::product) == is_alone) return *family;
  throw std::logic_error("Tegula: no family is called " + std::string(product.family));
}

/// A product, its passes, and the addition of its slices.
void launch_product(const PlannedCall& planned, const Call& call, std::size_t p, const CallableRef& before) {
  const Plan& plan           = planned.plan;
  const ProductPlan& product = plan.products[p];
  if (product.teams() == 0) return before();
  const auto passes = product.passes.any() ? with_passes(call, planned.workspace + plan.passes_workspace(p))
                                           : std::optional<CallWithPasses>();
  const Call& alone = passes ? passes->product : call;
  const KernelLabel label(plan, product);
  const CudaFamily& family = family_of(product, true);
  char* const memory       = product_workspace(plan, p, planned.workspace);
  const Kokkos::Cuda& exec = planned.exec;
  const FinishCall nothing{};
  const auto pass_before = [&](const char* step, const FinishCall& pass) {
    return [&, step](const CallableRef& first) { launch_widening(exec, label + step, pass, first); };
  };
  queue_in_order(
      before, pass_before(widen_steps[0], passes ? passes->widen_left : nothing),
      pass_before(widen_steps[1], passes ? passes->widen_right : nothing),
      [&](const CallableRef& first) {
        family.launch({exec, {&alone, 1}, plan, {&product, 1}, memory, {}, first});
      },
      [&](const CallableRef& first) {
        first();
        if (!family.adds_slices) launch_slices(exec, label, alone, product, memory);
      },
      [&](const CallableRef& first) { launch_finishing(exec, label, call, passes ? passes->finish : nothing, first); });
}

/// The pass before the products of gemm_backward.
void launch_gradient(const PlannedCall& planned, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  char* const memory                        = workspace + plan.gradient_workspace();
  if (!call.is_built_in) return call.passes.form_dZ(&exec, KernelLabel(plan), call, plan.gradient, memory, before);
  with_bits(call, [&]<class Bits>() {
    launch_gradient_pass(exec, KernelLabel(plan), gradient_call<Bits>(call), plan.gradient, memory, before);
  });
}

/// Adds the sums of columns that the pass left in parts.
void launch_dbias(const PlannedCall& planned, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  char* const memory                        = workspace + plan.gradient_workspace();
  with_bits(call, [&]<class Bits>() {
    const auto formed = formed_gradient(gradient_call<Bits>(call), plan.gradient, memory);
    launch_column_sums(exec, KernelLabel(plan), formed.dbias, before);
  });
}

/// Both products by one launch, which adds the sums of columns, too.
void launch_pair(const PlannedCall& planned, const std::array<Call, 2>& calls, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  const auto formed =
      formed_gradient(gradient_call<std::uint16_t>(call), plan.gradient, workspace + plan.gradient_workspace());
  family_of(plan.products[0], false).launch({exec, calls, plan, plan.products, workspace, formed.dbias, before});
  for (std::size_t p = 0; p < calls.size(); ++p)
    launch_slices(exec, KernelLabel(plan, plan.products[p]), calls[p], plan.products[p],
                  product_workspace(plan, p, workspace));
}

/// The products of gemm_backward, behind the pass that forms dZ.
void launch_products(const PlannedCall& planned) {
  const auto& [exec, call, plan, workspace] = planned;
  const auto calls = gradient_products(call, gradient_of(call, plan.gradient, workspace + plan.gradient_workspace()));
  const auto pass  = [&](const CallableRef& before) { launch_gradient(planned, before); };
  if (plan.is_one_kernel)
    return queue_in_order(CallableRef(), pass, [&](const CallableRef& before) { launch_pair(planned, calls, before); });
  const auto product = [&](std::size_t p) {
    return [&, p](const CallableRef& before) { launch_product(planned, calls[p], p, before); };
  };
  queue_in_order(CallableRef(), pass, product(0), product(1),
                 [&](const CallableRef& before) { launch_dbias(planned, before); });
}

}  // namespace

void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace) {
  const PlannedCall planned{exec, call, plan, workspace};
  if (!call.is_backward) return launch_product(planned, call, 0, CallableRef());
  const CudaFamily* const family =
      plan.is_one_kernel ? &family_of(plan.products[plan.products[0].teams() > 0 ? 0 : 1], false) : nullptr;
  if (family == nullptr || family->covers == Covers::two_products) return launch_products(planned);
  family->launch({exec, {&call, 1}, plan, plan.products, workspace, {}, CallableRef()});
}

}  // namespace Tegula::Impl
