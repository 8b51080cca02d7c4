// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/Tegula_TileModel.hpp"

/// The model of kernels whose teams compute tiles, with configurations and a machine whose times are easy to tell.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

// A cycle is a second; a multiprocessor has one multiply-add in it.
const CudaRates slow_rates{90, "test", "made up", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1e12, 1e12, 0};

CudaMachine slow_machine(int multiprocessors, std::size_t scratch = KiB) {
  CudaMachine machine = machine_of(90, multiprocessors, scratch);
  machine.rates       = &slow_rates;
  return machine;
}

constexpr ConfigChoice small_tile{{4, 4, 2}, 32, 100, 2}, large_tile{{8, 16, 2}, 64, 1000, 1};
constexpr std::array choices{small_tile, large_tile};
constexpr std::array<TileRates, 2> ideal{TileRates{1, 1, 0, 1e12}, {1, 1, 0, 1e12}};

TileModel model_of(const std::array<TileRates, 2>& rates, std::int64_t shortest = 1) {
  TileModel model{choices, rates, &CudaRates::fma_float, sizeof(float), sizeof(float), shortest};
  model.stored.fill(1);
  model.results.fill(1);
  return model;
}

double seconds_of(const GemmShape& shape, const std::array<TileRates, 2>& rates, int multiprocessors = 1,
                  std::int64_t parts = 1) {
  return tile_seconds(model_of(rates), 0, small_tile.tile, modelled(gemm_call(shape)), {parts},
                      slow_machine(multiprocessors));
}

// Of small tiles there are two in a row of 8, each of 4 * 4 * 10 multiply-adds.
TEST(TileModel, TakesTheTimeOfTheBusiestMultiprocessor) {
  EXPECT_NEAR(seconds_of({4, 4, 10}, ideal), 160, 1e-6);
  EXPECT_NEAR(seconds_of({4, 8, 10}, ideal), 320, 1e-6);
  EXPECT_NEAR(seconds_of({4, 8, 10}, ideal, 2), 160, 1e-6);
  EXPECT_NEAR(seconds_of({4, 12, 10}, ideal, 2), 320, 1e-6) << "one has two tiles";
  EXPECT_NEAR(seconds_of({3, 3, 9}, ideal), 160, 1e-6) << "beyond the result, too";
}

TEST(TileModel, KnowsThatAMachineHasFewerMultiplyAddsOfSomeKinds) {
  TileModel model      = model_of(ideal);
  model.multiply_share = 0.5;
  const GemmShape shape{4, 4, 10};
  EXPECT_NEAR(tile_seconds(model, 0, small_tile.tile, modelled(gemm_call(shape)), {}, slow_machine(1)), 320, 1e-6);
}

TEST(TileModel, KnowsThatATeamAloneIsSlower) {
  constexpr std::array<TileRates, 2> rates{TileRates{0.5, 1, 0, 1e12}, {1, 1, 0, 1e12}};
  EXPECT_NEAR(seconds_of({4, 4, 10}, rates), 320, 1e-6);
  EXPECT_NEAR(seconds_of({4, 8, 10}, rates), 320, 1e-6) << "two at once";
  EXPECT_NEAR(seconds_of({4, 12, 10}, rates), 640, 1e-6) << "two, and one alone";
}

TEST(TileModel, KnowsThatKernelsOfSomeDirectionsAreSlower) {
  constexpr std::array<double, 4> directions{1, 0.5, 0.25, 0.125};
  constexpr std::array<TileRates, 2> rates{TileRates{1, 1, 0, 1e12, directions}, {1, 1, 0, 1e12}};
  for (int of_both = 0; of_both < 4; ++of_both) {
    Call call    = gemm_call({4, 8, 10});
    call.A       = matrix_of(Element::f32, 4, 10, {.by_columns = of_both < 2});  // so that its lines are contiguous
    call.B       = matrix_of(Element::f32, 10, 8, {.by_columns = of_both % 2 == 1});
    const auto s = tile_seconds(model_of(rates), 0, small_tile.tile, modelled(call), {1}, slow_machine(1));
    EXPECT_NEAR(s, 320 / directions[static_cast<std::size_t>(of_both)], 1e-6) << of_both;
  }
}

TEST(TileModel, AddsTheStartAndTheEnd) {
  constexpr std::array<TileRates, 2> rates{TileRates{1, 1, 7, 4}, {1, 1, 0, 1e12}};
  EXPECT_NEAR(seconds_of({4, 4, 10}, rates), 160 + 7 + 16 / 4, 1e-6);
  EXPECT_NEAR(seconds_of({4, 8, 10}, rates), 320 + 7 + 32 / 4, 1e-6);
  EXPECT_NEAR(seconds_of({4, 12, 10}, rates), 480 + 14 + 48 / 4, 1e-6);
}

Call activated_call(const GemmShape& shape, int position) {
  Call call                = gemm_call(shape);
  call.activation.position = position;
  return call;
}

TEST(TileModel, AddsWhatAnActivationTakesForEveryElementOfATile) {
  TileModel model = model_of(ideal);
  model.activated = 3;
  model.kept      = 5;
  const auto time = [&](const Call& call, std::int64_t parts = 1) {
    return tile_seconds(model, 0, small_tile.tile, modelled(call), {parts}, slow_machine(4));
  };
  const GemmShape shape{3, 4, 20};
  const double plain = time(gemm_call(shape));
  for (const int position : {BuiltInActivations::position<Relu>(), BuiltInActivations::position<LeakyRelu>()})
    EXPECT_EQ(time(activated_call(shape, position)), plain) << position;
  for (const int position : {BuiltInActivations::position<Tanh>(), BuiltInActivations::position<GeluErf>()})
    EXPECT_NEAR(time(activated_call(shape, position)), plain + 16 * 3, 1e-6) << position;
  Call own        = gemm_call(shape);
  own.is_built_in = false;
  EXPECT_EQ(time(own), plain) << "of a user's nothing is known, and a pass would take it, too";
  Call keeps = activated_call(shape, BuiltInActivations::position<Silu>());
  keeps.Z    = matrix_of(Element::f32, shape.m, shape.n);
  EXPECT_NEAR(time(keeps), plain + 16 * (3 + 5), 1e-6);
  EXPECT_NEAR(time(keeps, 2), time(gemm_call(shape), 2), 1e-6) << "by the kernel that adds slices";
}

/// C of operands of 16 bits.
Call half_call(const GemmShape& shape, Element result) {
  Call call = gemm_call(shape);
  call.A    = matrix_of(Element::bf16, shape.m, shape.k);
  call.B    = matrix_of(Element::bf16, shape.k, shape.n);
  call.C    = matrix_of(result, shape.m, shape.n);
  return call;
}

TEST(TileModel, TakesLongerToStoreFloatsThanSixteenBits) {
  constexpr std::array<TileRates, 2> rates{TileRates{1, 1, 0, 4}, {1, 1, 0, 1e12}};
  TileModel model = model_of(rates);
  model.kept      = 5;
  model.widened   = 3;
  const auto time = [&](Call call, bool stores_Z = false, std::int64_t parts = 1) {
    if (stores_Z) call.Z = call.C;
    return tile_seconds(model, 0, small_tile.tile, modelled(call), {parts}, slow_machine(4));
  };
  const GemmShape shape{4, 4, 20};
  const Call half = half_call(shape, Element::bf16), widened = half_call(shape, Element::f32);
  EXPECT_NEAR(time(half), 320 + 16 / 4, 1e-6);
  EXPECT_NEAR(time(widened), 320 + 3 * 16 / 4, 1e-6);
  EXPECT_NEAR(time(widened, true) - time(widened), 3 * 5 * 16, 1e-6) << "Z is wider, too";
  EXPECT_NEAR(time(widened, false, 2), time(half, false, 2), 1e-6) << "slices are float whatever C is";
  EXPECT_NEAR(time(gemm_call(shape)), 320 + 16 / 4, 1e-6) << "of float to float there is nothing else";
}

// A warp's pairs are whole sectors; TMA needs runs of 16 bytes without ragged ends.
TEST(TileModel, KnowsHowFloatsOfSixteenBitsAreStored) {
  const auto by = [](std::int64_t n, RunsBy runs_by) {
    return modelled(half_call({40, n, 24}, Element::f32), runs_by).stored;
  };
  for (const std::int64_t n : {8, 12}) EXPECT_EQ(by(n, RunsBy::tma), Stored::runs) << n;
  for (const std::int64_t n : {7, 10}) EXPECT_EQ(by(n, RunsBy::tma), Stored::unaligned) << n;
  for (const std::int64_t n : {8, 10, 12}) EXPECT_EQ(by(n, RunsBy::threads), Stored::runs) << n;
  EXPECT_EQ(by(7, RunsBy::threads), Stored::unaligned);
  Call adds = half_call({40, 8, 24}, Element::f32);
  adds.beta = 1;
  EXPECT_EQ(modelled(adds, RunsBy::tma).stored, Stored::runs_added);
}

// Tiles of 4 x 4 x 10 take 160 cycles to multiply, one after the other.
TEST(TileModel, HidesAnActivationWhereTeamsTakeTurns) {
  constexpr ConfigChoice in_turns{{4, 4, 2}, 32, 100, 1, 1, true};
  constexpr std::array choice{in_turns};
  constexpr std::array rates{TileRates{1, 1, 0, 1e12}};
  TileModel model = model_of(ideal);
  model.choices   = choice;
  model.rates     = rates;
  const auto more = [&](double finishing, std::int64_t tiles) {
    const GemmShape shape{4, 4 * tiles, 10};
    const auto time = [&](const Call& call) {
      return tile_seconds(model, 0, in_turns.tile, modelled(call), {1}, slow_machine(1));
    };
    model.activated = finishing / 16;
    return time(activated_call(shape, BuiltInActivations::position<Tanh>())) - time(gemm_call(shape));
  };
  EXPECT_NEAR(more(100, 1), 100, 1e-6) << "the only tile has none beside it";
  EXPECT_NEAR(more(100, 5), 100, 1e-6) << "the last one";
  EXPECT_NEAR(more(160, 5), 160, 1e-6);
  EXPECT_NEAR(more(200, 5), 4 * 20 + 200, 1e-6) << "40 cycles of two tiles cannot be hidden";
  model.beside = 0.25;
  EXPECT_NEAR(more(100, 5), 4 * 25 + 100, 1e-6) << "a share shows beside the multiplication";
}

TEST(TileModel, HidesStartsAndEndsWhereTeamsTakeTurns) {
  constexpr ConfigChoice in_turns{{4, 4, 2}, 32, 100, 1, 1, true};
  constexpr std::array choice{in_turns};
  constexpr std::array rates{TileRates{1, 1, 60, 0.4}};  // cycles before a tile, elements stored a cycle
  TileModel model    = model_of(ideal);
  model.choices      = choice;
  model.rates        = rates;
  const auto time_of = [&](std::int64_t tiles) {
    const Call call = gemm_call({4, 4 * tiles, 10});
    return tile_seconds(model, 0, in_turns.tile, modelled(call), {1}, slow_machine(1));
  };
  EXPECT_NEAR(time_of(1), 160 + 60 + 40, 1e-6);
  EXPECT_NEAR(time_of(5), 5 * 160 + 60 + 40, 1e-6);
  model.beside = 0.5;
  EXPECT_NEAR(time_of(5), 5 * 160 + 4 * 50 + 60 + 40, 1e-6);
}

// Ten steps of four lines of each operand.
TEST(TileModel, FetchesBesideMultiplying) {
  TileModel model = model_of(ideal);
  model.fetched.fill(100);
  model.missed.fill(0.25);
  const auto time = [&](const GemmShape& shape) {
    return tile_seconds(model, 0, small_tile.tile, modelled(gemm_call(shape)), {1}, slow_machine(1));
  };
  EXPECT_NEAR(time({4, 4, 10}), 10 * 8 * 100, 1e-6) << "which hides 160 multiply-adds";
  EXPECT_NEAR(time({4, 8, 10}), 2 * 10 * 8 * 100, 1e-6) << "one behind the other of two teams";
  EXPECT_NEAR(time({3, 4, 10}), 10 * 725, 1e-6) << "one line is not there";
  EXPECT_NEAR(time({4, 2, 10}), 10 * 650, 1e-6);
  model.waiting = 1.5;
  EXPECT_NEAR(time({4, 4, 10}), 1.5 * 10 * 8 * 100, 1e-6);
  EXPECT_NEAR(time({4, 8, 10}), 2 * 10 * 8 * 100, 1e-6) << "nobody is alone";
  model.waiting = 1;
  model.exposed = 0.5;
  EXPECT_NEAR(time({4, 4, 10}), 10 * 8 * 100 + 0.5 * 160, 1e-6);
  EXPECT_NEAR(time({4, 8, 10}), 2 * (10 * 8 * 100 + 0.5 * 160), 1e-6);
}

TEST(TileModel, KnowsHowCopiesLie) {
  EXPECT_EQ(as_copied(Fetched::depth), Fetched::depth);
  EXPECT_EQ(as_copied(Fetched::lines), Fetched::lines);
  EXPECT_EQ(as_copied(Fetched::depth_one_by_one), Fetched::depth);
  EXPECT_EQ(as_copied(Fetched::lines_one_by_one), Fetched::lines);
}

TEST(TileModel, CutsTheInnerDimension) {
  EXPECT_NEAR(seconds_of({4, 4, 20}, ideal, 4, 2), 160, 1e-3);
  EXPECT_NEAR(seconds_of({4, 4, 20}, ideal, 4, 4), 96, 1e-3) << "three steps of two";
  EXPECT_GT(seconds_of({4, 4, 20}, ideal, 4, 2), 160) << "slices are added";
}

TEST(TileModel, IsLimitedByMemory) {
  const CudaMachine machine = [] {
    static const CudaRates rates{90, "test", "made up", 1, 1, 1e12, 1, 1, 1, 1, 1, 1, 10, 1e12, 3};
    CudaMachine m = slow_machine(1);
    m.rates       = &rates;
    return m;
  }();
  const Call call = gemm_call({40, 40, 40});
  TileModel model = model_of(ideal);
  const auto time = [&](std::int64_t parts) {
    return tile_seconds(model, 0, small_tile.tile, modelled(call), {parts}, machine);
  };
  EXPECT_NEAR(time(1), 3 + 3 * 1600 * 4 / 10.0, 1e-6);
  EXPECT_NEAR(time(5), time(1) + 3 + 6 * 1600 * 4 / 10.0, 1e-6) << "a kernel reads five slices and writes the sums";
  model.memory = 0.5;
  EXPECT_NEAR(time(1), 3 + 3 * 1600 * 4 / 5.0, 1e-6);
}

// 6 tiles of 160 cycles on 4 multiprocessors take two rounds; with 4 of them whole, and both others in halves, one and
// a half, and the kernel that adds two slices of 4 x 8.
TEST(TileModel, ARestThatIsCutTakesItsShareOfAWave) {
  const Call call      = gemm_call({4, 24, 10});
  TileModel model      = model_of(ideal);
  ConfigChoice alone[] = {small_tile, large_tile};
  alone[0].teams       = 1;
  model.choices        = alone;
  const auto time      = [&](const Cut& cut) {
    return tile_seconds(model, 0, small_tile.tile, modelled(call), cut, slow_machine(4));
  };
  EXPECT_NEAR(time({}), 320, 1e-6);
  const double slices = 3 * 4 * 8 * 4 / 1e12;
  EXPECT_NEAR(time({2, {0, 16, 0}}), 160 + 6.0 / 10 * 160 + slices, 1e-6) << "a half of 5 steps has 3";
  model.uneven = 0.5;
  EXPECT_NEAR(time({}), 320 + 0.5 * std::sqrt(2 * 160.0 * 160), 1e-6);
  EXPECT_NEAR(time({2, {0, 16, 0}}), 256 + 0.5 * std::sqrt(160.0 * 160 + 96 * 96) + slices, 1e-6);
}

// All full waves, and all but one; none where the rest cannot be cut, or where options ask for another cut.
TEST(TileModel, ProposesToCutTheRestOfWavesOnly) {
  TileModel model          = model_of(ideal);
  model.leaves_waves_whole = true;
  const auto waves_of      = [&](const GemmShape& shape, const PlanOptions& options) {
    std::vector<int> waves;
    PlanOptions with_tile = options;
    with_tile.tile        = large_tile.tile;
    propose_tiles(model, modelled(gemm_call(shape)), slow_machine(4), with_tile, [&](const Proposal& p) {
      EXPECT_TRUE(p.whole_waves == 0 || p.parts[0] > 1);
      if (std::find(waves.begin(), waves.end(), p.whole_waves) == waves.end()) waves.push_back(p.whole_waves);
    });
    std::sort(waves.begin(), waves.end());
    return waves;
  };
  using Waves = std::vector<int>;
  const GemmShape six{8, 6 * 16, 100}, thirteen{8, 13 * 16, 100}, four{8, 4 * 16, 100};
  EXPECT_EQ(waves_of(six, {}), (Waves{0, 1}));
  EXPECT_EQ(waves_of(thirteen, {}), (Waves{0, 2, 3}));
  EXPECT_EQ(waves_of(four, {}), (Waves{0}));
  EXPECT_EQ(waves_of({8, 6 * 16, 1}, {}), (Waves{0}));
  EXPECT_EQ(waves_of(six, {.split_k = 2}), (Waves{0}));
  EXPECT_EQ(waves_of(thirteen, {.split_k = 2, .whole_waves = 1}), (Waves{1}));
  EXPECT_EQ(waves_of(six, {.whole_waves = 2}), Waves{}) << "there is no rest";
  model.leaves_waves_whole = false;
  EXPECT_EQ(waves_of(thirteen, {}), (Waves{0}));
}

TEST(TileModel, KnowsTheLeastTimes) {
  EXPECT_EQ(arithmetic_seconds(slow_machine(5), {10, 20, 30}, 4), 10 * 20 * 30 / (4 * 5.0));
  EXPECT_NEAR(pass_seconds(slow_machine(5), 5e12) - pass_seconds(slow_machine(5), 2e12), 3, 1e-9);
}

TEST(TileModel, CountsTheBytesOfACallOnce) {
  const GemmShape shape{10, 20, 30};
  Call call = gemm_call(shape, Element::f64);
  EXPECT_EQ(product_bytes(call), 8 * (10 * 30 + 30 * 20 + 10 * 20));
  call.beta = 1;
  EXPECT_EQ(product_bytes(call), 8 * (10 * 30 + 30 * 20 + 2 * 10 * 20));
  call.Z = matrix_of(Element::f32, 10, 20);
  EXPECT_EQ(product_bytes(call), 8 * (10 * 30 + 30 * 20 + 2 * 10 * 20) + 4 * 10 * 20);
  call.alpha = 0;
  EXPECT_EQ(product_bytes(call), 8 * 2 * 10 * 20 + 4 * 10 * 20) << "operands are not read";
}

TEST(TileModel, CountsWholeSectorsWhereResultsLieApart) {
  const auto bytes = [](std::int64_t row_stride, std::int64_t column_stride) {
    Call call            = gemm_call({10, 20, 0});
    call.C.row_stride    = row_stride;
    call.C.column_stride = column_stride;
    return product_bytes(call) / (10 * 20);
  };
  EXPECT_EQ(bytes(20, 1), 4);
  EXPECT_EQ(bytes(99, 1), 4) << "gaps between rows";
  EXPECT_EQ(bytes(1, 10), 4);
  EXPECT_EQ(bytes(40, 2), 8) << "every other element";
  EXPECT_EQ(bytes(-40, -2), 8);
  EXPECT_EQ(bytes(2000, 100), 32) << "a sector each";
}

std::vector<std::int64_t> splits_of(const GemmShape& shape, std::int64_t teams, std::int64_t shortest = 1,
                                    const PlanOptions& options = {}) {
  std::vector<std::int64_t> splits;
  for_each_split(shape, small_tile.tile, teams, shortest, options,
                 [&](std::int64_t parts) { splits.push_back(parts); });
  return splits;
}

TEST(TileSplits, AreThoseThatMayBeTheFastest) {
  EXPECT_EQ(splits_of({4, 4, 2}, 100), (std::vector<std::int64_t>{1})) << "a single step";
  EXPECT_EQ(splits_of({4, 4, 0}, 100), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(splits_of({400, 400, 1000}, 100), (std::vector<std::int64_t>{1})) << "tiles enough for all teams";
  EXPECT_EQ(splits_of({4, 4, 200}, 100, 30), (std::vector<std::int64_t>{1, 2, 3, 4, 6}))
      << "of 30 products each at least";
  EXPECT_EQ(splits_of({4, 4, 200}, 100, 1, {.split_k = 7}), (std::vector<std::int64_t>{7}));
  const auto many = splits_of({4, 4, 100000}, 100);
  EXPECT_EQ(many.front(), 1);
  EXPECT_EQ(many.back(), 400) << "so that all teams have four";
  EXPECT_TRUE(std::is_sorted(many.begin(), many.end()));
  EXPECT_EQ(std::adjacent_find(many.begin(), many.end()), many.end());
  EXPECT_NE(std::find(many.begin(), many.end(), 100), many.end()) << "every team has one";
}

std::vector<Proposal> proposals_of(const Call& call, const CudaMachine& machine, const PlanOptions& options = {},
                                   double more = 0, bool is_transposed = false) {
  std::vector<Proposal> all;
  propose_tiles(
      model_of(ideal), modelled(call), machine, options, [&](const Proposal& p) { all.push_back(p); }, more,
      is_transposed);
  return all;
}

TEST(TileProposals, AreOfAllConfigurationsThatFit) {
  const Call call = gemm_call({100, 100, 2});
  ASSERT_EQ(proposals_of(call, slow_machine(1)).size(), 2u);
  EXPECT_EQ(proposals_of(call, slow_machine(1))[1].tile, large_tile.tile);
  ASSERT_EQ(proposals_of(call, slow_machine(1, 999)).size(), 1u);
  EXPECT_EQ(proposals_of(call, slow_machine(1, 999))[0].tile, small_tile.tile);
  EXPECT_TRUE(proposals_of(call, slow_machine(1, 99)).empty());
}

TEST(TileProposals, AreOfTheTileThatIsAskedFor) {
  const Call call    = gemm_call({100, 100, 2});
  const auto tile_of = [&](const TileShape& asked, bool is_transposed) {
    const auto proposals = proposals_of(call, slow_machine(1), {.tile = asked}, 0, is_transposed);
    return proposals.empty() ? TileShape{} : proposals[0].tile;
  };
  const TileShape turned = large_tile.tile.transposed();
  EXPECT_EQ(tile_of(large_tile.tile, false), large_tile.tile);
  EXPECT_EQ(tile_of(large_tile.tile, true), turned) << "operands ask for that";
  EXPECT_EQ(tile_of(turned, true), turned);
  EXPECT_EQ(tile_of(turned, false), TileShape{}) << "there is none";
  EXPECT_EQ(tile_of({1, 2, 3}, false), TileShape{});
}

TEST(TileProposals, TakeWhatComesBeforeOnTop) {
  const Call call = gemm_call({100, 100, 2});
  EXPECT_EQ(proposals_of(call, slow_machine(1), {}, 5)[0].seconds, proposals_of(call, slow_machine(1))[0].seconds + 5);
}

TEST(TileProposals, CountClustersThatRunAtOnce) {
  EXPECT_EQ(clusters_at_once(132, 1), 132);
  EXPECT_EQ(clusters_at_once(132, 2), 66);
  EXPECT_EQ(clusters_at_once(132, 4), 30) << "as many as were seen on an H200";
  EXPECT_EQ(clusters_at_once(132, 8), 15);
  EXPECT_EQ(clusters_at_once(1, 4), 1) << "not none";
}

// Of two configurations with one tile the one of more teams is for what it computes at once.
TEST(TileProposals, AreOfMoreTeamsWhereAllTilesRunAtOnce) {
  constexpr TileShape tile{8, 8, 2};
  constexpr std::array both{ConfigChoice{tile, 32, 100, 1}, ConfigChoice{tile, 32, 200, 1, 4}};
  const auto teams_of = [&](std::int64_t works, const CudaMachine& machine) {
    return choice_of_works(both, tile, works, machine).tile_teams;
  };
  CudaMachine machine = machine_of(90, 132, 200);
  EXPECT_EQ(teams_of(1, machine), 4);
  EXPECT_EQ(teams_of(30, machine), 4);
  EXPECT_EQ(teams_of(31, machine), 1);
  EXPECT_EQ(teams_of(1, machine_of(90, 132, 199)), 1) << "too little scratch";
  machine.has_entry = false;
  EXPECT_EQ(teams_of(1, machine), 1) << "a TeamPolicy has no clusters";
}

TEST(TileProposals, AreCutAsProposed) {
  const Call call           = gemm_call({100, 100, 100});
  const ProductPlan product = cut_as_proposed("test", model_of(ideal), call, slow_machine(7), {.group = 3},
                                              {large_tile.tile.transposed(), {4, 1}, false, 11});
  EXPECT_STREQ(product.family, "test");
  EXPECT_EQ(product.tile, (TileShape{16, 8, 2}));
  EXPECT_EQ(product.order.rows, 7);
  EXPECT_EQ(product.order.columns, 13);
  EXPECT_EQ(product.order.group, 3);
  EXPECT_EQ(product.split_k, 4);
  EXPECT_EQ(product.k_split, 26);
  EXPECT_EQ(product.threads, 64);
  EXPECT_EQ(product.scratch_bytes, 1000u);
  EXPECT_EQ(product.workspace_bytes, 4u * 100 * 100 * 4);
  EXPECT_EQ(product.seconds, 11);
  EXPECT_THROW(choice_of_tile(choices, {1, 2, 3}), std::logic_error);
}

}  // namespace
}  // namespace Tegula::Test
