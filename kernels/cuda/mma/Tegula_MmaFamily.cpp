// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LaunchCopies.hpp"
#include "../Tegula_TileModel.hpp"
#include "../async/Tegula_AsyncOperand.hpp"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_MmaModel.hpp"
#include "Tegula_QueueInOrder.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "mma";

// Floats in parts have kernels of their own.
bool splits(const Call& call) { return input_of(call) == Element::f32 && call.compute == Compute::fp32_split; }

const TileModel& model_of(const Call& call) {
  if (is_16_bit(input_of(call))) return mma_half_model;
  if (is_double(call)) return mma_double_model;
  return splits(call) ? mma_fp32_split_model : mma_tf32_model;
}

// No kernel for float is compiled with a user's activation.
bool takes_types(const Call& call) {
  return has_activation(call, FusingFamily::mma) && (is_half(call) || is_float_or_double(call));
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  if (input_of(calls[0]) == Element::f32 && calls[0].compute == Compute::native)
    return "the call allows neither Compute::tf32 nor Compute::fp32_split";
  if (const char* reason = below_refusal(calls[0])) return reason;
  return cuda_refusal(calls[0], machine);
}

OperandCopies copies_of(const Call& call) {
  if (!is_16_bit(input_of(call))) return {};  // others are copied to scratch one by one, if they do not lie in runs
  return operand_copies(product_call<std::uint16_t>(call), call.shape());
}

/// Whether three products of parts take less than half as long as a fused multiply-add. On Hopper they do not: with
/// them, 4 of 211 drawn calls were faster than with any other family.
bool gains_by_parts(const CudaMachine& machine) {
  return mma_fp32_split_model.multiply_share * machine.rates->mma_half > 2 * machine.rates->fma_float;
}

/// Whether operands come in words, since one of them at least does not lie in chunks.
bool comes_in_words(const Call& call) {
  if (!is_16_bit(input_of(call))) return false;
  const auto product      = product_call<std::uint16_t>(call);
  const AsyncOperand left = async_operand(product.left), right = async_operand(product.right);
  return are_in_words(left, right) && !are_in_chunks(left, right);
}

/// Operands that are not aligned are fetched by the kernel itself, word by word or one element after the other, or
/// copied first.
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Call& call       = calls[0];
  const TileModel& model = model_of(call);
  if (splits(call) && options.family.empty() && !gains_by_parts(machine)) return;
  const OperandCopies copies = copies_of(call);
  ModelledProduct product    = modelled(call);
  const Propose uncut        = uncut_if_below(call, propose);
  if (comes_in_words(call))
    for (Fetched& fetched : product.fetched) fetched = in_words(fetched);
  propose_tiles(model, product, machine, options, uncut);
  if (copies.none()) return;
  for (Fetched& fetched : product.fetched) fetched = as_copied(fetched);
  propose_tiles(
      model, product, machine, options,
      [&](Proposal proposal) {
        proposal.copies = true;
        uncut(proposal);
      },
      copies_seconds(model, machine, copies));
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  ProductPlan product = cut_as_proposed(name, model_of(calls[0]), calls[0], machine, options, proposal);
  if (proposal.copies) plan_copies(product, copies_of(calls[0]));
  return {product, {}};
}

/// The kernel of a product, with the user's activation if there is one: slices of sums know none.
template <class Input>
void launch_kernel_of(const CudaLaunch& l, const ProductCall<bits_t<Input>>& call, const CallableRef& before) {
  const ProductPlan& product = l.products[0];
  if (const auto* own = own_kernels(call, product)) return own->mma(l.exec, call, l.plan, product, before);
  auto* const partial_sums = reinterpret_cast<sum_t<Input>*>(l.memory);
  if constexpr (std::is_same_v<Input, float>)
    if (splits(l.calls[0]))
      return launch_mma<float, MmaFp32SplitConfigs>(l.exec, call, l.plan, product, partial_sums, before);
  launch_mma<Input>(l.exec, call, l.plan, product, partial_sums, before);
}

template <class Input>
void launch_of(const CudaLaunch& l) {
  const auto call            = product_call<bits_t<Input>>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  if constexpr (sizeof(Input) > 2) {
    launch_kernel_of<Input>(l, call, l.before);
  } else {
    const auto copies = [&](const CallableRef& before) {
      launch_copies(l.exec, KernelLabel(l.plan, product), call, product, l.memory, l.is_behind, before);
    };
    queue_in_order(l.before, copies, [&](const CallableRef& before) {
      launch_kernel_of<Input>(l, with_aligned_copies(call, product, l.memory), before);
    });
  }
}

const char* instructions(const Call& call) { return splits(call) ? of_parts_of_tf32(call) : of_tf32(call); }

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { with_input(l.calls[0], [&]<class Input>() { launch_of<Input>(l); }); });

}  // namespace

/// Compute capability 8.0 and newer: tensor cores through mma.sync, operands brought by cp.async; 16-bit elements,
/// double, and float with Compute::tf32 or fp32_split.
extern const CudaFamily mma_family = with_below(
    {name, Covers::product, any_type, takes_types, refusal, propose, cut, launch, instructions}, BelowBy::slopes);

}  // namespace Tegula::Impl
