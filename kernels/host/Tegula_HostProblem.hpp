// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PROBLEM_HPP
#define TEGULA_HOST_PROBLEM_HPP

#include "Tegula_HostPlan.hpp"
#include "product/Tegula_UncutPlan.hpp"

/// What the planner of the host family asks of a problem.

namespace Tegula::Impl {

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
