// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PLAN_HPP
#define TEGULA_HOST_PLAN_HPP

#include <array>
#include <cstddef>

#include "Tegula_HostPanels.hpp"
#include "Tegula_HostRates.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the host family cuts a call into tiles.

namespace Tegula::Impl {

/// How an operand lies in memory.
struct OperandTraits {
  bool in_place;             // a microkernel can read its elements as they are
  std::int64_t line_stride;  // between neighbouring lines
  std::int64_t step_stride;  // between neighbouring steps along the inner dimension
};

struct ProductTraits {
  OperandTraits left, right;
  std::int64_t result_row_stride, result_column_stride;
};

/// What the planner knows of the machine.
struct HostMachine {
  RegisterTileShape registers;
  std::size_t element_bytes;  // of the accumulator
  int threads;
  std::size_t scratch_max;  // of a team
  const HostRates* rates;   // predicted times; plans point to its name
};

/// Cuts the products of a plan, chooses how operands are read, and how many threads make a team.
void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
