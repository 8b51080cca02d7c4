// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaRunPlan.hpp"

#include <array>
#include <optional>

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

/// A product that has a kernel of its own: that, and what goes before it and behind it.
class ProductSteps {
 public:
  ProductSteps(const PlannedCall& planned, const Call& call, std::size_t p)
      : planned_(planned),
        call_(call),
        product_(planned.plan.products[p]),
        is_wanted_(product_.teams() > 0),
        is_behind_(planned.plan.gradient.teams() > 0 || (p > 0 && planned.plan.products[0].teams() > 0)),
        memory_(product_workspace(planned.plan, p, planned.workspace)) {
    if (is_wanted_ && product_.passes.any())
      passes_ = with_passes(call, planned.workspace + planned.plan.passes_workspace(p));
  }

  /// The kernel, behind passes that widen its operands.
  void compute(const CallableRef& before) const {
    if (!is_wanted_) return before();
    const auto pass = [&](const char* step, const FinishCall& widening) {
      return [&, step](const CallableRef& first) { launch_widening(planned_.exec, label() + step, widening, first); };
    };
    queue_in_order(
        before, pass(widen_steps[0], passes_ ? passes_->widen_left : nothing_),
        pass(widen_steps[1], passes_ ? passes_->widen_right : nothing_), [&](const CallableRef& first) {
          family().launch(
              {planned_.exec, {&kernel_call(), 1}, planned_.plan, {&product_, 1}, memory_, {}, is_behind_, first});
        });
  }

  /// Adds slices, perhaps beside the kernel in front, and finishes the result.
  void finish(const CallableRef& before, bool runs_beside) const {
    if (!is_wanted_) return before();
    const auto add = [&](const CallableRef& first) {
      first();
      if (!family().adds_slices) launch_slices(planned_.exec, label(), kernel_call(), product_, memory_, runs_beside);
    };
    queue_in_order(before, add, [&](const CallableRef& first) {
      launch_finishing(planned_.exec, label(), call_, passes_ ? passes_->finish : nothing_, first);
    });
  }

 private:
  KernelLabel label() const { return KernelLabel(planned_.plan, product_); }
  const CudaFamily& family() const { return family_of(product_, true); }
  const Call& kernel_call() const { return passes_ ? passes_->product : call_; }

  const PlannedCall& planned_;
  const Call& call_;
  const ProductPlan& product_;
  const bool is_wanted_, is_behind_;
  char* const memory_;
  const FinishCall nothing_{};
  std::optional<CallWithPasses> passes_;
};

/// A pass that forms dZ and sums of columns: before the products, or, of the layer below, behind them.
struct PlannedPass {
  const Call& call;
  const GradientPlan& plan;
  char* memory;
  const char *step, *dbias_step;
};

PlannedPass pass_before(const PlannedCall& planned) {
  return {planned.call, planned.plan.gradient, planned.workspace + planned.plan.gradient_workspace(), gradient_step,
          dbias_step};
}

void launch_pass(const PlannedCall& planned, const PlannedPass& pass, const CallableRef& before) {
  const KernelLabel label = KernelLabel(planned.plan) + pass.step;
  if (pass.plan.teams() == 0) return before();
  if (!pass.call.is_built_in)
    return pass.call.passes.form_dZ(&planned.exec, label, pass.call, pass.plan, pass.memory, before);
  with_bits(pass.call, [&]<class Bits>() {
    launch_gradient_pass(planned.exec, label, gradient_call<Bits>(pass.call), pass.plan, pass.memory, before);
  });
}

/// Adds the sums of columns that a pass left in parts.
void launch_dbias(const PlannedCall& planned, const PlannedPass& pass, const CallableRef& before, bool runs_beside) {
  with_bits(pass.call, [&]<class Bits>() {
    const auto formed = formed_gradient(gradient_call<Bits>(pass.call), pass.plan, pass.memory);
    launch_column_sums(planned.exec, KernelLabel(planned.plan) + pass.dbias_step, formed.dbias, before, runs_beside);
  });
}

/// Whether the addition of the sums of columns that the kernel of dA left has another kernel in front of it, which has
/// waited for that one, and runs beside it: slices of dB, or dB itself.
bool sums_below_run_beside(const Plan& plan) {
  const auto& [dA, dB] = plan.products;
  if (!plan.leaves_sums_below() || dB.teams() == 0) return false;
  return plan.is_one_kernel ? dB.split_k > 1 : !dB.runs_beside;
}

/// What goes behind all products: dZ and dbias of the layer below.
void launch_below(const PlannedCall& planned, const CallableRef& before) {
  const Plan& plan = planned.plan;
  // A kernel that the user's file compiled does it itself.
  if (plan.below.parts == 0 || planned.call.portable != nullptr) return before();
  const Call below = call_of_pass_below(planned.call, plan.products[0].forms_dZ_below);
  const PlannedPass pass{below, plan.below, planned.workspace + plan.below_workspace(), below_step, dbias_below_step};
  queue_in_order(
      before, [&](const CallableRef& first) { launch_pass(planned, pass, first); },
      [&](const CallableRef& first) { launch_dbias(planned, pass, first, sums_below_run_beside(plan)); });
}

/// Both products by one launch, which adds the sums of columns, too.
void launch_pair(const PlannedCall& planned, const std::array<Call, 2>& calls, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  const auto formed =
      formed_gradient(gradient_call<std::uint16_t>(call), plan.gradient, workspace + plan.gradient_workspace());
  family_of(plan.products[0], false)
      .launch({exec, calls, plan, plan.products, workspace, formed.dbias, plan.gradient.teams() > 0, before});
  for (std::size_t p = 0; p < calls.size(); ++p)
    launch_slices(exec, KernelLabel(plan, plan.products[p]), calls[p], plan.products[p],
                  product_workspace(plan, p, workspace), slices_run_beside(plan, p));
}

/// The products of gemm_backward, behind the pass that forms dZ.
void launch_products(const PlannedCall& planned, const CallableRef& before_all) {
  const auto& [exec, call, plan, workspace] = planned;
  const PlannedPass form_dZ                 = pass_before(planned);
  const CallMatrix dZ                       = gradient_of(call, plan.gradient, form_dZ.memory);
  const auto calls                          = gradient_products(call_for_kernels(plan, call, workspace), dZ);
  const auto pass                           = [&](const CallableRef& before) { launch_pass(planned, form_dZ, before); };
  if (plan.is_one_kernel)
    return queue_in_order(before_all, pass, [&](const CallableRef& before) { launch_pair(planned, calls, before); });
  const ProductSteps dA(planned, calls[0], 0), dB(planned, calls[1], 1);
  // The sums need what the products needed, and are added beside them.
  queue_in_order(
      before_all, pass, [&](const CallableRef& before) { dA.compute(before); },
      [&](const CallableRef& before) { dB.compute(before); },
      [&](const CallableRef& before) { dA.finish(before, false); },
      [&](const CallableRef& before) { dB.finish(before, slices_run_beside(plan, 1)); },
      [&](const CallableRef& before) { launch_dbias(planned, form_dZ, before, plan.teams() > 0); });
}

/// All products of gemm_backward, and what they need.
void launch_gradients(const PlannedCall& planned, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  const CudaFamily* const family =
      plan.is_one_kernel ? &family_of(plan.products[plan.products[0].teams() > 0 ? 0 : 1], false) : nullptr;
  if (family == nullptr || family->covers == Covers::two_products) return launch_products(planned, before);
  const Call asked = call_for_kernels(plan, call, workspace);
  family->launch({exec, {&asked, 1}, plan, plan.products, workspace, {}, false, before});
}

void launch_gemm(const PlannedCall& planned) {
  const ProductSteps product(planned, planned.call, 0);
  queue_in_order(
      CallableRef(), [&](const CallableRef& before) { product.compute(before); },
      [&](const CallableRef& before) { product.finish(before, false); });
}

}  // namespace

void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace) {
  const PlannedCall planned{exec, call, plan, workspace};
  if (!call.is_backward) return launch_gemm(planned);
  queue_in_order(
      CallableRef(), [&](const CallableRef& before) { launch_gradients(planned, before); },
      [&](const CallableRef& before) { launch_below(planned, before); });
}

}  // namespace Tegula::Impl
