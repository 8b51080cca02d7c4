// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "host/Tegula_HostGradientPlan.hpp"
#include "host/Tegula_HostPlan.hpp"

/// What the planner of the host family decides, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Impl;

constexpr RegisterTileShape avx512_float{14, 32, 16};
constexpr std::size_t megabyte = 1024 * 1024;

/// A nanosecond for a cycle, or for a byte beyond 100 kB; calls and launches take so long that they can be told, but
/// are not longer on several threads.
const HostRates slow_rates{Instructions::avx512, "slow host", "made up", 1e9, 1e5, 1e18, 1e5, 1e9, 3e9, 1, 10, 0};

HostMachine machine_of(int threads) { return {avx512_float, sizeof(float), threads, 20 * megabyte, &slow_rates}; }

/// A product of row-major matrices: the left operand's depth is contiguous, the right one's lines are.
ProductTraits row_major(const GemmShape& shape) { return {{true, shape.k, 1}, {true, 1, shape.n}, {shape.n, 1}}; }

Plan planned(const GemmShape& shape, const HostMachine& machine, const PlanOptions& options = {}) {
  Plan plan;
  plan.call        = "gemm";
  plan.products[0] = uncut_product("C", shape, sizeof(float), sizeof(float), sizeof(float), false);
  plan_host_products(plan, {row_major(shape), ProductTraits{}}, machine, options, ArgumentList("gemm"));
  return plan;
}

TEST(HostPlan, KeepsEveryThreadBusy) {
  for (const int threads : {1, 2, 4, 8, 16}) {
    for (const GemmShape& shape : {GemmShape{256, 256, 256}, GemmShape{1024, 1024, 1024}, GemmShape{65536, 64, 64},
                                   GemmShape{64, 65536, 64}, GemmShape{64, 64, 65536}, GemmShape{8, 4096, 4096}}) {
      const Plan plan = planned(shape, machine_of(threads));
      EXPECT_GE(plan.teams() * plan.threads, threads)
          << threads << " threads, " << shape.m << 'x' << shape.n << 'x' << shape.k << " in " << text(plan.tile());
    }
  }
}

TEST(HostPlan, SplitsTheInnerDimensionOnlyWhereTilesAreFew) {
  EXPECT_GT(planned({64, 64, 65536}, machine_of(16)).products[0].split_k, 1);
  EXPECT_EQ(planned({4096, 4096, 4096}, machine_of(16)).products[0].split_k, 1);
  EXPECT_EQ(planned({64, 64, 65536}, machine_of(1)).products[0].split_k, 1);
  // Every result of a split product passes through a second kernel, which costs more than packing one operand twice.
  EXPECT_EQ(planned({512, 768, 3072}, machine_of(2)).products[0].split_k, 1);
}

TEST(HostPlan, CoversTheProduct) {
  for (const GemmShape& shape : {GemmShape{1, 1, 1}, GemmShape{1021, 1019, 1013}, GemmShape{5000, 3, 7}}) {
    const Plan plan      = planned(shape, machine_of(4));
    const ProductPlan& c = plan.products[0];
    EXPECT_GE(c.order.rows * c.tile.m, shape.m);
    EXPECT_GE(c.order.columns * c.tile.n, shape.n);
    EXPECT_GE(c.split_k * c.k_split, shape.k);
    EXPECT_LE(plan.scratch_bytes, machine_of(4).scratch_max);
  }
}

TEST(HostPlan, PacksNothingOfASmallProduct) {
  const ProductPlan c = planned({32, 32, 32}, machine_of(1)).products[0];
  EXPECT_FALSE(c.packs_left);
  EXPECT_FALSE(c.packs_right);
}

// A launch is longer than such a product. Others are cut into tiles whose operands stay in caches.
TEST(HostPlan, MakesALongThinSmallProductOneTeam) {
  for (const GemmShape& shape : {GemmShape{2000, 8, 8}, GemmShape{1, 2196, 4}, GemmShape{2196, 1, 4}}) {
    const Plan plan = planned(shape, machine_of(1));
    EXPECT_EQ(plan.teams(), 1) << shape.m << 'x' << shape.n << 'x' << shape.k;
    EXPECT_LE(plan.scratch_bytes, most_scratch_at_once);
  }
  EXPECT_GT(planned({5000, 64, 64}, machine_of(1)).teams(), 1);
}

// A vector times a matrix reads the matrix once, where it lies.
TEST(HostPlan, StreamsTheColumnsOfAThinProduct) {
  const ProductPlan c = planned({1, 4096, 4096}, machine_of(1)).products[0];
  EXPECT_FALSE(c.packs_right);
}

// Vectors run along the direction in which the result is contiguous, or else along the longer one.
TEST(HostPlan, TurnsTheRegisterTile) {
  const GemmShape shape{512, 512, 512};
  Plan plan;
  plan.products[0] = uncut_product("C", shape, 4, 4, 4, false);
  const ProductTraits by_columns{{true, 1, 512}, {true, 512, 1}, {1, 512}};
  plan_host_products(plan, {by_columns, ProductTraits{}}, machine_of(1), {}, ArgumentList("gemm"));
  EXPECT_TRUE(plan.products[0].transposed);
  EXPECT_FALSE(planned(shape, machine_of(1)).products[0].transposed);
}

/// The plan of a float product whose operands lie as the traits say.
ProductPlan planned(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine = machine_of(1)) {
  Plan plan;
  plan.products[0] = uncut_product("C", shape, 4, 4, 4, false);
  plan_host_products(plan, {traits, ProductTraits{}}, machine, {}, ArgumentList("gemm"));
  return plan.products[0];
}

// Few lines of one operand and contiguous steps of the other, whichever is left. The few lines are packed if their
// steps are not contiguous.
TEST(HostPlan, FormsInnerProductsOfFewLines) {
  for (const std::int64_t few : {1, 2, 7, 8}) {
    const ProductPlan tall = planned({4096, few, 4096}, machine_of(1)).products[0];
    EXPECT_TRUE(tall.inner && tall.transposed) << few;
    EXPECT_EQ(tall.packs_right, few > 1) << few;
    EXPECT_FALSE(tall.packs_left);
    EXPECT_EQ(tall.tile.n, few);
    const ProductPlan wide = planned({few, 4000, 4100}, {{true, 4100, 1}, {true, 4100, 1}, {4000, 1}});
    EXPECT_TRUE(wide.inner && !wide.transposed && !wide.packs_left) << few;
    EXPECT_FALSE(wide.packs_right);
    EXPECT_EQ(wide.tile.k % avx512_float.lanes, 0);
  }
}

TEST(HostPlan, FormsNoOtherInnerProducts) {
  const ProductTraits both_contiguous{{true, 4096, 1}, {true, 4096, 1}, {4096, 1}};
  EXPECT_FALSE(planned({9, 4096, 4096}, both_contiguous).inner) << "too many lines";
  EXPECT_FALSE(planned({8, 4096, 4096}, row_major({8, 4096, 4096})).inner) << "steps are not contiguous";
  EXPECT_FALSE(planned({8, 4096, 4096}, {{true, 4096, 1}, {false, 4096, 1}, {4096, 1}}).inner) << "not read in place";
}

// Few lines that are a whole vector gain nothing by vectors along the inner dimension where others meet them in place.
TEST(HostPlan, LeavesWholeVectorsOfFewLinesToTheRegisterTile) {
  const HostMachine machine{{14, 16, 8}, sizeof(double), 1, 20 * megabyte, &slow_rates};
  const auto is_inner = [&](const GemmShape& shape) { return planned(shape, row_major(shape), machine).inner; };
  EXPECT_FALSE(is_inner({1000, 8, 100}));
  EXPECT_TRUE(is_inner({1000, 1, 100}));
}

// What costs nothing but packing is packed only where it is read often enough.
TEST(HostPlan, PacksWhatManyPanelsReadFromAfar) {
  HostRates rates     = slow_rates;
  HostMachine machine = machine_of(1);
  machine.rates       = &rates;
  rates.launch        = 0;
  const auto packs    = [&](const GemmShape& shape) { return planned(shape, machine).products[0].packs_right; };
  EXPECT_FALSE(packs({8, 512, 512})) << "one panel of rows passes by";
  EXPECT_TRUE(packs({512, 512, 512}));
  // Lines 4096 bytes apart compete for places in the first cache, which nothing needs that is read once.
  EXPECT_FALSE(packs({1, 1024, 512}));
  EXPECT_TRUE(packs({64, 1024, 512}));
  rates.launch = 10;
  EXPECT_FALSE(packs({64, 1024, 512})) << "the launch that scratch needs takes longer than packing saves";
}

// Panels are of columns: the product is not turned, and forms no inner products, as others of these extents do.
TEST(HostPlan, ReadsWhatWasPackedBefore) {
  for (const GemmShape& shape : {GemmShape{300, 4, 4000}, GemmShape{4, 300, 4000}, GemmShape{512, 512, 512}}) {
    ProductTraits traits   = row_major(shape);
    traits.right.in_panels = true;
    Plan plan;
    plan.call        = "gemm";
    plan.products[0] = uncut_product("C", shape, sizeof(float), sizeof(float), sizeof(float), false);
    plan_host_products(plan, {traits, ProductTraits{}}, machine_of(4), {}, ArgumentList("gemm"));
    const ProductPlan& c = plan.products[0];
    EXPECT_TRUE(c.reads_panels && !c.transposed && !c.inner && !c.packs_right) << shape.m;
    EXPECT_TRUE(c.tile.n >= shape.n || c.tile.n % avx512_float.columns == 0) << c.tile.n;
  }
}

// Columns of a wide matrix whose steps are pages of memory apart are packed, or read a few steps at a time.
TEST(HostPlan, ReadsFewPagesOfMemoryAtOnce) {
  for (const GemmShape& shape : {GemmShape{44, 14407, 3425}, GemmShape{28, 9337, 1145}, GemmShape{8, 5640, 16296}}) {
    const ProductPlan c = planned(shape, machine_of(1)).products[0];
    EXPECT_TRUE(c.packs_right || c.tile.k <= 64) << shape.m << 'x' << shape.n << 'x' << shape.k;
  }
  EXPECT_FALSE(planned({28, 9337, 60}, machine_of(1)).products[0].packs_right) << "few pages";
  EXPECT_FALSE(planned({28, 960, 1145}, machine_of(1)).products[0].packs_right) << "less than a page apart";
}

// Where parts of vectors can be read in place, columns that fill none need no scratch; elsewhere they are padded.
TEST(HostPlan, PadsColumnsOnlyWherePartsOfVectorsCannotBeRead) {
  HostMachine machine = machine_of(1);
  EXPECT_GT(planned({100, 8, 8}, machine).products[0].panels.columns, 0U);
  machine.registers.reads_parts = true;
  EXPECT_EQ(planned({100, 8, 8}, machine).products[0].panels.columns, 0U);
  EXPECT_LT(planned({100, 8, 8}, machine).seconds(), planned({100, 8, 8}, machine_of(1)).seconds());
}

/// Seconds of a product whose traits are changed.
template <class Change>
double seconds_with(const GemmShape& shape, const Change& change) {
  ProductTraits traits = row_major(shape);
  change(traits);
  return planned(shape, traits).seconds;
}

// A result without gaps takes one call of an activation for a whole row panel, others one for each row.
TEST(HostPlan, CountsCallsOfActivations) {
  const auto relu = [](std::int64_t stride) {
    return [stride](ProductTraits& t) { t.result = {stride, 1, true, 1, 0.5}; };
  };
  const GemmShape shape{100, 96, 64};
  EXPECT_LT(seconds_with(shape, relu(96)), seconds_with(shape, relu(97)));
}

// What 64 threads of one processor would reach if all of them had the same memory: kernels/README.md gives these parts.
TEST(HostPlan, ExpectsMostOfManyThreads) {
  HostRates rates  = host_rates(Instructions::avx512, false);
  rates.all_memory = 400e9;
  rates.cache      = 256e6;
  struct Expected {
    GemmShape shape;
    double part;
  };
  for (const auto& [shape, part] : {Expected{{4096, 4096, 4096}, 0.97},
                                    {{1024, 1024, 1024}, 0.93},
                                    {{512, 768, 3072}, 0.93},
                                    {{192, 240, 1600}, 0.75},
                                    {{256, 256, 256}, 0.47}}) {
    const auto seconds = [&, shape = shape](int threads) {
      HostMachine machine           = machine_of(threads);
      machine.rates                 = &rates;
      machine.registers.reads_parts = true;
      return planned(shape, machine).seconds();
    };
    EXPECT_GT(seconds(1) / seconds(64) / 64, part - 0.01) << shape.m;
  }
}

// Half of the columns lie in as many runs as there are rows. Two threads take half of the rows each.
TEST(HostPlan, LeavesRowsWholeForActivations) {
  const GemmShape shape{672, 64, 64};
  ProductTraits traits           = row_major(shape);
  traits.result.finished_element = 0.5;
  EXPECT_EQ(text(planned(shape, traits, machine_of(2)).tile), "336x64x64");
}

// Where each of two threads stores a part of every run, one waits for what the other's processor has fetched ahead.
TEST(HostPlan, GivesRunsOfResultsToOneThread) {
  for (const GemmShape& shape : {GemmShape{168, 1280, 8}, {504, 984, 24}, {328, 344, 40}}) {
    ProductTraits traits = row_major(shape);
    EXPECT_GE(planned(shape, traits, machine_of(2)).tile.n, shape.n) << shape.m;
    traits.result = {1, shape.m};
    EXPECT_GE(planned(shape, traits, machine_of(2)).tile.m, shape.m) << shape.m;
  }
}

// dZ is formed again in every tile that packs it, and an activation takes its time for each element of the result.
TEST(HostPlan, CountsActivations) {
  const GemmShape shape{100, 96, 64};
  const double plain    = seconds_with(shape, [](ProductTraits&) {});
  const double finished = seconds_with(shape, [](ProductTraits& t) { t.result.is_direct = false; });
  EXPECT_GT(finished, plain);
  EXPECT_NEAR(seconds_with(shape,
                           [](ProductTraits& t) {
                             t.result.is_direct        = false;
                             t.result.finished_element = 50;
                           }),
              finished + 50e-9 * 100 * 96, 1e-9);
  const auto relu = [](bool clamps) {
    return [clamps](ProductTraits& t) { t.result.finished_element = 50, t.result.clamps = clamps; };
  };
  EXPECT_EQ(seconds_with(shape, relu(true)), plain) << "microkernels apply it";
  EXPECT_GT(seconds_with(shape, relu(false)), plain);
  const auto form = [](double slope) {
    return [slope](ProductTraits& t) { t.left.in_place = false, t.left.is_formed = true, t.left.slope = slope; };
  };
  EXPECT_GT(seconds_with(shape, form(0)), plain);
  EXPECT_NEAR(seconds_with(shape, form(50)), seconds_with(shape, form(0)) + 50e-9 * 100 * 64, 1e-9);
  for (const Instructions set : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    for (const bool is_double : {false, true}) {
      for (const Applied applied : {Applied::value, Applied::slope}) {
        EXPECT_EQ(activation_cycles(set, 0, is_double, applied), 0) << "Identity";
        for (int position = 1; position < 8; ++position)
          EXPECT_GT(activation_cycles(set, position, is_double, applied), 0) << position;
      }
    }
  }
}

// A team of one thread that computes all by itself needs no launch.
TEST(HostPlan, ChoosesFewThreadsWhereALaunchTakesLonger) {
  HostRates rates     = slow_rates;
  HostMachine machine = machine_of(4);
  machine.rates       = &rates;
  rates.fork          = 1;
  EXPECT_EQ(planned({64, 64, 64}, machine).teams(), 1);
  rates.fork = 0;
  EXPECT_GT(planned({64, 64, 64}, machine).teams(), 1);
}

// No way that options can ask for is predicted to take less time than what the planner takes by itself.
TEST(HostPlan, TakesTheLeastOfAllPredictedTimes) {
  for (const int threads : {1, 3, 4}) {
    for (const GemmShape& shape : {GemmShape{8, 8, 8}, GemmShape{3, 1000, 70}, GemmShape{1000, 3, 70},
                                   GemmShape{300, 200, 1000}, GemmShape{17, 33, 2000}, GemmShape{2000, 9, 33}}) {
      Plan uncut;
      uncut.products[0] = uncut_product("C", shape, 4, 4, 4, false);
      double least      = 1e9;
      for (const Plan& way : host_ways(uncut, row_major(shape), machine_of(threads)))
        least = std::min(least, way.seconds());
      EXPECT_DOUBLE_EQ(planned(shape, machine_of(threads)).seconds(), least)
          << threads << " threads, " << shape.m << 'x' << shape.n << 'x' << shape.k;
    }
  }
}

/// The same with a last cache of 32 MB, where sums can wait.
HostMachine cached_machine_of(int threads) {
  static const HostRates rates = [] {
    HostRates cached = slow_rates;
    cached.cache     = 32e6;
    return cached;
  }();
  HostMachine machine = machine_of(threads);
  machine.rates       = &rates;
  return machine;
}

/// The gradients of a row-major layer with an activation, dbias included.
Plan planned_gradients(const GemmShape& s, const HostMachine& machine, const PlanOptions& options = {},
                       bool may_be_together = true) {
  Plan plan;
  plan.call        = "gemm_backward";
  plan.products[0] = uncut_product("dA", {s.m, s.k, s.n}, 8, 4, 4, false);
  plan.products[1] = uncut_product("dB^T", {s.n, s.k, s.m}, 8, 4, 4, true);
  OperandTraits dZ{false, s.n, 1, true, true, false, 0.2}, dZ_transposed{false, 1, s.n, true, true, true, 0.2};
  const std::array<ProductTraits, 2> traits{ProductTraits{dZ, {true, s.n, 1}, {s.k, 1}},
                                            ProductTraits{dZ_transposed, {true, 1, s.k}, {1, s.n}}};
  const GradientTraits gradient{s.n, 1, false, true, 0.2, true};
  plan_host_products(plan, traits, machine, options, ArgumentList("gemm_backward"),
                     may_be_together ? &gradient : nullptr);
  return plan;
}

// dZ of a long thin layer is formed once for both of its gradients, in blocks that the first cache holds.
TEST(HostPlan, ComputesTheGradientsOfThinLayersTogether) {
  for (const GemmShape& shape : {GemmShape{5000, 8, 8}, GemmShape{5000, 50, 4}, GemmShape{6000, 7000, 19}}) {
    const Plan together       = planned_gradients(shape, cached_machine_of(1));
    const GradientBlocks& cut = together.gradient_blocks;
    const ProductPlan &dA = together.products[0], &dB = together.products[1];
    EXPECT_EQ(together.teams(), 1);
    EXPECT_LT(cut.rows, shape.m);
    EXPECT_EQ(cut.rows % avx512_float.rows, 0) << "whole register tiles";
    EXPECT_EQ(dA.tile.m, cut.rows);
    EXPECT_EQ(dA.tile.k, cut.columns);
    EXPECT_EQ(dB.tile.m, cut.columns);
    EXPECT_EQ(dB.tile.k, cut.rows);
    EXPECT_GE(cut.elements, static_cast<std::size_t>(cut.rows * cut.columns));
    EXPECT_GE(dB.panels.sums, cut.sums * static_cast<std::size_t>(parts_of(shape.n, cut.columns)));
    EXPECT_EQ(dB.panels.line_sums, static_cast<std::size_t>(shape.n));
    EXPECT_LT(together.seconds(), planned_gradients(shape, cached_machine_of(1), {}, false).seconds());
  }
}

TEST(HostPlan, GivesEachTeamRowsOfItsOwn) {
  const GemmShape shape{50000, 8, 8};
  const Plan plan = planned_gradients(shape, cached_machine_of(4));
  ASSERT_GT(plan.gradient_blocks.parts, 1);
  EXPECT_LE(plan.gradient_blocks.parts, 4);
  EXPECT_EQ(plan.products[1].k_split, plan.gradient_blocks.part_rows);
  EXPECT_EQ(plan.products[1].split_k, plan.gradient_blocks.parts);
  EXPECT_GT(plan.workspace_bytes(), 0U);
}

TEST(HostPlan, ComputesGradientsOneByOneWhereTheirSumsAreLargeOrATileIsAskedFor) {
  EXPECT_EQ(planned_gradients({3000, 3000, 3000}, cached_machine_of(1)).gradient_blocks.parts, 0);
  EXPECT_EQ(planned_gradients({5000, 8, 8}, cached_machine_of(1), {.tile = {48, 32, 32}}).gradient_blocks.parts, 0);
  EXPECT_EQ(planned_gradients({5000, 8, 8}, cached_machine_of(1), {.split_k = 2}).gradient_blocks.parts, 0);
}

TEST(HostPlan, SaysThatItFormsInnerProducts) {
  EXPECT_NE(planned({4096, 1, 4096}, machine_of(1)).text().find("vectors along the inner dimension"),
            std::string::npos);
}

TEST(HostPlan, RefusesATileThatScratchCannotHold) {
  EXPECT_THROW(planned({5000, 5000, 5000}, machine_of(1), {.tile = {5000, 5000, 100}}), std::invalid_argument);
  EXPECT_THROW(planned({50, 50, 50}, machine_of(1), {.tile = {5, -5, 5}}), std::invalid_argument);
}

/// Seconds of a product in multiply-adds of vectors, at two a cycle, and in bytes that memory moves.
TEST(HostPlan, PredictsTimes) {
  const double calls = planned({1, 1, 1}, machine_of(1)).seconds();
  EXPECT_NEAR(calls, 1, 1e-6) << "nearly nothing to compute";
  const auto cube_of = [](int threads) {
    const double seconds = planned({128, 128, 128}, machine_of(threads)).seconds();
    return seconds - std::floor(seconds);  // without calls and launches
  };
  const double cube = cube_of(1);
  EXPECT_GT(cube, 1e-9 * 128 * 128 * 128 / 16 / 2);
  EXPECT_LT(cube, 2e-9 * 128 * 128 * 128 / 16 / 2 + 1e-9 * (4 * 4 * 128 * 128 - 1e5));
  EXPECT_NEAR(cube_of(2), cube / 2, 0.2 * cube);

  HostRates rates       = slow_rates;
  const auto seconds_by = [&] {
    HostMachine machine  = machine_of(1);
    machine.rates        = &rates;
    const double seconds = planned({1000, 1000, 100}, machine).seconds();
    return seconds - std::floor(seconds);
  };
  constexpr double bytes = 4 * (1000 * 100 + 100 * 1000 + 2 * 1000 * 1000) - 1e5;
  const double all       = seconds_by();
  rates.cycles           = 2e9;
  EXPECT_NEAR(seconds_by(), 1e-9 * bytes + (all - 1e-9 * bytes) / 2, 1e-9);
  rates        = slow_rates;
  rates.memory = 2e9;
  EXPECT_NEAR(seconds_by(), all - 0.5e-9 * bytes, 1e-9);
  rates            = slow_rates;
  rates.all_memory = 0.5e9;
  EXPECT_NEAR(seconds_by(), all + 1e-9 * bytes, 1e-9);
}

TEST(HostPlan, PredictsTimesOfATileThatIsAskedFor) {
  const GemmShape shape{500, 700, 300};
  for (const int threads : {1, 4}) {
    const Plan plan = planned(shape, machine_of(threads));
    EXPECT_NEAR(planned(shape, machine_of(threads), {.tile = plan.tile()}).seconds(), plan.seconds(), 1e-9);
    EXPECT_GT(planned(shape, machine_of(threads), {.tile = {1, 32, 300}}).seconds(), plan.seconds() + 1e-6);
  }
  EXPECT_GT(planned(shape, machine_of(1), {.split_k = 3}).seconds(), planned(shape, machine_of(1)).seconds());
  // 200 tiles a row high form their sums one by one: a register tile is 14 rows high. As wide as a vector they do not.
  const auto seconds_of = [&](const TileShape& tile) {
    return planned({200, 6400, 64}, machine_of(1), {.tile = tile}).seconds() - 11;
  };
  EXPECT_GT(seconds_of({1, 6400, 64}), 1.5 * seconds_of({200, 32, 64}));
}

TEST(HostPlan, NamesTheRecordOfItsTimes) {
  EXPECT_NE(planned({9, 9, 9}, machine_of(1)).text().find(" us on an idle slow host (made up)"), std::string::npos);
  for (const Instructions set : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    const HostRates& rates = host_rates(set);
    EXPECT_NE(rates.name.find(name(set)), std::string::npos);
    EXPECT_EQ(rates.instructions, set);
    for (const double rate : {rates.cycles, rates.memory, rates.all_memory, rates.call, rates.fork}) EXPECT_GT(rate, 0);
    EXPECT_LE(rates.memory, rates.all_memory);
  }
  const Kokkos::View<float**, Kokkos::HostSpace> A("A", 9, 9), C("C", 9, 9);
  EXPECT_NE(describe(Kokkos::DefaultHostExecutionSpace(), A, A, C).find(host_rates(host_instructions()).name),
            std::string::npos);
}

}  // namespace
}  // namespace Tegula::Test
