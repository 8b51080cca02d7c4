// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Plan.hpp"

namespace Tegula {
namespace {

using namespace Impl;

void add_copies(std::vector<PlanStep>& steps, const Plan& plan, const ProductPlan& product) {
  for (const char* step : product.copy_steps)
    if (*step != '\0') steps.push_back({plan.label(product, step), "lays out operands anew"});
}

void add_slices(std::vector<PlanStep>& steps, const Plan& plan, const ProductPlan& product) {
  if (product.split_k > 1)
    steps.push_back({plan.label(product, split_k_step),
                     "adds the " + std::to_string(product.split_k) + " slices of " + product.name});
}

std::string result_of(const Plan& plan, const ProductPlan& product) {
  if (!product.forms_dZ_below) return product.name;
  const bool sums = plan.below.sums_columns && plan.below.parts == 0;
  return product.name + std::string(", times act' of the layer below") + (sums ? ", with its dbias," : "");
}

const char* what_is_formed(const GradientPlan& gradient) {
  return !gradient.sums_columns ? "forms dZ" : gradient.stores_dZ ? "forms dZ and dbias" : "forms dbias";
}

/// A product that has a kernel of its own. Its time includes that of its copies and slices.
void add_kernel(std::vector<PlanStep>& steps, const Plan& plan, const ProductPlan& product) {
  const PassPlan& passes = product.passes;
  if (passes.left_bytes > 0)
    steps.push_back({plan.label(product, widen_steps[0]), "widens the left operand", passes.left_seconds});
  if (passes.right_bytes > 0)
    steps.push_back({plan.label(product, widen_steps[1]), "widens the right operand", passes.right_seconds});
  add_copies(steps, plan, product);
  steps.push_back({plan.label(product),
                   "computes " + result_of(plan, product) + (product.runs_beside ? ", beside the kernel in front" : ""),
                   product.seconds - passes.seconds()});
}

/// What goes behind that.
void add_finish(std::vector<PlanStep>& steps, const Plan& plan, const ProductPlan& product) {
  const PassPlan& passes = product.passes;
  add_slices(steps, plan, product);
  if (passes.finishes)
    steps.push_back({plan.label(product, finish_step), std::string("finishes ") + product.name, passes.finish_seconds});
}

/// All products by one kernel.
void add_products(std::vector<PlanStep>& steps, const Plan& plan) {
  PlanStep kernel{plan.label()};
  for (const ProductPlan& product : plan.products) {
    if (product.teams() == 0) continue;
    add_copies(steps, plan, product);
    kernel.what += (kernel.what.empty() ? "computes " : " and ") + result_of(plan, product);
    if (product.sums_rows) kernel.what += " and dbias";
    kernel.seconds += product.seconds;
  }
  steps.push_back(kernel);
  for (const ProductPlan& product : plan.products) add_slices(steps, plan, product);
}

}  // namespace

std::vector<PlanStep> Plan::steps() const {
  std::vector<PlanStep> steps;
  if (gradient.teams() > 0) steps.push_back({label() + gradient_step, what_is_formed(gradient), gradient.seconds});
  const bool shares_a_kernel = is_one_kernel || *products[0].family + *products[1].family == 0;
  if (shares_a_kernel && teams() > 0) {
    add_products(steps, *this);
  } else {
    for (const auto& add : {add_kernel, add_finish})
      for (const ProductPlan& product : products)
        if (product.teams() > 0) add(steps, *this, product);
  }
  if (gradient.sums_bytes > 0 && !is_one_kernel)
    steps.push_back({label() + dbias_step, "adds the parts of dbias", gradient.sums_seconds});
  if (below.teams() > 0)
    steps.push_back({label() + below_step, std::string(what_is_formed(below)) + " of the layer below", below.seconds});
  if (below.sums_bytes > 0)
    steps.push_back({label() + dbias_below_step, "adds the parts of dbias of the layer below", below.sums_seconds});
  return steps;
}

}  // namespace Tegula
