// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Model.hpp"
#include "Tegula_Tf32Operands.hpp"
#include "Tegula_Tf32x3Model.hpp"

namespace Tegula::Impl {
namespace {

/// What differs between the families that take operands as Tf32Operands says.
struct RoundedFloats {
  static constexpr const char* name       = "tf32";
  static constexpr const char* refusal    = "the call does not allow Compute::tf32";
  static constexpr Compute compute        = Compute::tf32;
  static constexpr const TileModel& model = tf32_model;
  static constexpr std::size_t scratch    = most_scratch(Tf32Configs());
};
struct FloatsInParts {
  static constexpr const char* name       = "tf32x3";
  static constexpr const char* refusal    = "the call does not allow Compute::fp32_split";
  static constexpr Compute compute        = Compute::fp32_split;
  static constexpr const TileModel& model = tf32x3_model;
  static constexpr std::size_t scratch    = most_scratch(Tf32x3Configs());
};

template <class Floats>
const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  if (calls[0].compute != Floats::compute) return Floats::refusal;
  return hopper_refusal(calls[0], machine, Floats::scratch);
}

OperandCopies copies_of(const Call& call) { return tf32_copies(product_call<float>(call), call.shape()); }

// Operands may require a transposed tile, also of one that options ask for.
template <class Floats>
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const bool is_transposed = tf32_operands(product_call<float>(calls[0])).transposed;
  propose_tiles(Floats::model, modelled(calls[0]), machine, options, propose,
                copies_seconds(Floats::model, machine, copies_of(calls[0])), is_transposed);
}

/// Rows of tiles that run together: for transposed tiles fewer than are best for the caches, as measured.
int group_for(const GemmShape& shape, const TileShape& tile, bool is_transposed, int multiprocessors) {
  const auto best = static_cast<int>(best_group(ceil_div(shape.m, tile.m), tile, multiprocessors));
  return is_transposed ? std::max(1, best * 3 / 4) : best;
}

template <class Floats>
std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call         = calls[0];
  const bool is_transposed = tf32_operands(product_call<float>(call)).transposed;
  PlanOptions grouped      = options;
  if (grouped.group == 0)
    grouped.group = group_for(call.shape(), proposal.tile, is_transposed, machine.multiprocessors);
  ProductPlan product = cut_as_proposed(Floats::name, Floats::model, call, machine, grouped, proposal);
  plan_copies(product, copies_of(call));
  return {product, {}};
}

/// A row of the table of families.
template <class Floats>
constexpr CudaFamily family_of(void (*launch)(const CudaLaunch&), const char* (*instructions)(const Call&)) {
  return apart({Floats::name, Covers::product, only_float, is_built_in_float, refusal<Floats>, propose<Floats>,
                cut<Floats>, launch, instructions});
}

constexpr auto launch_rounded  = launch_if<has_hopper_kernels>([](const auto& l) { launch_tf32(l); });
constexpr auto launch_in_parts = launch_if<has_hopper_kernels>([](const auto& l) { launch_tf32x3(l); });

}  // namespace

/// Hopper (compute capability 9.0), Compute::tf32: products of floats that TMA rounds to TF32, by wgmma.
extern const CudaFamily tf32_family = family_of<RoundedFloats>(launch_rounded, of_tf32);

/// Hopper, Compute::fp32_split: three products of two parts of TF32 each (Tegula_Fp32Parts.cuh), by wgmma. No pass over
/// operands comes before it.
extern const CudaFamily tf32x3_family = family_of<FloatsInParts>(launch_in_parts, of_parts_of_tf32);

}  // namespace Tegula::Impl
