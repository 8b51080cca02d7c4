// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PLAN_HPP
#define TEGULA_HOST_PLAN_HPP

#include <array>
#include <cstddef>
#include <vector>

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
  bool is_formed = false, reads_saved = false, sums_lines = false;  // dZ, while it is packed
  double slope = 0;  // cycles of the activation's derivative, for each element that is packed
};

/// How a result is stored.
struct ResultTraits {
  std::int64_t row_stride, column_stride;
  bool is_direct          = true;  // microkernels can store it: sums, with bias or added to what is there
  int passes              = 1;     // how often its elements, or those of Z, are read or written
  double finished_element = 0;     // cycles of the activation
};

struct ProductTraits {
  OperandTraits left, right;
  ResultTraits result;
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

/// Every way to compute the one product of a plan that its planner considers, and every way to read its operands.
std::vector<Plan> host_ways(const Plan& uncut, const ProductTraits& traits, const HostMachine& machine);

}  // namespace Tegula::Impl

#endif
