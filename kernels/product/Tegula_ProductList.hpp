// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_LIST_HPP
#define TEGULA_PRODUCT_LIST_HPP

#include "Tegula_Operand.hpp"
#include "Tegula_Problem.hpp"
#include "Tegula_Product.hpp"
#include "Tegula_Result.hpp"

/// The products of a planned problem that the kernel of a family computes.

namespace Tegula::Impl {

/// The products of a call. The league has the teams of the first product, then those of the second, and so on.
template <class... Products>
struct ProductList {
  template <class Compute>
  KOKKOS_FUNCTION void with_team(std::int64_t, const Compute&) const {}
};

template <class First, class... Others>
struct ProductList<First, Others...> {
  First first;
  ProductList<Others...> others;

  explicit ProductList(const First& first_, const Others&... others_) : first(first_), others{others_...} {}

  /// Calls compute(product, work) with the work of one team of the league.
  TEGULA_CALLS_ANY_FUNCTION
  template <class Compute>
  KOKKOS_FUNCTION void with_team(std::int64_t team, const Compute& compute) const {
    if (team < first.teams()) {
      compute(first, first.work(team));
    } else {
      others.with_team(team - first.teams(), compute);
    }
  }
};

/// Calls launch(product) with the one product of gemm.
template <class A, class B, class C, class Bias, class Z, class Activation, class Launch>
void with_products(const GemmProblem<A, B, C, Bias, Z, Activation>& problem, const Plan& plan, char* workspace,
                   const Launch& launch) {
  using T = accumulator_t<C>;
  launch(make_product<T>(MatrixOperand<T, A>{problem.A}, MatrixOperand<T, B>{problem.B.transposed()},
                         EpilogueResult<T, C, Bias, Z, Activation>{problem.C, problem.bias, problem.Z,
                                                                   problem.activation, problem.alpha, problem.beta},
                         plan.products[0], workspace));
}

/// Calls launch(dA, dB^T) with the products of gemm_backward.
template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation, class Launch>
void with_products(const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& problem, const Plan& plan,
                   char* workspace, const Launch& launch) {
  using T        = accumulator_t<DC>;
  using Gradient = GradientOperand<T, DC, Saved, Activation>;
  const auto& p  = problem;
  const auto dA  = make_product<T>(
      Gradient{p.dC, p.saved, p.activation}, MatrixOperand<T, B>{p.B},
      GradientResult<T, DA, DBias>{p.dA, {}, p.alpha_of(p.dA_shape()), p.update_dA == Update::accumulate, false},
      plan.products[0], workspace);
  const auto dB = make_product<T>(
      Gradient{p.dC.transposed(), p.saved.transposed(), p.activation}, MatrixOperand<T, A>{p.A.transposed()},
      GradientResult<T, DB, DBias>{p.dB.transposed(), p.dbias, p.alpha_of(p.dB_shape()),
                                   p.update_dB == Update::accumulate, p.update_dbias == Update::accumulate},
      plan.products[1], workspace + plan.products[0].workspace_bytes);
  launch(dA, dB);
}

}  // namespace Tegula::Impl

#endif
