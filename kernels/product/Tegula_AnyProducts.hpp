// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ANY_PRODUCTS_HPP
#define TEGULA_ANY_PRODUCTS_HPP

#include "Tegula_AnyOperand.hpp"
#include "Tegula_AnyResult.hpp"
#include "Tegula_Problem.hpp"
#include "Tegula_Product.hpp"

/// The products of a planned problem whose element types and activation Tegula brings, with these as data.

namespace Tegula::Impl {

template <class T>
using AnyGemmProduct = Product<T, AnyOperand<T>, AnyOperand<T>, AnyEpilogueResult<T>>;

template <class T>
using AnyGradientProduct = Product<T, AnyGradientOperand<T>, AnyOperand<T>, AnyGradientResult<T>>;

template <class... Elements>
inline constexpr bool are_built_in_elements = (... && is_built_in_element<Elements>);

/// Whether a problem's element types can be data.
template <class Problem>
inline constexpr bool has_built_in_elements = false;

template <class A, class B, class C, class Bias, class Z, class Activation>
inline constexpr bool has_built_in_elements<GemmProblem<A, B, C, Bias, Z, Activation>> =
    are_built_in_elements<A, B, C, Bias, Z>;

template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation>
inline constexpr bool has_built_in_elements<GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>> =
    are_built_in_elements<DC, Saved, A, B, DA, DB, DBias>;

/// Whether all of its types can.
template <class Problem>
inline constexpr bool is_built_in_problem =
    has_built_in_elements<Problem>&& is_built_in<typename Problem::activation_type>;

/// Calls launch(product) with the one product of gemm.
template <class A, class B, class C, class Bias, class Z, class Activation, class Launch>
void with_any_products(const GemmProblem<A, B, C, Bias, Z, Activation>& p, const Plan& plan, char* workspace,
                       const Launch& launch) {
  using T = accumulator_t<C>;
  const AnyEpilogueResult<T> result{
      any_matrix(p.C), any_matrix(p.bias), any_matrix(p.Z), activation_choice(p.activation), p.alpha, p.beta};
  launch(make_product<T>(AnyOperand<T>(p.A), AnyOperand<T>(p.B.transposed()), result, plan.products[0], workspace));
}

/// Calls launch(dA, dB^T) with the products of gemm_backward.
template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation, class Launch>
void with_any_products(const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& p, const Plan& plan,
                       char* workspace, const Launch& launch) {
  using T                = accumulator_t<DC>;
  const auto choice      = activation_choice(p.activation);
  const auto accumulates = [](Update update) { return update == Update::accumulate; };
  const AnyGradientResult<T> dA{any_matrix(p.dA), {}, p.alpha_of(p.dA_shape()), accumulates(p.update_dA), false};
  const AnyGradientResult<T> dB{any_matrix(p.dB.transposed()), any_matrix(p.dbias), p.alpha_of(p.dB_shape()),
                                accumulates(p.update_dB), accumulates(p.update_dbias)};
  launch(make_product<T>(AnyGradientOperand<T>{AnyOperand<T>(p.dC), AnyOperand<T>(p.saved), choice}, AnyOperand<T>(p.B),
                         dA, plan.products[0], workspace),
         make_product<T>(
             AnyGradientOperand<T>{AnyOperand<T>(p.dC.transposed()), AnyOperand<T>(p.saved.transposed()), choice},
             AnyOperand<T>(p.A.transposed()), dB, plan.products[1], workspace + plan.products[0].workspace_bytes));
}

}  // namespace Tegula::Impl

#endif
