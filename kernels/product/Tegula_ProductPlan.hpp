// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_PLAN_HPP
#define TEGULA_PRODUCT_PLAN_HPP

#include <array>

#include "Tegula_Check.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_Problem.hpp"

/// What all families share of planning: which products a call has, and how one is cut.

namespace Tegula::Impl {

/// A product before it is cut. A product that is not wanted has an empty shape and sums no rows.
inline ProductPlan uncut_product(const char* name, const GemmShape& shape, std::size_t left_bytes,
                                 std::size_t right_bytes, std::size_t result_bytes, bool sums_rows) {
  ProductPlan product;
  product.name         = name;
  product.shape        = shape;
  product.left_bytes   = left_bytes;
  product.right_bytes  = right_bytes;
  product.result_bytes = result_bytes;
  product.sums_rows    = sums_rows;
  return product;
}

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

/// Whether there is anything to compute.
bool is_wanted(const ProductPlan& product);

/// Whether the plan's family computes the product itself.
inline bool is_own(const ProductPlan& product) { return is_wanted(product) && !product.is_streamed(); }

/// Cuts a product into tiles; `teams` run at once, for all products of the call.
void cut_into_tiles(ProductPlan& product, const TileShape& tile, std::int64_t teams, const PlanOptions& options);

/// Clears the products for which there is nothing to compute.
void drop_unwanted_products(Plan& plan);

/// Cuts the inner dimension of a product that has tiles (split-k) into about `parts`, each of whole steps of a tile.
void cut_inner_dimension(ProductPlan& product, std::int64_t parts, std::size_t accumulator_bytes);

/// Cuts the inner dimension of every product for which teams would idle, or as options say.
void cut_inner_dimensions(Plan& plan, std::int64_t teams, std::size_t accumulator_bytes, const PlanOptions& options);

/// Reports options that no family can meet.
void check_plan_options(const PlanOptions& options, const ArgumentList& arguments);

/// Reports more teams than a Kokkos league holds.
void check_league(const Plan& plan, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
