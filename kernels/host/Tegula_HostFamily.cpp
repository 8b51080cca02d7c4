// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostFamily.hpp"

#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostPlan.hpp"
#include "Tegula_UseMachine.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

OperandTraits operand_traits(const Call& call, const CallMatrix& lines_by_depth, bool formed_while_read) {
  return {lines_by_depth.element == call.accumulator && !formed_while_read, lines_by_depth.row_stride,
          lines_by_depth.column_stride};
}

std::array<ProductTraits, 2> product_traits(const Call& call) {
  const auto of     = [&](const CallMatrix& lines_by_depth) { return operand_traits(call, lines_by_depth, false); };
  const auto formed = [&](const CallMatrix& lines_by_depth) { return operand_traits(call, lines_by_depth, true); };
  if (!call.is_backward)
    return {ProductTraits{of(call.A), of(call.B.transposed()), call.C.row_stride, call.C.column_stride},
            ProductTraits{}};
  return {
      ProductTraits{formed(call.dC), of(call.B), call.dA.row_stride, call.dA.column_stride},
      ProductTraits{formed(call.dC.transposed()), of(call.A.transposed()), call.dB.column_stride, call.dB.row_stride}};
}

}  // namespace

Plan plan_host_call(const Call& call, const HostSpace& space, const PlanOptions& options,
                    const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  const Instructions instructions = host_instructions();
  const bool is_double            = call.accumulator == Element::f64;
  Plan plan                       = uncut_plan(host_family, space.name, call);
  plan.instructions               = name(instructions);
  plan.scratch_level              = 1;
  const HostMachine machine{is_double ? register_tile<double>(instructions) : register_tile<float>(instructions),
                            is_double ? sizeof(double) : sizeof(float), space.threads, space.scratch_max,
                            &host_rates_in_use(instructions)};
  plan_host_products(plan, product_traits(call), machine, options, arguments);
  check_league(plan, arguments);
  return plan;
}

}  // namespace Tegula::Impl
