// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaProducts.hpp"

#include <algorithm>
#include <limits>

#include "Tegula_TileModel.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

/// left right as a call of gemm. With alpha = 0, or an empty sum, nothing is read.
Call gradient_product(const Call& call, const CallMatrix& left, const CallMatrix& right, const CallMatrix& gradient,
                      Update update) {
  Call product;
  product.name            = call.name;
  product.accumulator     = call.accumulator;
  product.input_name      = call.input_name;
  product.activation_name = call.activation_name;
  product.A               = left;
  product.B               = right;
  product.C               = gradient;
  for (CallMatrix* unused : {&product.bias, &product.Z}) {
    unused->element       = gradient.element;
    unused->element_bytes = gradient.element_bytes;
  }
  product.alpha   = left.columns == 0 ? 0 : call.alpha;
  product.beta    = update == Update::accumulate ? 1 : 0;
  product.op_a    = call.op_a;
  product.op_b    = call.op_b;
  product.compute = call.compute;
  return product;
}

/// Predicts how long the pass takes, without the kernel that adds its sums.
template <class Bits>
void predict_pass(GradientPlan& plan, const Call& call, const CudaMachine& machine) {
  constexpr double bandwidth = 0.77;  // of a copy's: what it reads and writes is in no cache (measured on an H200)
  constexpr double gathered  = 1.4;   // cycles of a multiprocessor for an element that is read by itself; likewise
  if (plan.teams() == 0) return;
  const double elements = static_cast<double>(call.dC.rows) * static_cast<double>(call.dC.columns);
  const double saved    = call.has_constant_slope ? 0 : static_cast<double>(call.saved.element_bytes);
  const double bytes    = elements * (sizeof(Bits) * (plan.stores_dZ ? 2.0 : 1.0) + saved);
  plan.seconds          = pass_seconds(machine, bytes / bandwidth + static_cast<double>(plan.sums_bytes));
  if (run_reads(gradient_call<Bits>(call)) == RunReads::elements)
    plan.seconds = std::max(plan.seconds, gathered * elements / (machine.multiprocessors * machine.rates->clock));
}

}  // namespace

GradientPlan plan_gradient(const Call& call, const CudaMachine& machine) {
  // Of a kernel's launch: what the gradients of 184 layers drawn at random took longer in float and double on an H100
  // than all of their kernels were predicted to. Those behind the pass multiply when all of dZ is there. In 16 bits,
  // where these were 1.7 us, plans that reckoned with them were slower.
  const double handed_on = is_16_bit(input_of(call)) ? 0 : 4.4;
  const auto reads       = [&](const GemmShape& s) { return call.alpha != 0 && s.m > 0 && s.n > 0 && s.k > 0; };
  // Kernels for larger elements copy them to scratch one by one if they do not lie in runs.
  const bool wants_runs = is_16_bit(input_of(call)), is_read = reads(call.dA_shape()) || reads(call.dB_shape());
  return with_bits(call, [&]<class Bits>() {
    GradientPlan plan = plan_gradient_pass(gradient_call<Bits>(call), is_read, wants_runs, machine.multiprocessors);
    predict_pass<Bits>(plan, call, machine);
    if (plan.stores_dZ) plan.seconds += handed_on * machine.rates->kernel;
    return plan;
  });
}

Call call_of_pass_below(const Call& call, bool is_dZ_formed) {
  Call below = call.call_below();
  if (is_dZ_formed) static_cast<CallActivation&>(below) = {};
  return below;
}

GradientPlan plan_below(const Call& call, bool is_dZ_formed, const CudaMachine& machine) {
  const Call below = call_of_pass_below(call, is_dZ_formed);
  return with_bits(below, [&]<class Bits>() {
    GradientPlan plan = plan_gradient_pass_in_place(gradient_call<Bits>(below), machine.multiprocessors);
    predict_pass<Bits>(plan, below, machine);
    predict_column_sums(plan, machine);
    return plan;
  });
}

void predict_column_sums(GradientPlan& plan, const CudaMachine& machine) {
  if (plan.sums_bytes > 0) plan.sums_seconds = pass_seconds(machine, static_cast<double>(plan.sums_bytes));
}

CallMatrix gradient_of(const Call& call, const GradientPlan& plan, char* workspace) {
  CallMatrix dZ = call.dC;
  if (!plan.stores_dZ) return dZ;
  with_bits(call, [&]<class Bits>() {
    const auto copy  = aligned_copy_at(call.dC.as<const Bits>(), workspace);
    dZ.data          = workspace;
    dZ.row_stride    = copy.row_stride;
    dZ.column_stride = copy.column_stride;
  });
  return dZ;
}

std::array<Call, 2> gradient_products(const Call& call, const CallMatrix& dZ) {
  std::array<Call, 2> products{gradient_product(call, dZ, call.B.transposed(), call.dA, call.update_dA),
                               gradient_product(call, dZ.transposed(), call.A, call.dB.transposed(), call.update_dB)};
  products[0].below = call.below;
  return products;
}

Call without_below(const Call& call) {
  Call alone = call;
  alone.below.reset();
  return alone;
}

Call call_for_kernels(const Plan& plan, const Call& call, char* workspace) {
  if (!plan.products[0].forms_dZ_below) return without_below(call);
  Call fused = call;
  if (plan.leaves_sums_below()) fused.below->column_sums = workspace + plan.below_workspace();
  return fused;
}

bool has_cuda_extents(const Call& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1024;
  for (const ProductPlan& product : uncut_products(call))
    if (std::max({product.shape.m, product.shape.n, product.shape.k}) > most) return false;
  return true;
}

}  // namespace Tegula::Impl
