// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_UncutCall.hpp"

namespace Tegula::Impl {

namespace {

// In place, since a small call is planned in the time of a few copies of plans.
void set_products(const Call& call, std::array<ProductPlan, 2>& products) {
  if (!call.is_backward) {
    products[0] =
        uncut_product("C", call.shape(), call.A.element_bytes, call.B.element_bytes, call.C.element_bytes, false);
    return;
  }
  const std::size_t dZ_bytes =
      call.dC.element_bytes + (call.has_constant_slope ? std::size_t(0) : call.saved.element_bytes);
  products[0] = uncut_product("dA", call.dA_shape(), dZ_bytes, call.B.element_bytes, call.dA.element_bytes, false);
  products[0].forms_dZ_below = call.below && !call.below->is_identity();
  products[1] = uncut_product("dB^T", call.dB_shape(), dZ_bytes, call.A.element_bytes, call.dB.element_bytes,
                              call.dbias.data != nullptr);
}

}  // namespace

std::array<ProductPlan, 2> uncut_products(const Call& call) {
  std::array<ProductPlan, 2> products;
  set_products(call, products);
  return products;
}

Plan uncut_plan(const char* family, const char* space, const Call& call) {
  Plan plan;
  plan.call       = call.name;
  plan.family     = family;
  plan.space      = space;
  plan.scalar     = call.input_name;
  plan.op_a       = call.op_a;
  plan.op_b       = call.op_b;
  plan.activation = call.activation_name;
  set_products(call, plan.products);
  return plan;
}

}  // namespace Tegula::Impl
