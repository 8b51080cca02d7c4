// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "Tegula_TestCudaPlans.hpp"
#include "Tegula_TestRandom.hpp"
#include "cuda/wgmma/Tegula_WgmmaPlan.hpp"
#include "cuda/wgmma/Tegula_WgmmaTurns.hpp"

/// How the wgmma family plans, for machines given as data, and how it shares out works.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr CudaMachine h200{132, 224 * 1024};

Plan planned(Plan plan, const CudaMachine& machine = h200, const PlanOptions& options = {}) {
  plan_wgmma_products(plan, machine, options, ArgumentList(plan.call));
  return plan;
}
Plan plan_of(const GemmShape& shape, const CudaMachine& machine = h200, const PlanOptions& options = {}) {
  return planned(gemm_of(shape), machine, options);
}

TEST(WgmmaTurns, GiveEveryWorkToOneTeam) {
  Random random   = make_random();
  const auto draw = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
  for (int trial = 0; trial < 3000; ++trial) {
    const std::uint32_t first = draw(60), second = draw(200), head_start = draw(9);
    const std::uint32_t teams = 1 + draw(20);
    const WgmmaShares shares(first, second, head_start, teams);
    std::set<std::pair<int, std::uint32_t>> done;
    for (std::uint32_t team = 0; team < teams; ++team) {
      for (WgmmaTurns<2> turns(shares, team); !turns.is_over(); turns.next()) {
        ASSERT_LT(turns.number(), turns.product() == 0 ? first : second);
        ASSERT_TRUE(done.insert({turns.product(), turns.number()}).second);
      }
    }
    ASSERT_EQ(done.size(), first + second) << first << ' ' << second << ' ' << head_start << ' ' << teams;
  }
}

// 64 long works and 256 that take a quarter of the time each: 132 teams need no longer than 72 steps.
TEST(WgmmaTurns, KeepTeamsBusyAlike) {
  const WgmmaShares shares(64, 256, head_start_of(64, 16), 132);
  for (std::uint32_t team = 0; team < 132; ++team) {
    int steps = 0;
    for (WgmmaTurns<2> turns(shares, team); !turns.is_over(); turns.next()) steps += turns.product() == 0 ? 64 : 16;
    ASSERT_LE(steps, 64);
  }
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

TEST(WgmmaPlan, TakesOneTileForBothGradients) {
  const Plan plan = planned(gemm_backward_of(8192, 4096, 4096));
  EXPECT_EQ(plan.products[0].tile, plan.products[1].tile);
  EXPECT_EQ(plan.products[0].tile, (TileShape{128, 256, 64}));
  EXPECT_EQ(plan.workspace_bytes(), 0u);
}

// A tall batch: the few tiles of dB would sum long after those of dA are done.
TEST(WgmmaPlan, SplitsTheGradientThatOthersWouldWaitFor) {
  const Plan plan = planned(gemm_backward_of(65536, 128, 128));
  EXPECT_EQ(plan.products[0].split_k, 1);
  EXPECT_GT(plan.products[1].split_k, 4);
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
