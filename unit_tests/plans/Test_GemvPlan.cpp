// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/gemv/Tegula_GemvArguments.hpp"
#include "cuda/gemv/Tegula_GemvPlan.hpp"

/// How the gemv family plans, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr CudaMachine h200{132, 219 * 1024}, before_kokkos_5{132, 40 * 1024};

template <class T = float>
Plan plan_of(const GemmShape& shape, Major major, const PlanOptions& options = {}) {
  Plan plan   = gemm_of(shape, sizeof(T));
  plan.family = "gemv";
  plan_gemv_product<T>(plan, major, h200, options, ArgumentList(plan.call));
  return plan;
}

TEST(GemvPlan, TakesATileThatLiesAsTheLongOperandDoes) {
  EXPECT_EQ(plan_of({8, 16384, 16384}, Major::depth).tile(), (TileShape{8, 64, 128}));
  EXPECT_EQ(plan_of({8, 16384, 16384}, Major::lines).tile(), (TileShape{8, 128, 64}));
  EXPECT_EQ(plan_of({16384, 1, 16384}, Major::depth).tile(), (TileShape{64, 8, 128}));
  EXPECT_EQ(plan_of({16384, 1, 16384}, Major::lines).tile(), (TileShape{128, 8, 64}));
  EXPECT_EQ(plan_of<double>({8, 16384, 16384}, Major::depth).tile(), (TileShape{8, 32, 64}));
  EXPECT_EQ(plan_of<double>({8, 16384, 16384}, Major::lines).tile(), (TileShape{8, 64, 64}));
}

// The fastest choice on an H200: sums are split where multiprocessors would idle.
TEST(GemvPlan, SplitsSumsOfFewTiles) {
  const auto splits = [](const GemmShape& shape, Major major) { return plan_of(shape, major).products[0].split_k; };
  for (const Major major : {Major::depth, Major::lines}) {
    EXPECT_EQ(splits({8, 16384, 16384}, major), 1);
    EXPECT_EQ(splits({8, 16384, 1024}, major), 1);
    EXPECT_EQ(splits({8, 100000, 256}, major), 1);
    EXPECT_GE(splits({8, 1024, 16384}, major), 8);
  }
  EXPECT_EQ(splits({8, 4096, 4096}, Major::depth), 2);
  EXPECT_EQ(splits({8, 4096, 4096}, Major::lines), 4);
}

TEST(GemvPlan, IsForFewLinesOfTheOtherOperand) {
  const auto takes = [](const GemmShape& shape, const CudaMachine& machine = h200, const PlanOptions& options = {}) {
    return is_gemv<float>(shape, Major::depth, machine, options);
  };
  EXPECT_TRUE(takes({8, 1000, 1000}));
  EXPECT_TRUE(takes({1000, 8, 1000}));
  EXPECT_TRUE(takes({1, 1, 0}));
  EXPECT_FALSE(takes({9, 1000, 1000}));
  EXPECT_FALSE(takes({8, 1000, 1000}, before_kokkos_5));
  EXPECT_TRUE(takes({8, 1000, 1000}, h200, {.tile = {8, 64, 128}}));
  EXPECT_FALSE(takes({1000, 8, 1000}, h200, {.tile = {8, 64, 128}}));
}

TEST(GemvPlan, IsForOperandsThatAreWorthTheStart) {
  EXPECT_TRUE(is_best_gemv<float>({1, 512, 512}, Major::depth));
  EXPECT_TRUE(is_best_gemv<float>({256, 1, 16384}, Major::depth));
  EXPECT_FALSE(is_best_gemv<float>({8, 128, 16384}, Major::depth));
  EXPECT_FALSE(is_best_gemv<float>({8, 16384, 128}, Major::depth));
  EXPECT_TRUE(is_best_gemv<double>({8, 1024, 1024}, Major::lines));
  EXPECT_TRUE(is_best_gemv<float>({8, 16384, 16384}, Major::lines));
  EXPECT_FALSE(is_best_gemv<float>({8, 4096, 4096}, Major::lines)) << "simt has a tile for that, which is as fast";
}

TEST(GemvPlan, ObeysOptions) {
  const Plan plan = plan_of({5, 1000, 1000}, Major::depth, {.tile = {8, 64, 128}, .group = 3, .split_k = 2});
  EXPECT_EQ(plan.products[0].split_k, 2);
  EXPECT_EQ(plan.products[0].order.group, 3);
  EXPECT_EQ(plan.products[0].workspace_bytes, 2u * 5 * 1000 * sizeof(float));
  EXPECT_THROW(plan_of({8, 8, 8}, Major::depth, {.tile = {1, 2, 3}}), std::invalid_argument);
}

TEST(GemvCall, StreamsTheLongOperandAsItLies) {
  alignas(16) static const float data[8]{};
  const auto major = [](const GemmShape& shape, const MatrixRef<const float>& left,
                        const MatrixRef<const float>& right) {
    ProductCall<float> call{};
    call.left  = left;
    call.right = right;
    return streamed_major(call, shape);
  };
  const MatrixRef<const float> few{data, 3, 100, 100, 1}, by_depth{data, 50, 100, 100, 1},
      by_lines{data, 50, 100, 1, 52}, odd{data, 50, 100, 101, 1}, shifted{data + 1, 50, 100, 100, 1};
  EXPECT_EQ(major({3, 50, 100}, few, by_depth), Major::depth);
  EXPECT_EQ(major({50, 3, 100}, by_depth, few), Major::depth);
  EXPECT_EQ(major({3, 50, 100}, few, by_lines), Major::lines);
  EXPECT_EQ(major({3, 50, 100}, few, odd), std::nullopt);
  EXPECT_EQ(major({3, 50, 100}, few, shifted), std::nullopt);
}

}  // namespace
}  // namespace Tegula::Test
