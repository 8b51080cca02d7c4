// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PLAN_HPP
#define TEGULA_HOST_PLAN_HPP

#include <array>
#include <cstddef>

#include "Tegula_HostPanels.hpp"
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

template <class Accumulator, class Storage>
OperandTraits operand_traits(const MatrixRef<const Storage>& lines_by_depth, bool formed_while_read) {
  return {std::is_same_v<Accumulator, Storage> && !formed_while_read, lines_by_depth.row_stride,
          lines_by_depth.column_stride};
}

template <class A, class B, class C, class Bias, class Z, class Activation>
std::array<ProductTraits, 2> product_traits(const GemmProblem<A, B, C, Bias, Z, Activation>& p) {
  using T = accumulator_t<C>;
  return {ProductTraits{operand_traits<T>(p.A, false), operand_traits<T>(p.B.transposed(), false), p.C.row_stride,
                        p.C.column_stride},
          ProductTraits{}};
}

template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation>
std::array<ProductTraits, 2> product_traits(const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& p) {
  using T = accumulator_t<DC>;
  return {
      ProductTraits{operand_traits<T>(p.dC, true), operand_traits<T>(p.B, false), p.dA.row_stride, p.dA.column_stride},
      ProductTraits{operand_traits<T>(p.dC.transposed(), true), operand_traits<T>(p.A.transposed(), false),
                    p.dB.column_stride, p.dB.row_stride}};
}

/// What the planner knows of the machine.
struct HostMachine {
  RegisterTileShape registers;
  std::size_t element_bytes;  // of the accumulator
  int threads;
  std::size_t scratch_max;  // of a team
};

/// Cuts the products of a plan, chooses how operands are read, and how many threads make a team.
void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments);

template <class ExecutionSpace, class Problem>
Plan host_plan(const char* family, const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
               const ArgumentList& arguments) {
  using T = typename Problem::accumulator;
  check_plan_options(options, arguments);
  const Instructions instructions = host_instructions();
  Plan plan                       = uncut_plan<ExecutionSpace>(family, problem);
  plan.instructions               = name(instructions);
  plan.scratch_level              = 1;
  const HostMachine machine{register_tile<T>(instructions), sizeof(T), exec.concurrency(),
                            static_cast<std::size_t>(Kokkos::TeamPolicy<ExecutionSpace>::scratch_size_max(1))};
  plan_host_products(plan, product_traits(problem), machine, options, arguments);
  check_league(plan, arguments);
  return plan;
}

}  // namespace Tegula::Impl

#endif
