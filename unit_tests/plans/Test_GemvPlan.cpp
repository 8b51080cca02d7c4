// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <utility>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/gemv/Tegula_GemvArguments.hpp"

/// How the gemv family plans, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

/// The long operand lies in that direction.
Call call_of(const GemmShape& shape, Major major, Element element = Element::f32) {
  Call call = gemm_call(shape, element);
  if (streams_left(shape)) {
    call.A = matrix_of(element, shape.m, shape.k, {.by_columns = major == Major::lines});
  } else {
    call.B = matrix_of(element, shape.k, shape.n, {.by_columns = major == Major::depth});
  }
  return call;
}

Plan plan_of_gemv(const Call& call, PlanOptions options = {}) {
  options.family = "gemv";
  return plan_of(call, options);
}

TEST(GemvPlan, TakesATileThatLiesAsTheLongOperandDoes) {
  const auto tile = [](const GemmShape& shape, Major major, Element element = Element::f32) {
    return plan_of_gemv(call_of(shape, major, element)).tile();
  };
  EXPECT_EQ(tile({8, 16384, 16384}, Major::depth), (TileShape{8, 64, 128}));
  EXPECT_EQ(tile({8, 16384, 16384}, Major::lines), (TileShape{8, 128, 64}));
  EXPECT_EQ(tile({16384, 1, 16384}, Major::depth), (TileShape{64, 8, 128}));
  EXPECT_EQ(tile({16384, 1, 16384}, Major::lines), (TileShape{128, 8, 64}));
  EXPECT_EQ(tile({8, 16384, 16384}, Major::depth, Element::f64), (TileShape{8, 32, 64}));
  EXPECT_EQ(tile({8, 16384, 16384}, Major::lines, Element::f64), (TileShape{8, 64, 64}));
  EXPECT_EQ(tile({9, 16384, 16384}, Major::depth), (TileShape{16, 64, 128}));
  EXPECT_EQ(tile({16384, 16, 16384}, Major::lines), (TileShape{128, 16, 64}));
}

// Sums are split where multiprocessors would idle.
TEST(GemvPlan, SplitsSumsOfFewTiles) {
  for (const Major major : {Major::depth, Major::lines}) {
    EXPECT_EQ(plan_of_gemv(call_of({8, 100000, 256}, major)).products[0].split_k, 1);
    EXPECT_GE(plan_of_gemv(call_of({8, 1024, 16384}, major)).products[0].split_k, 4);
  }
}

TEST(GemvPlan, IsForFewLinesOfTheOtherOperand) {
  const auto takes_shape = [](const GemmShape& shape, const PlanOptions& options = {},
                              const CudaMachine& machine = h200) {
    return takes("gemv", call_of(shape, Major::depth), options, machine);
  };
  EXPECT_TRUE(takes_shape({8, 1000, 1000}));
  EXPECT_TRUE(takes_shape({1000, 8, 1000}));
  EXPECT_TRUE(takes_shape({1, 1, 0}));
  EXPECT_TRUE(takes_shape({16, 1000, 1000}));
  EXPECT_FALSE(takes_shape({17, 1000, 1000}));
  EXPECT_TRUE(takes("gemv", call_of({8, 1000, 1000}, Major::depth, Element::f64)));
  EXPECT_FALSE(takes("gemv", call_of({9, 1000, 1000}, Major::depth, Element::f64)));
  EXPECT_FALSE(takes_shape({8, 1000, 1000}, {}, before_kokkos_5_2));
  EXPECT_TRUE(takes_shape({8, 1000, 1000}, {.tile = {8, 64, 128}}));
  EXPECT_FALSE(takes_shape({1000, 8, 1000}, {.tile = {1, 2, 3}}));
}

// What a matrix times a vector takes is the time of the matrix.
TEST(GemvPlan, IsForAMatrixTimesAVector) {
  for (const Element element : {Element::f32, Element::f64})
    EXPECT_STREQ(plan_of(call_of({16384, 1, 16384}, Major::depth, element)).family, "gemv");
}

// What a lane copies at a time is shorter where rows do not begin at multiples of 16 bytes.
TEST(GemvPlan, ExpectsRunsThatAreNotAlignedToTakeLonger) {
  const auto seconds = [](const Lies& lies) {
    Call call = gemm_call({8, 10000, 10000});
    call.B    = matrix_of(Element::f32, 10000, 10000, lies);
    return plan_of_gemv(call).products[0].seconds;
  };
  for (const Lies& lies : {Lies{.padding = 1}, {.shift = 1}}) EXPECT_GT(seconds(lies), seconds({}));
}

TEST(GemvPlan, ObeysOptions) {
  const Call call = call_of({5, 1000, 1000}, Major::depth);
  const Plan plan = plan_of_gemv(call, {.tile = {8, 64, 128}, .group = 3, .split_k = 2});
  EXPECT_EQ(plan.products[0].split_k, 2);
  EXPECT_EQ(plan.products[0].order.group, 3);
  EXPECT_EQ(plan.products[0].workspace_bytes, 2u * 5 * 1000 * sizeof(float));
  EXPECT_TRUE(
      is_refused("the gemv family has no tile 1x2x3, only 8x64x128", call, {.family = "gemv", .tile = {1, 2, 3}}));
}

TEST(GemvCall, StreamsTheLongOperandAsItLies) {
  alignas(16) static const float data[8]{};
  const auto form = [](const GemmShape& shape, const MatrixRef<const float>& left,
                       const MatrixRef<const float>& right) {
    ProductCall<float> call{};
    call.left         = left;
    call.right        = right;
    const GemvForm is = gemv_form(call, shape);
    return std::pair(is.along, is.is_aligned);
  };
  const MatrixRef<const float> few{data, 3, 100, 100, 1}, by_depth{data, 50, 100, 100, 1},
      by_lines{data, 50, 100, 1, 52}, odd{data, 50, 100, 101, 1}, shifted{data + 1, 50, 100, 100, 1},
      odd_lines{data, 50, 100, 1, 51}, scattered{data, 50, 100, 300, 3}, scattered_lines{data, 50, 100, 3, 160};
  EXPECT_EQ(form({3, 50, 100}, few, by_depth), std::pair(Major::depth, true));
  EXPECT_EQ(form({50, 3, 100}, by_depth, few), std::pair(Major::depth, true));
  EXPECT_EQ(form({3, 50, 100}, few, by_lines), std::pair(Major::lines, true));
  EXPECT_EQ(form({3, 50, 100}, few, odd), std::pair(Major::depth, false));
  EXPECT_EQ(form({3, 50, 100}, few, shifted), std::pair(Major::depth, false));
  EXPECT_EQ(form({3, 50, 100}, few, odd_lines), std::pair(Major::lines, false));
  EXPECT_EQ(form({3, 50, 100}, few, scattered), std::pair(Major::depth, false));
  EXPECT_EQ(form({3, 50, 100}, few, scattered_lines), std::pair(Major::lines, false));
}

}  // namespace
}  // namespace Tegula::Test
