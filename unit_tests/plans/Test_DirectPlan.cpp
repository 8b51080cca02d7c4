// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "Tegula_Activation.hpp"
#include "Tegula_TestCudaPlans.hpp"
#include "cuda/direct/Tegula_DirectGradients.hpp"
#include "cuda/direct/Tegula_DirectTiles.hpp"
#include "cuda/narrow/Tegula_NarrowTiles.hpp"

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

// Parts of sums that teams of a cluster send each other lie apart, and the barrier counts all of them.
TEST(DirectShares, EverySumHasOneTeamAndAPlaceThere) {
  for (const int teams_log2 : {0, 1, 2, 3})
    for (const int sums : {1, 64, 72, 255, 256, 257, 511, 512, 576, 1024, 1025, 2176}) {
      const DirectShares shares{teams_log2, sums};
      std::set<std::pair<int, int>> places;
      for (int sum = 0; sum < sums; ++sum) {
        ASSERT_LT(shares.team(sum), 1 << teams_log2);
        ASSERT_LT(shares.number(sum), shares.most());
        ASSERT_TRUE(places.emplace(shares.team(sum), shares.number(sum)).second) << sum << " of " << sums;
      }
      for (int team = 0; team < 1 << teams_log2; ++team)
        ASSERT_EQ(shares.count(team),
                  std::count_if(places.begin(), places.end(), [&](const auto& place) { return place.first == team; }));
    }
}

template <class... Configs>
void expect_room_for_parts(ConfigList<Configs...>) {
  const auto expect_room = []<class Config>() {
    for (int line_warps = 0; line_warps <= direct_warps_log2; ++line_warps)
      for (const int teams_log2 : {1, 2, 3})
        for (const int sums : {Config::tile_m * Config::tile_n, Config::tile_m * (Config::tile_n + 1)})
          EXPECT_LE((DirectShares{teams_log2, sums << line_warps}.most() << teams_log2), direct_cluster_parts<Config>);
    EXPECT_EQ(direct_cluster_parts<Config> % 2, 0) << "or the barrier behind them is not aligned";
  };
  (expect_room.template operator()<Configs>(), ...);
}
TEST(DirectShares, ScratchHasRoomForAllParts) {
  expect_room_for_parts(DirectConfigs());
  expect_room_for_parts(NarrowConfigs<std::uint16_t>());
  expect_room_for_parts(NarrowConfigs<double>());
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
  CudaMachine team_policies = h200;
  team_policies.has_entry   = false;
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

// Four kernels are one where a launch takes as long as the work of each. In 16 bits longer sums with few rows or
// columns are for `narrow`.
TEST(DirectGradientsPlan, ComputesSmallLayersInOneKernel) {
  for (const Element element : {Element::bf16, Element::f16, Element::f32, Element::f64})
    for (const GemmShape& shape :
         {GemmShape{16, 2, 149}, GemmShape{20, 12, 60}, GemmShape{8, 8, element_bytes(element) == 2 ? 544 : 1288}}) {
      Call call       = relu_backward_call(shape, element);
      call.dbias      = row_of(element, shape.n);
      const Plan plan = plan_of(call);
      EXPECT_STREQ(plan.family, "direct") << shape.m << ' ' << shape.n << ' ' << shape.k;
      EXPECT_TRUE(plan.is_one_kernel);
      EXPECT_EQ(plan.gradient.teams(), 0);
      EXPECT_EQ(plan.workspace_bytes(), 0u);
      EXPECT_EQ(plan.products[0].sharing_teams, plan.products[1].sharing_teams);
    }
}

// Both products are cut by tiles of one kernel, but a sum of few products is not shared as one of many is.
TEST(DirectGradientsPlan, SharesTheDepthOfEachProductAsSuitsIt) {
  const Plan plan = plan_of_direct(relu_backward_call({2000, 8, 16}));
  ASSERT_TRUE(plan.is_one_kernel);
  const DirectTile &dA = direct_tile<float>(plan.products[0].tile), &dB = direct_tile<float>(plan.products[1].tile);
  EXPECT_EQ(dA.config, dB.config);
  EXPECT_LT(dA.depth_warps, dB.depth_warps) << "sums of 8 products beside sums of 2000";
}

TEST(DirectGradientsPlan, RefusesWhatItsKernelDoesNotForm) {
  const PlanOptions direct{.family = "direct"};
  const auto is_one_kernel = [&](const Call& call) { return plan_of(call, direct).is_one_kernel; };
  const Call usual         = relu_backward_call({20, 12, 60});
  EXPECT_TRUE(is_one_kernel(usual));
  Call call                = usual;
  call.activation.position = BuiltInActivations::position<GeluTanh>();
  EXPECT_FALSE(is_one_kernel(call)) << "a derivative that is many operations";
  call       = usual;
  call.saved = matrix_of(Element::f32, 20, 12, by_columns);
  EXPECT_FALSE(is_one_kernel(call)) << "which lies otherwise than dC";
  call       = usual;
  call.dB    = no_matrix(Element::f32);
  call.dbias = row_of(Element::f32, 12);
  EXPECT_FALSE(is_one_kernel(call)) << "dbias, which it sums on the way to dB";
  call.dbias = no_matrix(Element::f32);
  EXPECT_TRUE(is_one_kernel(call));
}

// As the activations themselves have it, NaN included.
TEST(OutputSlope, IsTheDerivative) {
  const auto check = [](const auto& activation) {
    Call call               = relu_backward_call({4, 4, 4}, Element::f64);
    call.has_constant_slope = activation.saved == Saved::nothing;
    call.activation         = activation_choice(activation);
    const auto slope        = output_slope<double>(call);
    EXPECT_EQ(slope.is_one, call.has_constant_slope);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double y : {-0.75, -0.0, 0.0, 0.25, 1.0}) {
      const double expected = activation.derivative(y);
      if (slope.is_one) {
        EXPECT_EQ(expected, 1);
      } else {
        EXPECT_DOUBLE_EQ(slope(y), expected) << activation.name << ' ' << y;
        EXPECT_TRUE(std::isnan(slope(nan))) << activation.name;
      }
    }
  };
  check(Identity());
  check(Relu());
  check(LeakyRelu(0.125));
  check(Tanh());
  check(Sigmoid());
}

// In runs only if all operands of both products are, and what was saved, too.
TEST(DirectGradientsRead, IsInRunsWhereAllAreAligned) {
  const auto reads = [](const Lies& dC, const Lies& saved) {
    Call call  = relu_backward_call({24, 16, 40});
    call.dC    = matrix_of(Element::f32, 24, 16, dC);
    call.saved = matrix_of(Element::f32, 24, 16, saved);
    return direct_gradient_reads<float>(call, 4, 4);
  };
  EXPECT_EQ(reads({}, {}), DirectGradientReads::rows);
  EXPECT_EQ(reads({.padding = 4}, {.padding = 4}), DirectGradientReads::rows);
  EXPECT_EQ(reads({.padding = 3}, {.padding = 3}), DirectGradientReads::elements);
  EXPECT_EQ(reads({}, {.shift = 1}), DirectGradientReads::elements);
  EXPECT_EQ(reads(by_columns, by_columns), DirectGradientReads::elements);
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
