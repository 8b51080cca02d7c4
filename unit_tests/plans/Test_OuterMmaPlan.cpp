// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaPlans.hpp"

/// How the outer_mma family plans, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr const char* family = "outer_mma";

Call half_call(const GemmShape& shape, const Lies& of_C = {}) {
  Call call = gemm_call(shape, Element::bf16);
  call.C    = matrix_of(Element::bf16, shape.m, shape.n, of_C);
  return call;
}

TileShape tile_of(const Call& call, PlanOptions options = {}) {
  options.family = family;
  return plan_of(call, options).tile();
}

TEST(OuterMmaPlan, IsForShortSumsWithLargeResults) {
  for (const Element element : {Element::bf16, Element::f16}) {
    EXPECT_STREQ(plan_of(gemm_call({8001, 8003, 20}, element)).family, family);
    EXPECT_STRNE(plan_of(gemm_call({2048, 2048, 2048}, element)).family, family);
  }
}

TEST(OuterMmaPlan, TakesTheLeastDepthThatASumNeeds) {
  const auto depth = [](std::int64_t k) { return tile_of(half_call({1000, 1000, k})).k; };
  EXPECT_EQ(depth(1), 16);
  EXPECT_EQ(depth(16), 16);
  EXPECT_EQ(depth(17), 32);
  EXPECT_EQ(depth(33), 64);
  EXPECT_EQ(tile_of(half_call({1000, 1000, 1}), {.tile = {64, 112, 32}}), (TileShape{64, 112, 32}))
      << "unless it is asked for";
}

// Tiles lap where rows begin within sectors of memory, and lie along the result.
TEST(OuterMmaPlan, LapsWhereRowsBeginWithinSectors) {
  EXPECT_EQ(tile_of(half_call({500, 512, 8})).n, 128);
  EXPECT_EQ(tile_of(half_call({500, 520, 8})).n, 112) << "odd multiples of 16 bytes";
  EXPECT_EQ(tile_of(half_call({500, 511, 8})).n, 112);
  EXPECT_EQ(tile_of(half_call({500, 512, 8}, {.shift = 1})).n, 112);
  EXPECT_EQ(tile_of(half_call({512, 500, 8}, by_columns)).m, 128);
  EXPECT_EQ(tile_of(half_call({511, 500, 8}, by_columns)).m, 112);
}

// Few rows, so that every multiprocessor has a tile; many where there are enough, so that columns are read less often.
TEST(OuterMmaPlan, TakesMoreRowsForLargerResults) {
  EXPECT_EQ(tile_of(half_call({200, 3192, 8})).m, 64);
  EXPECT_GT(tile_of(half_call({12000, 12000, 16})).m, 64);
}

TEST(OuterMmaPlan, RefusesWhatItDoesNotDo) {
  const PlanOptions asked{.family = family};
  EXPECT_TRUE(takes(family, half_call({1, 1, 64})));
  EXPECT_TRUE(is_refused("sums are longer than its tiles", half_call({64, 64, 65}), asked));
  EXPECT_TRUE(is_refused("k is 0", half_call({64, 64, 0}), asked));
  EXPECT_TRUE(is_refused("it does not cut k", half_call({64, 64, 8}), {.family = family, .split_k = 2}));
  EXPECT_TRUE(is_refused("half_t or bhalf_t throughout", gemm_call({64, 64, 8}, Element::f32), asked));
  EXPECT_FALSE(takes(family, half_call({64, 64, 17}), {.tile = {64, 128, 16}}));
  Call added = half_call({64, 64, 8});
  added.beta = 1;
  EXPECT_TRUE(is_refused("alpha = 1, beta = 0", added, asked));
  Call to_float = half_call({64, 64, 8});
  to_float.C    = matrix_of(Element::f32, 64, 64);
  EXPECT_TRUE(is_refused("half_t or bhalf_t throughout", to_float, asked));
  Call activated       = half_call({64, 64, 8});
  activated.activation = {BuiltInActivations::position<Tanh>()};
  EXPECT_TRUE(is_refused("no activation or relu", activated, asked));
}

// Whatever the way that operands lie.
TEST(OuterMmaPlan, TakesAnyStrides) {
  for (const Lies& lies : {Lies{}, by_columns, {.padding = 1}, {.shift = 1}}) {
    Call call = half_call({100, 200, 8}, lies);
    call.A    = matrix_of(Element::bf16, 100, 8, lies);
    call.B    = matrix_of(Element::bf16, 8, 200, lies);
    EXPECT_TRUE(takes(family, call));
  }
}

}  // namespace
}  // namespace Tegula::Test
