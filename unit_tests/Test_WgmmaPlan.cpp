// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "cuda/wgmma/Tegula_WgmmaPlan.hpp"

/// How the wgmma family plans, on machines that need not be here.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr TensorMachine h200{132, 224 * 1024};

Plan plan_of(const GemmShape& shape, const TensorMachine& machine = h200, const PlanOptions& options = {}) {
  Plan plan;
  plan.call        = "gemm";
  plan.products[0] = uncut_product("C", shape, 2, 2, 2, false);
  plan_wgmma_product(plan, machine, options, ArgumentList("gemm"));
  return plan;
}

TEST(WgmmaPlan, TakesLargeTilesForLargeProducts) {
  for (const std::int64_t n : {2048, 4096, 8192, 16384})
    EXPECT_EQ(plan_of({n, n, n}).tile(), (TileShape{128, 256, 64})) << n;
}

TEST(WgmmaPlan, TakesSmallTilesForSmallProducts) {
  const Plan plan = plan_of({512, 512, 512});
  EXPECT_EQ(plan.tile(), (TileShape{64, 64, 64}));
  EXPECT_EQ(plan.products[0].split_k, 1);
}

TEST(WgmmaPlan, SplitsALongSumOfFewTiles) {
  const Plan plan = plan_of({256, 256, 65536});
  EXPECT_GT(plan.products[0].split_k, 4);
  EXPECT_LE(plan.teams(), 2 * h200.multiprocessors);
}

TEST(WgmmaPlan, TakesNoMoreScratchThanThereIs) {
  const Plan plan = plan_of({8192, 8192, 8192}, {132, 180 * 1024});
  EXPECT_LE(plan.scratch_bytes, 180u * 1024);
}

TEST(WgmmaPlan, ObeysOptions) {
  const Plan plan = plan_of({1000, 1000, 1000}, h200, {.tile = {128, 128, 64}, .group = 3, .split_k = 2});
  EXPECT_EQ(plan.tile(), (TileShape{128, 128, 64}));
  EXPECT_EQ(plan.products[0].order.group, 3);
  EXPECT_EQ(plan.products[0].split_k, 2);
  EXPECT_THROW(plan_of({64, 64, 64}, h200, {.tile = {1, 2, 3}}), std::invalid_argument);
  EXPECT_THROW(plan_of({64, 64, 64}, h200, {.group = -1}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
