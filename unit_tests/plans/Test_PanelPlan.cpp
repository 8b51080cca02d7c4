// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/panel/Tegula_PanelShares.hpp"

/// How the panel family plans and shares out tiles, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Call call_of(const GemmShape& shape) { return gemm_call(shape, Element::f64); }

bool takes_panel(const Call& call, const PlanOptions& options = {}) { return takes("panel", call, options); }

template <class Activation>
ActivationChoice choice_of() {
  return {BuiltInActivations::position<Activation>()};
}

TEST(PanelPlan, TakesShortSumsWhole) {
  EXPECT_TRUE(takes_panel(call_of({1000, 1000, 128})));
  EXPECT_TRUE(takes_panel(call_of({1000, 1000, 2})));
  EXPECT_FALSE(takes_panel(call_of({1000, 1000, 130})));
  EXPECT_TRUE(is_refused("k is 0 or too large", call_of({1000, 1000, 0}), {.family = "panel"}));
}

TEST(PanelPlan, TakesRunsOf16Bytes) {
  EXPECT_FALSE(takes_panel(call_of({100, 101, 10})));
  EXPECT_FALSE(takes_panel(call_of({100, 100, 9})));
  Call call            = call_of({100, 100, 10});
  call.C.column_stride = 2;
  EXPECT_FALSE(takes_panel(call));
  call.C = matrix_of(Element::f64, 100, 100, {.by_columns = true, .padding = 2});
  EXPECT_TRUE(takes_panel(call));
}

TEST(PanelPlan, TakesTheUsualEpilogue) {
  Call call       = call_of({100, 100, 10});
  call.activation = choice_of<Relu>();
  call.bias       = row_of(Element::f64, 100);
  EXPECT_TRUE(takes_panel(call));
  call.beta = -0.5;
  EXPECT_TRUE(takes_panel(call));
  call.activation = choice_of<Tanh>();
  EXPECT_FALSE(takes_panel(call));
}

TEST(PanelPlan, GoesDownThePanels) {
  Call call       = call_of({1000, 300, 64});
  const Plan plan = plan_of(call, {.family = "panel"});
  EXPECT_EQ(plan.tile(), (TileShape{32, 128, 16}));
  EXPECT_EQ(plan.products[0].order.group, 32);
  call.C               = matrix_of(Element::f64, 1000, 300, by_columns);
  const Plan by_panels = plan_of(call, {.family = "panel"});
  EXPECT_EQ(by_panels.tile(), (TileShape{128, 32, 16}));
  EXPECT_EQ(by_panels.products[0].order.group, 1);
}

TEST(PanelPlan, ObeysOptions) {
  const Call call = call_of({100, 100, 10});
  EXPECT_TRUE(takes_panel(call, {.tile = {32, 128, 16}}));
  EXPECT_TRUE(takes_panel(call, {.split_k = 1}));
  EXPECT_TRUE(is_refused("the panel family has no tile 128x32x16, only 32x128x16", call,
                         {.family = "panel", .tile = {128, 32, 16}}));
  EXPECT_TRUE(is_refused("it does not cut k, and has an order of its own", call, {.family = "panel", .group = 3}));
  EXPECT_FALSE(takes_panel(call, {.split_k = 2}));
}

TEST(PanelPlan, IsForHopper) {
  EXPECT_FALSE(takes("panel", call_of({100, 100, 10}), {}, machine_of(80, 108, 155 * KiB)));
  EXPECT_FALSE(takes("panel", call_of({100, 100, 10}), {}, before_kokkos_5_2));
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
