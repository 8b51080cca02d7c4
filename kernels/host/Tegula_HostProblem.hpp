// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PROBLEM_HPP
#define TEGULA_HOST_PROBLEM_HPP

#include "Tegula_HostCallbacks.hpp"
#include "Tegula_HostKernel.hpp"
#include "Tegula_HostPlan.hpp"
#include "product/Tegula_UncutPlan.hpp"

/// From a problem to what the planner of the host family asks of it, and to the plain call that the kernel takes.

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

template <class T, class Storage>
HostMatrix<T> host_matrix(const MatrixRef<Storage>& m, Instructions instructions) {
  if (m.data == nullptr) return {};
  using Stored = std::remove_const_t<Storage>;
  return {const_cast<Stored*>(m.data), m.row_stride, m.column_stride, host_elements<T, Storage>(instructions)};
}

/// Calls run(call) with the one product of gemm.
template <class A, class B, class C, class Bias, class Z, class Activation, class Run>
void with_host_call(const GemmProblem<A, B, C, Bias, Z, Activation>& p, const Plan& plan, char* workspace,
                    const Run& run) {
  using T                         = accumulator_t<C>;
  const Instructions instructions = host_instructions();
  const auto matrix               = [&](const auto& m) { return host_matrix<T>(m, instructions); };
  const HostValue<T> activation =
      host_value<T>(p.activation, finishing_instructions(instructions, plan.products[0].split_k));
  const HostResult<T> result{matrix(p.C), p.alpha, p.beta, matrix(p.bias), matrix(p.Z), activation};
  const HostProduct<T> product({matrix(p.A)}, {matrix(p.B).transposed()}, result, plan.products[0], workspace,
                               register_tile<T>(instructions));
  run(HostCall<T>{{&product, 1}, instructions, &plan});
}

/// Calls run(call) with the products of gemm_backward, dA and dB^T.
template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation, class Run>
void with_host_call(const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& p, const Plan& plan,
                    char* workspace, const Run& run) {
  using T                         = accumulator_t<DC>;
  const Instructions instructions = host_instructions();
  const RegisterTileShape shape   = register_tile<T>(instructions);
  const auto matrix               = [&](const auto& m) { return host_matrix<T>(m, instructions); };
  const auto beta                 = [](Update update) { return T(update == Update::accumulate ? 1 : 0); };
  const HostOperand<T> dZ{matrix(p.dC), matrix(p.saved), host_slope<T>(p.activation, instructions)};
  const HostOperand<T> dZ_transposed{dZ.matrix.transposed(), dZ.saved.transposed(), dZ.slope};
  const HostResult<T> dA{matrix(p.dA), p.alpha_of(p.dA_shape()), beta(p.update_dA)};
  const HostResult<T> dB{
      matrix(p.dB).transposed(),           p.alpha_of(p.dB_shape()), beta(p.update_dB), {}, {}, {}, matrix(p.dbias),
      p.update_dbias == Update::accumulate};
  const HostProduct<T> products[] = {{dZ, {matrix(p.B)}, dA, plan.products[0], workspace, shape},
                                     {dZ_transposed,
                                      {matrix(p.A).transposed()},
                                      dB,
                                      plan.products[1],
                                      workspace + plan.products[0].workspace_bytes,
                                      shape}};
  run(HostCall<T>{products, instructions, &plan});
}

}  // namespace Tegula::Impl

#endif
