// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <vector>

#include "Tegula_Activation.hpp"
#include "Tegula_TestCudaPlans.hpp"
#include "cuda/panel/Tegula_PanelPlan.hpp"
#include "cuda/panel/Tegula_PanelShares.hpp"

/// How the panel family plans and shares out tiles, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr CudaMachine h200{132, 219 * 1024};

// Row-major operands and result; nothing is read.
ProductCall<double> call_of(const GemmShape& shape) {
  alignas(16) static double memory[2];
  ProductCall<double> call{};
  call.left  = {memory, shape.m, shape.k, shape.k, 1};
  call.right = {memory, shape.n, shape.k, 1, shape.n};
  call.C     = {memory, Element::f64, shape.n, 1};
  call.alpha = 1;
  return call;
}

bool takes(const GemmShape& shape, const PlanOptions& options = {}) { return is_panel(call_of(shape), shape, options); }

Plan plan_of(const GemmShape& shape, const ProductCall<double>& call, const PlanOptions& options = {}) {
  Plan plan   = gemm_of(shape, sizeof(double));
  plan.family = "panel";
  plan_panel_product(plan, h200, call, options, ArgumentList(plan.call));
  return plan;
}

TEST(PanelPlan, TakesShortSumsWhole) {
  EXPECT_TRUE(takes({1000, 1000, 128}));
  EXPECT_TRUE(takes({1000, 1000, 2}));
  EXPECT_FALSE(takes({1000, 1000, 130}));
  EXPECT_FALSE(takes({1000, 1000, 0}));
}

TEST(PanelPlan, TakesRunsOf16Bytes) {
  const GemmShape shape{100, 100, 10};
  EXPECT_FALSE(takes({100, 101, 10}));
  EXPECT_FALSE(takes({100, 100, 9}));
  ProductCall<double> call = call_of(shape);
  call.C.column_stride     = 2;
  EXPECT_FALSE(is_panel(call, shape, {}));
  call.C = {call.C.data, Element::f64, 1, 102};
  EXPECT_TRUE(is_panel(call, shape, {}));
}

TEST(PanelPlan, TakesTheUsualEpilogue) {
  const GemmShape shape{100, 100, 10};
  ProductCall<double> call = call_of(shape);
  call.activation          = activation_choice(Relu());
  call.bias                = {call.C.data, Element::f64, 0, 1};
  EXPECT_TRUE(is_panel(call, shape, {}));
  call.beta = -0.5;
  EXPECT_TRUE(is_panel(call, shape, {}));
  call.activation = activation_choice(Tanh());
  EXPECT_FALSE(is_panel(call, shape, {}));
}

TEST(PanelPlan, GoesDownThePanels) {
  const GemmShape shape{1000, 300, 64};
  ProductCall<double> call = call_of(shape);
  const Plan plan          = plan_of(shape, call);
  EXPECT_EQ(plan.tile(), (TileShape{32, 128, 16}));
  EXPECT_EQ(plan.products[0].order.group, 32);
  call.C = {call.C.data, Element::f64, 1, shape.m};
  EXPECT_EQ(plan_of(shape, call).tile(), (TileShape{128, 32, 16}));
  EXPECT_EQ(plan_of(shape, call).products[0].order.group, 1);
}

TEST(PanelPlan, ObeysOptions) {
  EXPECT_TRUE(takes({100, 100, 10}, {.tile = {32, 128, 16}}));
  EXPECT_FALSE(takes({100, 100, 10}, {.tile = {128, 32, 16}}));
  EXPECT_FALSE(takes({100, 100, 10}, {.group = 3}));
  EXPECT_FALSE(takes({100, 100, 10}, {.split_k = 2}));
}

TEST(PanelPlan, IsForLargeResults) {
  EXPECT_TRUE(is_best_panel({8192, 8192, 64}));
  EXPECT_FALSE(is_best_panel({1024, 1024, 64}));
  EXPECT_TRUE(is_best_panel({100000, 256, 64}));
  EXPECT_FALSE(is_best_panel({100000, 128, 64}));
}

TEST(PanelShares, GiveEveryPanelAsManyTeamsIfThatLeavesFewWithoutWork) {
  EXPECT_EQ(panel_shares(256, 64, 132).teams, 128);
  EXPECT_EQ(panel_shares(256, 5, 132).teams, 130);
  EXPECT_EQ(panel_shares(256, 80, 132).teams, 132);
  EXPECT_EQ(panel_shares(256, 200, 132).teams, 132);
  EXPECT_EQ(panel_shares(3, 2, 132).teams, 6);
}

TEST(PanelShares, GiveEveryTileToOneTeam) {
  for (const auto& [rows, panels] : {std::pair{256, 64}, {19, 17}, {3, 2}, {1, 500}, {700, 1}}) {
    const PanelShares shares = panel_shares(rows, panels, 132);
    std::vector<int> times(static_cast<std::size_t>(rows * panels), 0);
    for (std::int32_t team = 0; team < shares.teams; ++team)
      for (std::int32_t tile = shares.first(team); tile < shares.first(team + 1);) {
        const PanelPart part = shares.part(tile, shares.first(team + 1));
        for (std::int32_t row = part.begin; row < part.end; ++row)
          ++times[static_cast<std::size_t>(part.panel * rows + row)];
        ASSERT_GT(part.end, part.begin);
        tile += part.end - part.begin;
      }
    EXPECT_EQ(times, std::vector<int>(times.size(), 1));
  }
}

}  // namespace
}  // namespace Tegula::Test
