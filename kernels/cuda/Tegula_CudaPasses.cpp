// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPasses.hpp"

#include "Tegula_CudaTypes.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_TileModel.hpp"

namespace Tegula::Impl {
namespace {

constexpr Element sum_of(Element element) { return element == Element::f64 ? Element::f64 : Element::f32; }

/// What a call needs besides a product.
struct Needs {
  Element input;  // of the product
  bool widens_left, widens_right;
  bool finishes, waits_in_C, adds_bias;  // in the pass that finishes the result

  bool any() const { return widens_left || widens_right || finishes; }
};

Needs needs_of(const Call& call) {
  Needs needs{};
  const bool is_uniform = call.A.element == call.B.element;
  const Element input   = is_uniform ? call.A.element : sum_of(call.A.element);
  needs.input           = input;
  needs.widens_left     = call.A.element != input;
  needs.widens_right    = call.B.element != input;
  // What families of such operands store, and add.
  const bool halves    = is_16_bit(input);
  const auto is_stored = [&](Element element) { return element == input || (halves && element == Element::f32); };
  const auto is_added  = [&](Element element) { return is_stored(element) || (halves && is_16_bit(element)); };
  needs.adds_bias      = call.bias.data != nullptr && !is_added(call.bias.element);
  needs.finishes       = !call.is_built_in || needs.adds_bias || !is_stored(call.C.element) ||
                   (call.Z.data != nullptr && !is_stored(call.Z.element));
  needs.waits_in_C = needs.finishes && call.C.element == sum_of(input);
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

/// A pass that widens an operand to the type of sums, and puts the copy in its place.
FinishCall widen(CallMatrix& operand, char* memory, std::size_t& bytes) {
  FinishCall pass;
  pass.sums = operand;
  operand   = sums_at(operand, memory);
  pass.C    = operand;
  bytes     = bytes_of(operand);
  return pass;
}

/// What is left of the epilogue behind the product, and the product that leaves it.
FinishCall leave_epilogue(const Call& call, const Needs& needs, const CallMatrix& sums, Call& product) {
  FinishCall finish{sums, call.C, call.Z, {}, needs.waits_in_C ? 0 : call.beta, call.activation};
  product.C           = sums;
  product.is_built_in = true;
  product.activation  = {};
  product.Z           = {};
  if (needs.adds_bias) {
    finish.bias  = call.bias;
    product.bias = {};
  }
  if (!needs.waits_in_C) product.beta = 0;
  return finish;
}

/// A matrix that was left out counts as being of the type of C.
void count_as(CallMatrix& matrix, const CallMatrix& C) {
  if (matrix.data == nullptr) matrix.element = C.element;
}

double bytes_of_pass(const FinishCall& pass) {
  const auto bytes = [](const CallMatrix& matrix, double times) {
    if (matrix.data == nullptr) return 0.0;
    return times * static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns) *
           static_cast<double>(matrix.element_bytes);
  };
  return bytes(pass.sums, 1) + bytes(pass.C, pass.beta == 0 ? 1 : 2) + bytes(pass.Z, 1);
}

}  // namespace

std::optional<CallWithPasses> with_passes(const Call& call, char* memory) {
  if (call.below || !has_known_elements(call) || (!call.is_built_in && call.passes.finish == nullptr))
    return std::nullopt;
  const Needs needs = needs_of(call);
  if (!needs.any()) return std::nullopt;
  CallWithPasses passes{call, {}, {}, {}, {}};
  Call& product    = passes.product;
  PassPlan& plan   = passes.plan;
  const bool reads = call.shape().k > 0;
  if (needs.widens_left && reads) passes.widen_left = widen(product.A, memory, plan.left_bytes);
  if (needs.widens_right && reads) passes.widen_right = widen(product.B, memory + plan.left_bytes, plan.right_bytes);
  if (!reads) product.A.element = product.B.element = needs.input;  // as if they had been widened: nobody reads them
  if (needs.finishes) {
    const CallMatrix place = sums_at(call.C, memory + plan.left_bytes + plan.right_bytes);
    plan.finishes          = true;
    plan.sums_bytes        = needs.waits_in_C ? 0 : bytes_of(place);
    passes.finish          = leave_epilogue(call, needs, needs.waits_in_C ? call.C : place, product);
  }
  count_as(product.bias, product.C);
  count_as(product.Z, product.C);
  return passes;
}

void predict_passes(CallWithPasses& passes, const CudaMachine& machine) {
  const auto seconds = [&](const FinishCall& pass) {
    return pass.sums.data == nullptr ? 0 : pass_seconds(machine, bytes_of_pass(pass));
  };
  passes.plan.left_seconds   = seconds(passes.widen_left);
  passes.plan.right_seconds  = seconds(passes.widen_right);
  passes.plan.finish_seconds = seconds(passes.finish);
}

#if TEGULA_HAS_MMA
void launch_widening(const Kokkos::Cuda& exec, const KernelLabel& label, const FinishCall& pass,
                     const CallableRef& before) {
  pass.sums.data == nullptr ? before() : launch_finish(exec, label, pass, before);
}

void launch_finishing(const Kokkos::Cuda& exec, const KernelLabel& label, const Call& call, const FinishCall& pass,
                      const CallableRef& before) {
  if (pass.sums.data == nullptr) return before();
  if (call.is_built_in) return launch_finish(exec, label + finish_step, pass, before);
  call.passes.finish(&exec, label + finish_step, pass, call.passes.functor, before);
}
#endif

}  // namespace Tegula::Impl
