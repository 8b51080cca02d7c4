// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtLeft.hpp"
#include "Tegula_SimtModel.hpp"
#include "Tegula_SimtOperand.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "simt";

bool takes_types(const Call& call) {
  return has_activation(call, FusingFamily::simt) && is_uniform(call, Element::f32);
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  return has_short_strides(calls[0]) ? nullptr : "a stride is too large to be counted in 32 bits";
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  propose_tiles(simt_model, modelled(calls[0]), machine, options, uncut_if_below(calls[0], propose));
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return {cut_as_proposed(name, simt_model, calls[0], machine, options, proposal), {}};
}

constexpr auto launch = launch_if<has_mma_kernels>([](const auto& l) {
  const auto call            = product_call<float>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  if (const auto* own = own_kernels(call, product)) return own->simt(l.exec, call, l.plan, product, l.before);
  float* const partial_sums = product.split_k > 1 ? reinterpret_cast<float*>(l.memory) : nullptr;
  launch_simt_with(l.exec, call, l.plan, product, vector_result(call, product.shape, partial_sums), l.before);
});

}  // namespace

/// Compute capability 8.0 and newer: IEEE single precision by fused multiply-adds, operands of any layout brought by
/// cp.async.
extern const CudaFamily simt_family =
    with_below({name, Covers::product, only_float, takes_types, refusal, propose, cut, launch}, BelowBy::slopes);

}  // namespace Tegula::Impl
