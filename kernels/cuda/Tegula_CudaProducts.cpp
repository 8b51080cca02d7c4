// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaProducts.hpp"

#include <algorithm>
#include <limits>

namespace Tegula::Impl {
namespace {

/// Leaves dZ and dbias to a pass before the products.
void plan_before_products(const Call& call, Plan& plan, const CudaMachine& machine) {
  bool reads_dZ = false;
  for (ProductPlan& product : plan.products) {
    product.left_bytes = call.dC.element_bytes;
    product.sums_rows  = false;
    if (call.alpha == 0) product.shape.k = 0;  // zero is added, whatever the data are
    reads_dZ = reads_dZ || (is_wanted(product) && product.shape.k > 0);
  }
  // Kernels for larger elements copy them to scratch one by one if they do not lie in runs.
  const bool wants_runs = is_16_bit(input_of(call));
  with_bits(call, [&]<class Bits>() {
    plan.gradient = plan_gradient_pass(gradient_call<Bits>(call), reads_dZ, wants_runs, machine.multiprocessors);
  });
}

}  // namespace

bool has_cuda_extents(const Call& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1024;
  for (const ProductPlan& product : uncut_products(call))
    if (std::max({product.shape.m, product.shape.n, product.shape.k}) > most) return false;
  return true;
}

bool is_worth_preparing(const Call& call) {
  if (!call.is_backward) return is_worth_copying(call.shape());
  constexpr double least = 1 << 24;  // the portable kernel of gradients takes as long then
  const auto size        = [](const GemmShape& s) {
    return static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
  };
  return size(call.dA_shape()) >= least || size(call.dB_shape()) >= least;
}

Plan cuda_plan(const char* family, const Call& call, const CudaMachine& machine) {
  Plan plan = uncut_plan(family, "Cuda", call);
  if (call.is_backward) plan_before_products(call, plan, machine);
  return plan;
}

bool is_worth_its_kernels(const char* family, const Call& call, const CudaMachine& machine,
                          const PlanOptions& options) {
  return !options.family.empty() || !call.is_built_in || is_worth_preparing(call) ||
         cuda_plan(family, call, machine).gradient.teams() == 0;
}

void plan_copies(const Call& call, Plan& plan) {
  const auto calls = planned_calls<std::uint16_t>(call, plan);
  for (std::size_t p = 0; p < calls.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (is_wanted(product)) plan_copies(product, operand_copies(calls[p], product.shape));
  }
}

}  // namespace Tegula::Impl
