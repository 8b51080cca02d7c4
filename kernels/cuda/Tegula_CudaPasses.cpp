// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPasses.hpp"

#include "Tegula_CudaTypes.hpp"
#include "Tegula_FinishPass.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_QueueInOrder.hpp"

namespace Tegula::Impl {
namespace {

constexpr Element sum_of(Element element) { return element == Element::f64 ? Element::f64 : Element::f32; }

/// What a call needs besides a product.
struct Needs {
  Element input;  // of the product's operands
  bool widens_A, widens_B;
  bool finishes, waits_in_C, adds_bias;  // in the pass that finishes the result

  bool any() const { return widens_A || widens_B || finishes; }
};

Needs needs_of(const Call& call) {
  Needs needs{};
  needs.input    = call.A.element == call.B.element ? call.A.element : sum_of(call.A.element);
  needs.widens_A = call.A.element != needs.input;
  needs.widens_B = call.B.element != needs.input;
  // What families of such operands store, and add.
  const bool halves    = is_16_bit(needs.input);
  const auto is_stored = [&](Element element) { return element == needs.input || (halves && element == Element::f32); };
  const auto is_added  = [&](Element element) { return is_stored(element) || (halves && is_16_bit(element)); };
  needs.adds_bias      = call.bias.data != nullptr && !is_added(call.bias.element);
  needs.finishes       = !call.is_built_in || needs.adds_bias || !is_stored(call.C.element) ||
                   (call.Z.data != nullptr && !is_stored(call.Z.element));
  needs.waits_in_C = needs.finishes && call.C.element == sum_of(needs.input);
  return needs;
}

/// A place for the elements of a matrix as sums: along the same direction, in lines that begin at multiples of 128
/// bytes.
CallMatrix sums_at(const CallMatrix& matrix, char* data) {
  const Element sum        = sum_of(matrix.element);
  const std::int64_t line  = 128 / element_bytes(sum);
  const bool by_columns    = matrix.any().is_column_major();
  const std::int64_t pitch = ceil_div(by_columns ? matrix.rows : matrix.columns, line) * line;
  return {data,
          sum,
          static_cast<std::size_t>(element_bytes(sum)),
          matrix.rows,
          matrix.columns,
          by_columns ? 1 : pitch,
          by_columns ? pitch : 1};
}

std::size_t bytes_of(const CallMatrix& sums) {
  const std::int64_t lines = sums.column_stride == 1 ? sums.rows * sums.row_stride : sums.columns * sums.column_stride;
  return static_cast<std::size_t>(lines) * sums.element_bytes;
}

PassPlan plan_passes(const Call& call, const Needs& needs) {
  PassPlan passes;
  const bool reads = call.shape().k > 0;
  if (needs.widens_A && reads) passes.A_bytes = bytes_of(sums_at(call.A, nullptr));
  if (needs.widens_B && reads) passes.B_bytes = bytes_of(sums_at(call.B, nullptr));
  passes.finishes = needs.finishes;
  if (needs.finishes && !needs.waits_in_C) passes.sums_bytes = bytes_of(sums_at(call.C, nullptr));
  return passes;
}

/// Where the passes put things: the parts of their workspace follow each other.
struct Places {
  CallMatrix A, B, sums;
};

Places places_of(const Call& call, const Needs& needs, const PassPlan& passes, char* memory) {
  return {needs.widens_A ? sums_at(call.A, memory) : call.A,
          needs.widens_B ? sums_at(call.B, memory + passes.A_bytes) : call.B,
          needs.waits_in_C || !needs.finishes ? call.C : sums_at(call.C, memory + passes.A_bytes + passes.B_bytes)};
}

/// The product of the call, for families.
Call product_of(const Call& call, const Needs& needs, const Places& places) {
  Call product = call;
  product.A    = places.A;
  product.B    = places.B;
  product.C    = places.sums;
  // A matrix that was left out counts as being of the type of C.
  if (call.bias.data == nullptr) product.bias.element = product.C.element;
  if (call.Z.data == nullptr) product.Z.element = product.C.element;
  if (!needs.finishes) return product;
  product.is_built_in = true;
  product.activation  = {};
  product.Z           = {};
  product.Z.element   = product.C.element;
  if (needs.adds_bias) {
    product.bias         = {};
    product.bias.element = product.C.element;
  }
  if (!needs.waits_in_C) product.beta = 0;
  return product;
}

/// What is left to do behind the product.
FinishCall finish_of(const Call& call, const Needs& needs, const Places& places) {
  FinishCall finish{places.sums, call.C, call.Z, {}, needs.waits_in_C ? 0 : call.beta, call.activation};
  if (needs.adds_bias) finish.bias = call.bias;
  return finish;
}

/// Stands for a workspace while its place is not known: only its alignment counts.
char* some_workspace() { return reinterpret_cast<char*>(std::uintptr_t(4096)); }

}  // namespace

std::optional<PlannedPasses> plan_with_passes(std::span<const CudaFamily* const> families, const Call& call,
                                              const CudaMachine& machine, const PlanOptions& options,
                                              const ArgumentList& arguments) {
  if (call.is_backward || !has_known_elements(call) || (!call.is_built_in && call.passes.finish == nullptr))
    return std::nullopt;
  const Needs needs = needs_of(call);
  if (!needs.any()) return std::nullopt;
  const PassPlan passes = plan_passes(call, needs);
  const Call product    = product_of(call, needs, places_of(call, needs, passes, some_workspace()));
  for (const CudaFamily* family : families) {
    const bool is_allowed = options.family.empty() || options.family == family->name;
    if (!is_allowed || refusal_of(*family, product, machine, options) != nullptr) continue;
    PlannedPasses planned{family, family->plan(product, machine, options, arguments)};
    planned.plan.passes = passes;
    return planned;
  }
  return std::nullopt;
}

#if TEGULA_HAS_MMA
namespace {

/// Queues the pass that widens an operand, if it has a place in the workspace.
void widen(const Kokkos::Cuda& exec, const KernelLabel& label, std::size_t bytes, const CallMatrix& from,
           const CallMatrix& to, const CallableRef& before) {
  if (bytes == 0) return before();
  FinishCall call;
  call.sums = from;
  call.C    = to;
  launch_finish(exec, label + "[widen]", call, before);
}

void finish(const Kokkos::Cuda& exec, const KernelLabel& label, const Call& call, const FinishCall& finish_call,
            const CallableRef& before) {
  if (call.is_built_in) {
    launch_finish(exec, label + "[finish]", finish_call, before);
  } else {
    call.passes.finish(&exec, label + "[finish]", finish_call, call.passes.functor, before);
  }
}

}  // namespace

void launch_with_passes(const Kokkos::Cuda& exec, const Call& call, const PlannedPasses& planned, char* workspace) {
  const Plan& plan       = planned.plan;
  const PassPlan& passes = plan.passes;
  const Needs needs      = needs_of(call);
  const Places places    = places_of(call, needs, passes, workspace + plan.passes_workspace());
  const Call product     = product_of(call, needs, places);
  const KernelLabel label(plan);
  queue_in_order(
      CallableRef(), [&](const CallableRef& before) { widen(exec, label, passes.A_bytes, call.A, places.A, before); },
      [&](const CallableRef& before) { widen(exec, label, passes.B_bytes, call.B, places.B, before); },
      [&](const CallableRef& before) { planned.family->launch(exec, product, plan, workspace, before); },
      [&](const CallableRef& before) {
        needs.finishes ? finish(exec, label, call, finish_of(call, needs, places), before) : before();
      });
}
#endif

}  // namespace Tegula::Impl
