// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_UNCUT_PLAN_HPP
#define TEGULA_UNCUT_PLAN_HPP

#include "Tegula_Problem.hpp"
#include "Tegula_ProductPlan.hpp"

/// Which products a problem has.

namespace Tegula::Impl {

template <class A, class B, class C, class Bias, class Z, class Activation>
std::array<ProductPlan, 2> uncut_products(const GemmProblem<A, B, C, Bias, Z, Activation>& problem) {
  return {uncut_product("C", problem.shape(), sizeof(A), sizeof(B), sizeof(C), false), ProductPlan{}};
}

template <class DC, class SavedScalar, class A, class B, class DA, class DB, class DBias, class Activation>
std::array<ProductPlan, 2> uncut_products(
    const GemmBackwardProblem<DC, SavedScalar, A, B, DA, DB, DBias, Activation>& problem) {
  constexpr std::size_t gradient_bytes = sizeof(DC) + (Activation::saved == Saved::nothing ? 0 : sizeof(SavedScalar));
  return {
      uncut_product("dA", problem.dA_shape(), gradient_bytes, sizeof(B), sizeof(DA), false),
      uncut_product("dB^T", problem.dB_shape(), gradient_bytes, sizeof(A), sizeof(DB), problem.dbias.data != nullptr)};
}

/// The plan of a call before anything is cut: its description, and its products with their shapes.
template <class ExecutionSpace, class Problem>
Plan uncut_plan(const char* family, const Problem& problem) {
  Plan plan;
  plan.call       = Problem::call;
  plan.family     = family;
  plan.space      = ExecutionSpace::name();
  plan.scalar     = Problem::input_name();
  plan.op_a       = problem.op_a;
  plan.op_b       = problem.op_b;
  plan.activation = Problem::activation_type::name;
  plan.products   = uncut_products(problem);
  return plan;
}

}  // namespace Tegula::Impl

#endif
