// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Model.hpp"
#include "Tegula_Tf32Operands.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "tf32";

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  if (calls[0].compute != Compute::tf32) return "the call does not allow Compute::tf32";
  return hopper_refusal(calls[0], machine, most_scratch(Tf32Configs()));
}

OperandCopies copies_of(const Call& call) { return tf32_copies(product_call<float>(call), call.shape()); }

// Operands may require a transposed tile, also of one that options ask for.
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const bool is_transposed = tf32_operands(product_call<float>(calls[0])).transposed;
  propose_tiles(tf32_model, modelled(calls[0]), machine, options, propose,
                copies_seconds(tf32_model, machine, copies_of(calls[0])), is_transposed);
}

/// Rows of tiles that run together: for transposed tiles fewer than are best for the caches, as measured.
int group_for(const GemmShape& shape, const TileShape& tile, bool is_transposed, int multiprocessors) {
  const auto best = static_cast<int>(best_group(ceil_div(shape.m, tile.m), tile, multiprocessors));
  return is_transposed ? std::max(1, best * 3 / 4) : best;
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call         = calls[0];
  const bool is_transposed = tf32_operands(product_call<float>(call)).transposed;
  PlanOptions grouped      = options;
  if (grouped.group == 0)
    grouped.group = group_for(call.shape(), proposal.tile, is_transposed, machine.multiprocessors);
  ProductPlan product = cut_as_proposed(name, tf32_model, call, machine, grouped, proposal);
  plan_copies(product, copies_of(call));
  return {product, {}};
}

constexpr auto launch = launch_if<has_hopper_kernels>([](const auto& l) { launch_tf32(l); });

}  // namespace

/// Hopper (compute capability 9.0), Compute::tf32: products of floats that TMA rounds to TF32, by wgmma.
extern const CudaFamily tf32_family =
    apart({name, Covers::product, only_float, is_built_in_float, refusal, propose, cut, launch, of_tf32});

}  // namespace Tegula::Impl
