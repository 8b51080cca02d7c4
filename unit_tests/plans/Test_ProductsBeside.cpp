// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/Tegula_CudaProducts.hpp"
#include "cuda/Tegula_ProductsBeside.hpp"

/// Products of gemm_backward that run beside each other: which can, how they share the device, and what that saves. No
/// GPU is needed.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

// The multiprocessors that the first product leaves earliest would take all teams of the second one, were there not
// room on each for no more than what it has to take.
TEST(ProductsBeside, AreSpreadEvenlyBesideEachOther) {
  constexpr std::size_t of_block = KiB, all = 228 * KiB;
  const auto product_of = [](std::int64_t teams, int at_once, std::size_t scratch) {
    ProductPlan product;
    product.order         = {.rows = teams, .columns = 1};
    product.teams_at_once = at_once;
    product.scratch_bytes = scratch;
    return product;
  };
  const auto asked = [&](const ProductPlan& first, const ProductPlan& second) {
    return scratch_beside({first, second}, h200);
  };
  const ProductPlan many = product_of(1717, 3, 38416), few = product_of(255, 4, 27664);
  for (const auto& [teams, of_each] : {std::pair{100, 1}, {132, 1}, {133, 2}, {201, 2}, {396, 3}}) {
    const std::size_t bytes = asked(many, product_of(teams, 4, 52240)) + of_block, number = std::size_t(of_each);
    EXPECT_LE(bytes - of_block, h200.scratch_max) << teams;
    EXPECT_LE(number * bytes, all) << teams;
    EXPECT_GT((number + 1) * bytes, all) << teams;
  }
  EXPECT_EQ(asked(many, product_of(600, 4, 52240)), 0) << "no more than that find room anyway";
  EXPECT_EQ(asked(many, product_of(201, 8, 2576)), 0) << "it wants the first cache";
  EXPECT_EQ(asked(few, product_of(153, 4, 27664)), 0) << "all have room at once";
  EXPECT_GT(asked(product_of(255, 4, 2576), product_of(153, 4, 27664)), 0) << "but not behind what has little scratch";
  EXPECT_EQ(asked(product_of(131, 4, 2576), product_of(153, 4, 27664)), 0)
      << "unless a multiprocessor has none of that";
  EXPECT_GT(asked(few, product_of(85, 2, 98576)), 0) << "nor if two share what one uses";
}

// They need nothing of each other, so the second begins when all teams of the first have. Kokkos' launch has no such
// way, nor have older devices; kernels that end their threads themselves do not run beside others.
TEST(ProductsBeside, RunBesideEachOther) {
  const std::pair<const char*, Element> ways[] = {
      {"simt", Element::f32}, {"direct", Element::f32}, {"mma", Element::f64}, {"mma", Element::bf16}};
  for (const auto& [family, element] : ways) {
    const PlanOptions options{.family = family};
    for (const GemmShape& shape : {GemmShape{304, 200, 104}, {72, 72, 2000}, {4000, 3000, 504}}) {
      const std::array calls =
          gradient_products(relu_backward_call(shape, element), matrix_of(element, shape.m, shape.n));
      std::array<ProductPlan, 2> products;
      for (std::size_t p = 0; p < calls.size(); ++p) products[p] = plan_of(calls[p], options).products[0];
      ASSERT_TRUE(can_run_beside(products, h200)) << family;
      const double alone[] = {products[0].seconds, products[1].seconds}, saved = seconds_beside(products, h200);
      EXPECT_GE(saved, 0);
      EXPECT_LE(saved, std::min(alone[0], alone[1]) * (1 + 1e-12)) << "the longer one takes its time";
      products[0] = {};
      EXPECT_FALSE(can_run_beside(products, h200)) << "there is one alone";
    }
  }
  const Call small = relu_backward_call({6472, 40, 88}, Element::f32);
  const Plan plan  = plan_of(small, {.family = "simt"});
  EXPECT_TRUE(plan.products[1].runs_beside);
  EXPECT_LT(plan.seconds(), plan.gradient.seconds + plan.products[0].seconds + plan.products[1].seconds);
  EXPECT_NE(plan.text().find("beside"), std::string::npos);
  CudaMachine team_policies = h200;
  team_policies.has_entry   = false;
  const CudaMachine old     = machine_of(80, 108, 160 * KiB);
  for (const CudaMachine& machine : {team_policies, old}) {
    const Plan apart = plan_of(small, {.family = "simt"}, machine);
    EXPECT_FALSE(apart.products[1].runs_beside);
    EXPECT_EQ(apart.seconds_beside, 0);
  }
  Call whole    = backward_call({1024, 1024, 1024}, Element::f32);
  whole.compute = Compute::tf32;
  EXPECT_FALSE(plan_of(whole, {.family = "tf32"}).products[1].runs_beside);
  EXPECT_FALSE(
      plan_of(relu_backward_call({1000, 1000, 1000}, Element::f32), {.family = "portable"}).products[1].runs_beside);
}

}  // namespace
}  // namespace Tegula::Test
