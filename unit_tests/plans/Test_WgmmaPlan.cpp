// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "Tegula_TestCudaPlans.hpp"
#include "Tegula_TestRandom.hpp"
#include "cuda/wgmma/Tegula_WgmmaTurns.hpp"

/// How the wgmma family plans, for machines given as data, and how it shares out works.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

// With all scratch that a block can have.
const CudaMachine whole_h200 = machine_of(90, 132, 227 * KiB);

Plan plan_of_wgmma(const Call& call, PlanOptions options = {}, const CudaMachine& machine = h200) {
  options.family = "wgmma";
  return plan_of(call, options, machine);
}
Plan plan_of_wgmma(const GemmShape& shape, const PlanOptions& options = {}, const CudaMachine& machine = h200) {
  return plan_of_wgmma(gemm_call(shape, Element::bf16), options, machine);
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
  EXPECT_EQ(plan_of_wgmma({8192, 8192, 8192}).tile().n, 256);
  EXPECT_EQ(plan_of_wgmma({8192, 8192, 8192}).products[0].split_k, 1);
}

TEST(WgmmaPlan, TakesNarrowTilesForNarrowProducts) {
  EXPECT_LE(plan_of_wgmma({65536, 64, 64}).tile().n, 128);
  EXPECT_EQ(plan_of_wgmma({64, 64, 64}).tile().n, 64);
}

TEST(WgmmaPlan, SplitsALongSumOfFewTiles) { EXPECT_GT(plan_of_wgmma({256, 256, 65536}).products[0].split_k, 4); }

// 17 x 9 tiles of 128 x 256 are a wave of 132 multiprocessors and 21 tiles: all teams share the last rows of them.
TEST(WgmmaPlan, SharesTheRestOfWaves) {
  const Plan plan            = plan_of_wgmma({2056, 2056, 8192}, {.tile = {128, 256, 64}});
  const ProductPlan& product = plan.products[0];
  EXPECT_EQ(product.whole_waves, 1);
  EXPECT_EQ(product.whole_rows, 14 * 128);
  EXPECT_EQ(product.split_k, 4);
  EXPECT_EQ(product.workspace_bytes, 4u * 264 * 2056 * sizeof(float));
  EXPECT_EQ(plan.teams(), 14 * 9 + 4 * 3 * 9);
  EXPECT_NE(plan.text().find("1 of whole tiles, the first 1792 rows; only the rest is split"), std::string::npos);
  const auto seconds = [](const PlanOptions& options) { return plan_of_wgmma({2056, 2056, 8192}, options).seconds(); };
  EXPECT_LT(plan.seconds(), 0.9 * seconds({.tile = {128, 256, 64}, .split_k = 1}));
  EXPECT_EQ(plan_of_wgmma({2048, 2048, 8192}).products[0].whole_waves, 0) << "fills a wave";
}

// The last columns of a tile of 144 are stored by two blocks of 64, which must not add to what is there.
TEST(WgmmaPlan, StoresTwiceOnlyWhereNothingIsRead) {
  const Call call  = gemm_call({1536, 1536, 1536}, Element::bf16);
  Call added       = call;
  added.beta       = 1;
  const auto taken = [](const Call& of, const TileShape& tile) { return takes("wgmma", of, {.tile = tile}); };
  for (const TileShape& tile : {TileShape{256, 160, 64}, {256, 144, 64}, {64, 160, 64}, {64, 96, 64}}) {
    for (const TileShape& either : {tile, tile.transposed()}) {
      EXPECT_TRUE(taken(call, either)) << text(either);
      EXPECT_TRUE(is_refused("no multiple of 64", added, {.family = "wgmma", .tile = either}));
      EXPECT_EQ(plan_of_wgmma(call, {.tile = either}).tile(), either);
    }
  }
  EXPECT_TRUE(taken(added, {256, 256, 64}));
  EXPECT_EQ(plan_of_wgmma(added).tile().n % 64, 0);
}

// 66 pairs of teams have a tile of 256 x 144 each; contiguous lines of 144 elements would not lie as the cache's do.
TEST(WgmmaPlan, TilesThatOverlapAreWideAlongContiguousLines) {
  const Call by_rows = gemm_call({1536, 1536, 1536}, Element::bf16);
  Call depth         = by_rows;  // B^T
  depth.B            = by_rows.B.transposed();
  Call lines         = by_rows;  // A^T
  lines.A            = by_rows.A.transposed();
  EXPECT_EQ(plan_of_wgmma(by_rows).tile(), (TileShape{144, 256, 64}));
  const TileShape tile = plan_of_wgmma(depth).tile();
  EXPECT_TRUE(tile == (TileShape{256, 144, 64}) || tile == (TileShape{144, 256, 64})) << text(tile);
  EXPECT_EQ(plan_of_wgmma(lines).tile().n % 64, 0) << text(plan_of_wgmma(lines).tile());
  EXPECT_EQ(plan_of_wgmma(lines).tile().m % 64, 0);
}

TEST(WgmmaPlan, AWaveIsWholeOnlyWhereThatCanBe) {
  const GemmShape shape{2056, 2056, 8192}, small{64, 64, 64};
  const Plan plan = plan_of_wgmma(shape, {.tile = {128, 128, 64}, .split_k = 7, .whole_waves = 2});
  EXPECT_EQ(plan.products[0].whole_rows, 15 * 128) << "of 17 x 17 tiles";
  EXPECT_EQ(plan.products[0].split_k, 7);
  EXPECT_THROW(plan_of_wgmma(small, {.whole_waves = 1}), std::invalid_argument) << "there is no wave";
  EXPECT_THROW(plan_of_wgmma(shape, {.split_k = 1, .whole_waves = 1}), std::invalid_argument) << "nothing is cut";
  EXPECT_THROW(plan_of_wgmma(shape, {.whole_waves = -1}), std::invalid_argument);
  EXPECT_TRUE(is_refused("cuts the sums of all tiles, or of none", gemm_call(shape, Element::bf16),
                         {.family = "mma", .whole_waves = 1}));
}

TEST(WgmmaPlan, TakesOneTileForBothGradients) {
  const Plan plan = plan_of_wgmma(backward_call({8192, 4096, 4096}, Element::f16));
  EXPECT_TRUE(plan.is_one_kernel);
  EXPECT_EQ(plan.products[0].tile, plan.products[1].tile);
  EXPECT_EQ(plan.products[0].tile.n, 256);
  EXPECT_EQ(plan.workspace_bytes(), 0u);
}

// A tall batch: the few tiles of dB would sum long after those of dA are done.
TEST(WgmmaPlan, SplitsTheGradientThatOthersWouldWaitFor) {
  const Plan plan = plan_of_wgmma(backward_call({65536, 128, 128}, Element::f16));
  EXPECT_EQ(plan.products[0].split_k, 1);
  EXPECT_GT(plan.products[1].split_k, 4);
}

// Measured on an H200: 20 us as it is planned; 26 by 128 x 64, by which dA is cut.
TEST(WgmmaPlan, CutsNoProductOfAPairThatFillsTheDevice) {
  CudaMachine machine = whole_h200;
  machine.rates       = cuda_rates_of_card("H200");
  for (const ProductPlan& product : plan_of_wgmma(backward_call({296, 5216, 640}, Element::bf16), {}, machine).products)
    EXPECT_EQ(product.split_k, 1);
}

TEST(WgmmaPlan, TakesNoMoreScratchThanThereIs) {
  EXPECT_LE(plan_of_wgmma({8192, 8192, 8192}, {}, machine_of(90, 132, 180 * KiB)).scratch_bytes, 180 * KiB);
  EXPECT_TRUE(
      is_refused("too little scratch", gemm_call({64, 64, 64}, Element::bf16), {.family = "wgmma"}, before_kokkos_5_2));
}

// Two or four teams, one above the other, compute a tile of 256 rows, as a cluster, which a TeamPolicy does not have.
TEST(WgmmaPlan, SeveralTeamsOfATileNeedClusters) {
  for (const auto& [columns, teams] : {std::pair{256, 2}, {128, 2}, {64, 4}}) {
    const TileShape tile{256, columns, 64};
    const Plan plan = plan_of_wgmma({1000, 1000, 1000}, {.tile = tile, .split_k = 1}, whole_h200);
    EXPECT_EQ(plan.products[0].tile_teams, teams);
    EXPECT_EQ(plan.products[0].teams(), teams * 4 * ceil_div(1000, columns));
    EXPECT_NE(plan.text().find("clusters  of " + std::to_string(teams) + " teams, which share the rows of a tile"),
              std::string::npos)
        << plan.text();
    CudaMachine machine = whole_h200;
    machine.has_entry   = false;
    EXPECT_THROW(plan_of_wgmma({1000, 1000, 1000}, {.tile = tile}, machine), std::invalid_argument) << text(tile);
    EXPECT_EQ(plan_of_wgmma({8192, 8192, 8192}, {}, machine).products[0].tile_teams, 1);
  }
  EXPECT_EQ(plan_of_wgmma({1000, 1000, 1000}, {.tile = {128, 128, 64}}).products[0].tile_teams, 1);
}

// Of 132 multiprocessors 30 clusters of four have one each. A tile more, or a part of a sum, and pairs compute them.
TEST(WgmmaPlan, TilesThatAllRunAtOnceHaveTwiceAsManyTeams) {
  for (const int columns : {128, 192}) {
    const auto teams_of = [&](const GemmShape& shape, PlanOptions options) {
      options.tile = {256, columns, 64};
      return plan_of_wgmma(shape, options, whole_h200).products[0].tile_teams;
    };
    const std::int64_t wide = columns * 30;
    EXPECT_EQ(teams_of({256, wide, 2048}, {.split_k = 1}), 4);
    EXPECT_EQ(teams_of({256, wide + 8, 2048}, {.split_k = 1}), 2);
    EXPECT_EQ(teams_of({256, columns, 64 * 62}, {.split_k = 30}), 4);
    EXPECT_EQ(teams_of({256, columns, 64 * 62}, {.split_k = 31}), 2);
    EXPECT_EQ(teams_of({256, columns * 67, 2048}, {.whole_waves = 1}), 2) << "waves of whole tiles are not all at once";
    EXPECT_EQ(plan_of_wgmma({200, columns * 20, 2048}, {.tile = {256, columns, 64}}, machine_of(90, 8, 227 * KiB))
                  .products[0]
                  .tile_teams,
              2)
        << "a small device runs fewer at once";
  }
}

// 40 tiles, of which 30 run at once: pairs would leave a wave whole.
TEST(WgmmaPlan, TilesOfFourTeamsLeaveARestOnlyIfAsked) {
  const auto waves_of = [&](PlanOptions options) {
    options.tile = {256, 64, 64};
    return plan_of_wgmma({256 * 40, 64, 8192}, options, whole_h200).products[0].whole_waves;
  };
  EXPECT_EQ(waves_of({}), 0);
  EXPECT_EQ(waves_of({.whole_waves = 1}), 1);
}

TEST(WgmmaPlan, ProposesNoFourTeamsForTheRowsOfOne) {
  const auto most_teams = [](std::int64_t rows) {
    int most = 0;
    for (const std::int64_t columns : {8, 64, 200, 1000, 4000, 16000})
      for (const std::int64_t depth : {64, 1000, 8000})
        most = std::max(most, plan_of_wgmma({rows, columns, depth}, {}, whole_h200).products[0].tile_teams);
    return most;
  };
  EXPECT_LT(most_teams(64), 4);
  EXPECT_EQ(most_teams(200), 4) << "or there is nothing to see";
  EXPECT_EQ(plan_of_wgmma({64, 1000, 1000}, {.tile = {256, 64, 64}}, whole_h200).products[0].tile_teams, 4) << "asked";
}

// Each of the two by itself would be computed at once by clusters of four.
TEST(WgmmaPlan, ProductsThatShareALaunchHaveOneConfiguration) {
  const PlanOptions options{.tile = {256, 128, 64}, .split_k = 1};
  const Plan plan = plan_of_wgmma(backward_call({1024, 512, 512}, Element::bf16), options, whole_h200);
  ASSERT_EQ(plan.products[1].seconds, 0) << "two launches: " << plan.text();
  EXPECT_EQ(plan.products[0].tile_teams, 2);
  EXPECT_EQ(plan.products[1].tile_teams, 2);
}

// A multiprocessor has half of such a tile to compute, and both have what they fetch.
TEST(WgmmaPlan, APairTakesAsLongAsItsTeams) {
  const auto seconds = [](std::int64_t pairs) {
    const PlanOptions options{.tile = {256, 128, 64}, .split_k = 1};
    return plan_of_wgmma({256 * pairs, 128, 4096}, options, whole_h200).seconds();
  };
  EXPECT_GT(seconds(67) / seconds(66), 1.3) << "66 run at once";
}

// TMA takes longer for lines of 16 bytes by their number, of which each of four teams has a quarter. Measured on an
// H200: 28.3 us by them, 40.2 by one team (7528 x 8 x 6752).
TEST(WgmmaPlan, TeamsShareWhatTakesLongToFetch) {
  const auto seconds = [](const TileShape& tile) {
    return plan_of_wgmma({7528, 8, 6752}, {.tile = tile, .split_k = 1}, whole_h200).seconds();
  };
  EXPECT_LT(seconds({256, 64, 64}), 0.8 * seconds({64, 64, 64}));
}

Call layer_call(const GemmShape& shape, int activation) {
  Call call                = gemm_call(shape, Element::bf16);
  call.bias                = row_of(Element::bf16, shape.n);
  call.activation.position = activation;
  return call;
}

constexpr int relu = BuiltInActivations::position<Relu>(), gelu = BuiltInActivations::position<GeluTanh>();

// Consumers that share rows end a tile while nobody multiplies.
TEST(WgmmaPlan, AnExponentialIsHiddenByConsumersThatTakeTurns) {
  const auto added = [](const TileShape& tile, std::int64_t side) {
    const auto seconds = [&](int activation) {
      return plan_of_wgmma(layer_call({side, side, side}, activation), {.tile = tile, .split_k = 1}, whole_h200)
          .seconds();
    };
    return seconds(gelu) - seconds(relu);
  };
  for (const std::int64_t side : {2048, 4096, 8192}) {
    for (const TileShape& in_turns : {TileShape{128, 128, 64}, TileShape{256, 128, 64}}) {
      for (const TileShape& in_rows : {TileShape{256, 256, 64}, TileShape{128, 256, 64}, TileShape{128, 192, 64}}) {
        EXPECT_GT(added(in_turns, side), 0);
        // Long sums of such tiles are predicted to take what the machine's multiply-adds take, and ends hide in that.
        if (side == 8192 && in_rows.n == 192) continue;
        EXPECT_GT(added(in_rows, side), added(in_turns, side)) << side << ' ' << text(in_rows) << ' ' << text(in_turns);
      }
    }
  }
}

// Whose tiles have 128 columns. With short sums the end of a tile is much of its time. On an H100 the first shape takes
// 53 us with Relu by the wider tile and 54 by the other, and 70 and 63 us with GELU.
TEST(WgmmaPlan, TakesTurnsWhereAnExponentialWouldShow) {
  const auto columns = [](const GemmShape& shape, int activation) {
    return plan_of_wgmma(layer_call(shape, activation), {}, whole_h200).tile().n;
  };
  const GemmShape short_sums{4096, 4096, 2048}, long_sums{16384, 16384, 16384};
  EXPECT_EQ(columns(short_sums, relu), 256);
  EXPECT_EQ(columns(short_sums, gelu), 128);
  EXPECT_EQ(columns(long_sums, relu), 256);
  EXPECT_EQ(columns(long_sums, gelu), 256);
}

// Whatever is stored: 4096 x 4096 x 1024 takes 48.6 us in turns of pairs, 50.4 by 256 x 256, and more under load.
TEST(WgmmaPlan, TakesTurnsWhereStoresWouldShow) {
  for (const GemmShape& shape : {GemmShape{4096, 4096, 1024}, {8192, 4096, 1024}, {16384, 1024, 1024}})
    for (const int activation : {relu, gelu})
      EXPECT_EQ(text(plan_of_wgmma(layer_call(shape, activation), {}, whole_h200).tile()), "256x128x64") << shape.m;
}

// A line of 128 bytes then lies on two of the cache. One of 16 bytes does not.
TEST(WgmmaPlan, KnowsWhatOddPitchesCost) {
  const auto seconds = [](std::int64_t n, std::int64_t padding, bool of_A) {
    Call call = gemm_call({4480, n, 768}, Element::bf16);
    if (of_A) call.A = matrix_of(Element::bf16, 4480, 768, {.padding = padding});
    if (!of_A) call.B = matrix_of(Element::bf16, 768, n, {.padding = padding});
    return plan_of_wgmma(call, {.tile = {128, 192, 64}, .split_k = 1}, whole_h200).seconds();
  };
  for (const bool of_A : {true, false}) {
    EXPECT_EQ(seconds(1856, 32, of_A), seconds(1856, 0, of_A)) << "multiples of 64 bytes";
    EXPECT_GT(seconds(1856, 16, of_A), seconds(1856, 0, of_A)) << "odd multiples of 32";
    EXPECT_GT(seconds(1856, 8, of_A), seconds(1856, 16, of_A)) << "odd multiples of 16";
  }
  EXPECT_EQ(seconds(8, 8, false), seconds(8, 24, false));
}

// The kernel finds its tensor maps where the functor lies.
TEST(WgmmaPlan, NeedsAKokkosThatKeepsParameters) {
  CudaMachine machine      = h200;
  machine.keeps_parameters = false;
  EXPECT_TRUE(is_refused("lie where TMA cannot read them", gemm_call({64, 64, 64}, Element::bf16), {.family = "wgmma"},
                         machine));
}

// By TMA, which takes runs of 16 bytes: all else is copied first.
TEST(WgmmaPlan, CopiesWhatDoesNotLieInRuns) {
  Call call                 = gemm_call({512, 512, 512}, Element::bf16);
  call.B                    = matrix_of(Element::bf16, 512, 512, {.padding = 1});
  const ProductPlan product = plan_of_wgmma(call).products[0];
  EXPECT_EQ(product.left_copy_bytes, 0u);
  EXPECT_EQ(product.right_copy_bytes, 512u * 512 * 2);
  EXPECT_GT(product.seconds, plan_of_wgmma({512, 512, 512}).seconds()) << "which takes its time";
}

TEST(WgmmaPlan, ObeysOptions) {
  const PlanOptions options{.tile = {128, 128, 64}, .group = 3, .split_k = 2};
  const Plan plan = plan_of_wgmma({1000, 1000, 1000}, options);
  EXPECT_EQ(plan.tile(), (TileShape{128, 128, 64}));
  EXPECT_EQ(plan.products[0].order.group, 3);
  EXPECT_EQ(plan.products[0].split_k, 2);
  const Plan backward = plan_of_wgmma(backward_call({1000, 1000, 1000}, Element::bf16), options);
  for (const ProductPlan& product : backward.products) {
    EXPECT_EQ(product.tile, (TileShape{128, 128, 64}));
    EXPECT_EQ(product.order.group, 3);
    EXPECT_EQ(product.split_k, 2);
  }
  EXPECT_THROW(plan_of_wgmma({64, 64, 64}, {.tile = {1, 2, 3}}), std::invalid_argument);
  EXPECT_THROW(plan_of_wgmma({64, 64, 64}, {.group = -1}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
