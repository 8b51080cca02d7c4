// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitMemory.hpp"
#include "Tegula_Fp32SplitModel.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "fp32_split";

// The rows of all parts are counted in 32 bits.
bool has_split_extents(const GemmShape& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / (Fp32SplitOperand::most_parts + 1);
  return std::max({shape.m, shape.n, shape.k}) <= most;
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  if (calls[0].compute != Compute::fp32_split) return "the call does not allow Compute::fp32_split";
  if (const char* reason = hopper_refusal(calls[0], machine, most_scratch(Fp32SplitConfigs()))) return reason;
  return has_split_extents(calls[0].shape()) ? nullptr
                                             : "an extent, times the parts of a number, is too large for 32 bits";
}

OperandCopies copies_of(const Call& call, const CudaMachine& machine) {
  return split_copies(product_call<float>(call), call.shape(), machine.multiprocessors);
}

/// Two passes over the operands: the first reads them and writes f16 parts, the second decides that these will do.
double passes_seconds(const Call& call, const CudaMachine& machine) {
  if (call.shape().k == 0) return 0;
  const double elements = static_cast<double>(call.C.rows + call.C.columns) * static_cast<double>(call.shape().k);
  return 2 * fp32_split_model.copy * machine.rates->kernel +
         2 * sizeof(float) * elements / (fp32_split_model.copy_bytes * machine.rates->memory);
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  propose_tiles(fp32_split_model, modelled(calls[0]), machine, options, propose, passes_seconds(calls[0], machine));
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  ProductPlan product = cut_as_proposed(name, fp32_split_model, calls[0], machine, options, proposal);
  plan_copies(product, copies_of(calls[0], machine));
  if (calls[0].shape().k > 0) product.copy_steps = {"[f16 parts]", "[bf16 parts]"};
  return {product, {}};
}

const char* instructions(const Call&) {
  return "three products of f16 parts, six of bf16 parts, or f32, as the data allow";
}

constexpr auto launch = launch_if<has_hopper_kernels>([](const auto& l) { launch_fp32_split(l); });

}  // namespace

/// Hopper (compute capability 9.0), Compute::fp32_split: products of floats from products of 16-bit parts, by wgmma.
/// See Tegula_Fp32SplitScheme.hpp for what is computed.
extern const CudaFamily fp32_split_family =
    apart({name, Covers::product, only_float, is_built_in_float, refusal, propose, cut, launch, instructions});

}  // namespace Tegula::Impl
