// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaPlans.hpp"

/// How the outer family plans, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr Element elements[] = {Element::bf16, Element::f16, Element::f32, Element::f64};

Plan plan_of_outer(const Call& call, PlanOptions options = {}) {
  options.family = "outer";
  return plan_of(call, options);
}

// Plain results of 16 bits are those of outer_mma.
TEST(OuterPlan, IsForShortSumsWithLargeResults) {
  for (const Element element : elements) {
    const Element result = is_16_bit(element) ? Element::f32 : element;
    const auto family    = [&](const GemmShape& shape) {
      Call call = gemm_call(shape, element);
      call.C    = matrix_of(result, shape.m, shape.n);
      return std::string(plan_of(call).family);
    };
    EXPECT_EQ(family({4049, 3599, 1}), "outer");
    EXPECT_EQ(family({3001, 2999, 5}), "outer");
    EXPECT_NE(family({2048, 2048, 2048}), "outer");
  }
}

TEST(OuterPlan, TakesTheLeastDepthThatASumNeeds) {
  const auto depth = [](std::int64_t k, Element element = Element::f32) {
    return plan_of_outer(gemm_call({1000, 1000, k}, element)).tile().k;
  };
  EXPECT_EQ(depth(1), 8);
  EXPECT_EQ(depth(8), 8);
  EXPECT_EQ(depth(9), 16);
  EXPECT_EQ(depth(17), 32);
  EXPECT_EQ(depth(16, Element::f64), 16);
  EXPECT_EQ(plan_of_outer(gemm_call({1000, 1000, 1}), {.tile = {32, 128, 16}}).tile(), (TileShape{32, 128, 16}))
      << "unless it is asked for";
}

// Tiles are long where C is contiguous.
TEST(OuterPlan, LaysTilesAlongTheResult) {
  Call call = gemm_call({5000, 3000, 4});
  EXPECT_EQ(plan_of_outer(call).tile().n, 128);
  call.C = matrix_of(Element::f32, 5000, 3000, {.by_columns = true});
  EXPECT_EQ(plan_of_outer(call).tile().m, 128);
}

// Few rows, so that every multiprocessor has a tile; many where there are enough, so that columns are read less often.
TEST(OuterPlan, TakesMoreRowsForLargerResults) {
  for (const Element element : elements) {
    EXPECT_EQ(plan_of_outer(gemm_call({200, 3192, 8}, element)).tile().m, 16);
    EXPECT_EQ(plan_of_outer(gemm_call({12000, 12000, 16}, element)).tile().m, 128);
  }
}

TEST(OuterPlan, RefusesWhatItsTilesDoNotHold) {
  const PlanOptions outer{.family = "outer"};
  EXPECT_TRUE(takes("outer", gemm_call({1, 1, 32})));
  EXPECT_TRUE(is_refused("sums are longer than its tiles", gemm_call({64, 64, 33}), outer));
  EXPECT_TRUE(is_refused("sums are longer than its tiles", gemm_call({64, 64, 17}, Element::f64), outer));
  EXPECT_TRUE(is_refused("k is 0", gemm_call({64, 64, 0}), outer));
  EXPECT_TRUE(is_refused("it does not cut k", gemm_call({64, 64, 8}), {.family = "outer", .split_k = 2}));
  EXPECT_FALSE(takes("outer", gemm_call({64, 64, 9}), {.tile = {16, 128, 8}}));
}

// Whatever the way that operands lie.
TEST(OuterPlan, TakesAnyStrides) {
  for (const Lies& lies : {Lies{.by_columns = true}, {.padding = 1}, {.shift = 1}}) {
    Call call = gemm_call({100, 200, 8});
    call.A    = matrix_of(Element::f32, 100, 8, lies);
    call.B    = matrix_of(Element::f32, 8, 200, lies);
    call.C    = matrix_of(Element::f32, 100, 200, lies);
    EXPECT_TRUE(takes("outer", call));
  }
}

}  // namespace
}  // namespace Tegula::Test
