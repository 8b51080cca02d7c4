// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/direct/Tegula_DirectArguments.hpp"
#include "cuda/direct/Tegula_DirectTiles.hpp"

/// How the direct family plans, for machines given as data, and how its lanes read operands.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

const CudaMachine a100 = machine_of(80, 108, 160 * KiB);

Plan plan_of_direct(const Call& call, PlanOptions options = {}, const CudaMachine& machine = h200) {
  options.family = "direct";
  return plan_of(call, options, machine);
}

// Those of double that are smaller still are as fast by others.
TEST(DirectPlan, TakesSmallProductsOfAllTypes) {
  for (const Element element : {Element::bf16, Element::f16, Element::f32, Element::f64})
    for (const GemmShape& shape : {GemmShape{16, 2, 149}, GemmShape{20, 12, 60}, GemmShape{11, 41, 80}})
      EXPECT_STREQ(plan_of(gemm_call(shape, element)).family, "direct") << shape.m << ' ' << shape.n << ' ' << shape.k;
}

TEST(DirectPlan, LeavesLargeProductsToOthers) {
  for (const Element element : {Element::bf16, Element::f32, Element::f64})
    for (const GemmShape& shape : {GemmShape{1024, 1024, 1024}, GemmShape{8192, 8192, 64}, GemmShape{300, 300, 8192}})
      EXPECT_STRNE(plan_of(gemm_call(shape, element)).family, "direct") << shape.m << ' ' << shape.n << ' ' << shape.k;
}

// Whatever the strides, and whichever side is the long one.
TEST(DirectPlan, LaysTilesAlongTheLongSide) {
  const Lies odd{.padding = 3, .shift = 1};
  for (const GemmShape& shape : {GemmShape{300, 5, 40}, GemmShape{5, 300, 40}}) {
    const TileShape tile = plan_of_direct(gemm_call(shape, Element::f32, odd)).tile();
    EXPECT_EQ(tile.m >= tile.n, shape.m >= shape.n) << text(tile);
  }
}

TEST(DirectPlan, NeedsNoWorkspace) {
  const Plan plan = plan_of_direct(gemm_call({8, 8, 9000}));
  EXPECT_EQ(plan.workspace_bytes(), 0u);
  EXPECT_EQ(plan.products[0].split_k, 1);
  EXPECT_GT(plan.products[0].sharing_teams, 1) << "or one multiprocessor would read all of it";
  EXPECT_EQ(plan.products[0].teams(), plan.products[0].order.tiles() * plan.products[0].sharing_teams);
  EXPECT_NE(plan.text().find("clusters  of " + std::to_string(plan.products[0].sharing_teams) + " teams"),
            std::string::npos);
}

// A device has room for 264 teams, but its parts not for whole clusters of them: a few teams too many would take a
// second round.
TEST(DirectPlan, HasNoMoreClustersThanRunAtOnce) {
  std::map<int, std::int64_t> most;
  for (std::int64_t n = 1; n <= 1100; ++n) {
    const Call call = gemm_call({8, n, 9000});
    for (const auto& [family, proposal] : cuda_proposals(call, h200, {.family = "direct"})) {
      const ProductPlan product = family->cut({&call, 1}, h200, {}, proposal)[0];
      std::int64_t& teams       = most[product.sharing_teams];
      teams                     = std::max(teams, product.teams());
    }
  }
  EXPECT_EQ(most[2], 264);
  EXPECT_EQ(most[4], 248);
  EXPECT_EQ(most[8], 240);
}

TEST(DirectPlan, HasClustersOnlyWhereTheDeviceAndTheLaunchDo) {
  CudaMachine team_policies  = h200;
  team_policies.has_clusters = false;
  for (const CudaMachine& machine : {a100, team_policies}) {
    EXPECT_EQ(plan_of_direct(gemm_call({8, 8, 9000}), {}, machine).products[0].sharing_teams, 1);
    EXPECT_TRUE(is_refused("it does not cut k", gemm_call({8, 8, 9000}), {.family = "direct", .split_k = 2}, machine));
  }
}

TEST(DirectPlan, ObeysOptions) {
  const Call call = gemm_call({64, 8, 5000});
  for (const int teams : {1, 2, 4, 8})
    EXPECT_EQ(plan_of_direct(call, {.split_k = teams}).products[0].sharing_teams, teams);
  for (const int teams : {3, 5, 7, 16, 100})
    EXPECT_TRUE(is_refused("1, 2, 4 or 8 teams", call, {.family = "direct", .split_k = teams})) << teams;
  for (const DirectTile& tile : direct_tiles<float>)
    EXPECT_EQ(plan_of_direct(call, {.tile = tile.choice.tile}).tile(), tile.choice.tile);
  EXPECT_THROW(plan_of_direct(call, {.tile = {1, 2, 3}}), std::invalid_argument);
}

// As all families: a team without products would be of no use.
TEST(DirectPlan, HasNoMoreTeamsThanStepsOfATile) {
  const TileShape tile{64, 8, 8};
  for (const auto& [k, teams] : {std::pair<std::int64_t, int>{5, 1}, {8, 1}, {9, 2}, {25, 4}, {31, 4}, {57, 8}}) {
    const Plan plan = plan_of_direct(gemm_call({64, 8, k}, Element::f64), {.tile = tile, .split_k = 8});
    EXPECT_EQ(plan.products[0].sharing_teams, teams) << k;
  }
}

TEST(DirectPlan, RefusesActivationsThatItDoesNotHave) {
  Call call        = gemm_call({64, 8, 50});
  call.is_built_in = false;
  EXPECT_FALSE(takes("direct", call));
}

// Its kernels differ by the type of operands, which may be any where nobody reads them.
TEST(DirectPlan, RefusesSumsOfNothing) {
  EXPECT_TRUE(is_refused("k is 0", gemm_call({64, 8, 0}), {.family = "direct"}));
}

// Plans name a tile by its shape, in either direction.
template <class Bits>
void expect_one_tile_of_a_shape() {
  std::set<std::tuple<int, int, int>> shapes;
  for (const DirectTile& tile : direct_tiles<Bits>) {
    EXPECT_EQ(direct_tile<Bits>(tile.choice.tile).config, tile.config);
    const auto [m, n, k] = tile.choice.tile;
    EXPECT_TRUE(shapes.emplace(m, n, k).second) << text(tile.choice.tile);
    EXPECT_TRUE(m == n || shapes.emplace(n, m, k).second) << text(tile.choice.tile);
  }
}

TEST(DirectTiles, HaveShapesOfTheirOwn) {
  expect_one_tile_of_a_shape<std::uint16_t>();
  expect_one_tile_of_a_shape<float>();
  expect_one_tile_of_a_shape<double>();
}

// In runs only if every lane's run lies within the operand, and at a multiple of its length.
TEST(DirectRead, IsInRunsWhereTheyAreAligned) {
  alignas(64) static float memory[64];
  const auto read = [](std::int64_t lines, std::int64_t line_stride, std::int64_t depth_stride, int shift = 0) {
    return direct_read(MatrixRef<const float>{memory + shift, lines, 9, line_stride, depth_stride}, 4);
  };
  EXPECT_EQ(read(8, 12, 1), DirectRead::depth);
  EXPECT_EQ(read(7, 12, 1), DirectRead::depth);
  EXPECT_EQ(read(8, 13, 1), DirectRead::elements);
  EXPECT_EQ(read(8, 12, 1, 1), DirectRead::elements);
  EXPECT_EQ(read(8, 1, 12), DirectRead::lines);
  EXPECT_EQ(read(7, 1, 12), DirectRead::elements) << "the last run would end behind the operand";
  EXPECT_EQ(read(8, 1, 13), DirectRead::elements);
  EXPECT_EQ(read(8, 1, 12, 2), DirectRead::elements);
  EXPECT_EQ(read(8, 3, 40), DirectRead::elements);
}

}  // namespace
}  // namespace Tegula::Test
