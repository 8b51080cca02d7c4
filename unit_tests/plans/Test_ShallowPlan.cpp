// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/shallow/Tegula_ShallowPlan.hpp"

/// How the shallow family plans, for machines given as data, and what its lanes have of a tile.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr std::array elements{Element::bf16, Element::f16, Element::f32, Element::f64};

/// All gradients, of dense matrices by rows, or of a dC by columns.
Call call_of(const GemmShape& shape, Element element, bool by_columns = false) {
  Call call  = relu_backward_call(shape, element);
  call.dbias = row_of(element, shape.n);
  if (by_columns) call.dC = call.saved = matrix_of(element, shape.m, shape.n, {.by_columns = true});
  return call;
}

Plan plan_of_shallow(const Call& call, PlanOptions options = {}) {
  options.family = "shallow";
  return plan_of(call, options);
}

TEST(ShallowPlan, TakesTheSmallestDepthThatHoldsTheSums) {
  const auto depth_of = [](std::int64_t k) { return plan_of_shallow(call_of({4000, 3600, k}, Element::f32)).tile().n; };
  EXPECT_EQ(depth_of(1), 8);
  EXPECT_EQ(depth_of(8), 8);
  EXPECT_EQ(depth_of(9), 16);
  EXPECT_EQ(depth_of(17), 24);
  EXPECT_EQ(depth_of(32), 32);
}

// Teams for each part of the depth read dC at the same time.
TEST(ShallowPlan, CutsDepthsThatNoTileHolds) {
  struct Row {
    int k, depth, parts;
  };
  for (const Row& row : {Row{33, 24, 2}, {48, 24, 2}, {49, 32, 2}, {64, 32, 2}, {65, 24, 3}, {73, 32, 3}, {128, 32, 4}})
    for (const Element element : {Element::f32, Element::f64}) {
      const Call call      = call_of({4000, 3600, row.k}, element);
      const Plan plan      = plan_of_shallow(call);
      const ShallowCut cut = shallow_cut(call, plan);
      EXPECT_EQ(plan.tile().n, row.depth);
      EXPECT_EQ(cut.depth_parts, row.parts);
      EXPECT_EQ(cut.teams(), plan.products[0].holding_teams);
      EXPECT_EQ(cut.parts, plan.products[1].split_k);
    }
}

TEST(ShallowPlan, TakesShortSums) {
  for (const Element element : elements) {
    const auto takes_shape = [&](const GemmShape& shape, const PlanOptions& options = {}) {
      return takes("shallow", call_of(shape, element), options, h200);
    };
    EXPECT_TRUE(takes_shape({1, 1, 1}));
    EXPECT_TRUE(takes_shape({100000, 3, 32}));
    EXPECT_TRUE(takes_shape({3, 100000, 32}));
    // In 16 bits longer ones where rows are whole words.
    const bool is_wide = element == Element::f32 || element == Element::f64;
    for (const std::int64_t n : {100, 104}) {
      const std::int64_t deepest = is_wide ? 128 : n == 104 ? 48 : 32;
      EXPECT_TRUE(takes_shape({100, n, deepest})) << n;
      EXPECT_FALSE(takes_shape({100, n, deepest + 1})) << n;
    }
    EXPECT_FALSE(takes_shape({100, 100, 8}, {.tile = {96, 8, 8}}));
  }
  Call call  = call_of({100, 100, 8}, Element::f32);
  call.alpha = 0;
  EXPECT_TRUE(is_refused("alpha is 0", call, {.family = "shallow"}));
  call    = call_of({100, 100, 8}, Element::f32);
  call.dA = call.dB = no_matrix(Element::f32);
  EXPECT_TRUE(is_refused("neither dA nor dB is wanted", call, {.family = "shallow"}));
  EXPECT_FALSE(takes("shallow", call_of({4000, 4000, 32}, Element::f32), {.tile = {32, 256, 32}}, before_kokkos_5_2));
}

TEST(ShallowPlan, IsTakenWhereDCTakesLongest) {
  for (const Element element : elements)
    for (const bool by_columns : {false, true}) {
      EXPECT_STREQ(plan_of(call_of({4049, 3599, 1}, element, by_columns)).family, "shallow");
      EXPECT_STREQ(plan_of(call_of({14912, 496, 8}, element, by_columns)).family, "shallow");
      EXPECT_STRNE(plan_of(call_of({4096, 4096, 512}, element, by_columns)).family, "shallow");
    }
}

// Teams lie side by side, and below each other: each has sums of its own of the rows and of the columns that it sees.
TEST(ShallowPlan, LeavesASliceForEveryTeamThatSharesALine) {
  for (const Element element : elements)
    for (const bool by_columns : {false, true})
      for (const GemmShape& shape : {GemmShape{5, 7, 3},
                                     {4049, 3599, 1},
                                     {14912, 496, 8},
                                     {100, 70000, 32},
                                     {500, 600, element == Element::f32 || element == Element::f64 ? 50 : 20}}) {
        const Plan plan       = plan_of_shallow(call_of(shape, element, by_columns));
        const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
        EXPECT_TRUE(plan.is_one_kernel);
        EXPECT_EQ(dA.split_k * dB.split_k * ceil_div(shape.k, dA.tile.n), dA.holding_teams);
        EXPECT_EQ(dB.holding_teams, dA.holding_teams);
        EXPECT_GE(dA.split_k * dA.k_split, shape.n);
        EXPECT_LT((dA.split_k - 1) * dA.k_split, shape.n);
        EXPECT_GE(dB.split_k * dB.k_split, shape.m);
        EXPECT_LT((dB.split_k - 1) * dB.k_split, shape.m);
        // Columns of a team are those of a tile, as dC lies; rows any number of tiles.
        EXPECT_EQ(by_columns ? dB.k_split : dA.k_split, by_columns ? dB.tile.k : dA.tile.k);
        const std::size_t sum = element == Element::f64 ? 8 : 4;
        const auto slices     = [&](const ProductPlan& product, std::int64_t slice) {
          return product.split_k == 1 ? 0 : static_cast<std::size_t>(product.split_k * slice) * sum;
        };
        const std::size_t bytes = slices(dA, shape.m * shape.k) + slices(dB, shape.n * (shape.k + 1));
        EXPECT_GE(plan.workspace_bytes(), bytes);
        EXPECT_LT(plan.workspace_bytes(), bytes + 128);
      }
}

TEST(ShallowPlan, CutsAsKernelsDo) {
  for (const bool by_columns : {false, true})
    for (const std::int64_t m : {1, 15, 16, 17, 4000}) {
      const Call call       = call_of({m, 1000, 5}, Element::f32, by_columns);
      const Plan plan       = plan_of_shallow(call);
      const ShallowCut cut  = shallow_cut(call, plan);
      const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
      const bool transposes = shallow_transposes(call);  // not where a row is a column
      EXPECT_EQ(cut.panels, (transposes ? dB : dA).split_k);
      EXPECT_EQ(cut.parts, (transposes ? dA : dB).split_k);
      EXPECT_EQ(cut.part_rows, (transposes ? dA : dB).k_split);
      EXPECT_EQ(cut.tile.k, 8);
    }
}

TEST(ShallowPlan, ObeysSplitKBelowEachOther) {
  for (const int split_k : {1, 2, 7, 1000}) {
    const ProductPlan dB = plan_of_shallow(call_of({100, 640, 8}, Element::f32), {.split_k = split_k}).products[1];
    EXPECT_LE(dB.split_k, split_k);
    EXPECT_EQ(dB.split_k > 1, split_k > 1);
    EXPECT_GE(dB.k_split, dB.tile.k);
  }
}

TEST(ShallowPlan, LeavesOutWhatIsNotWanted) {
  Call without_dB = call_of({4000, 3600, 8}, Element::f64), without_dA = without_dB;
  without_dB.dB = without_dB.dbias = no_matrix(Element::f64);
  without_dA.dA                    = no_matrix(Element::f64);
  EXPECT_EQ(plan_of_shallow(without_dB).products[1].teams(), 0);
  EXPECT_GT(plan_of_shallow(without_dB).seconds(), 0);
  EXPECT_EQ(plan_of_shallow(without_dA).products[0].teams(), 0);
  EXPECT_GT(plan_of_shallow(without_dA).seconds(), 0);
  EXPECT_EQ(shallow_cut(without_dA, plan_of_shallow(without_dA)).teams(),
            plan_of_shallow(without_dA).products[1].holding_teams);
}

// In 16 bits those of others are read in two words each.
TEST(ShallowPlan, PrefersRowsInWords) {
  Call odd = call_of({100000, 640, 8}, Element::bf16);
  EXPECT_TRUE(shallow_arguments<std::uint16_t>(odd).reads_words);
  const double seconds = plan_of_shallow(odd).seconds();
  odd.dC               = matrix_of(Element::bf16, 100000, 640, {.padding = 1});
  EXPECT_FALSE(shallow_arguments<std::uint16_t>(odd).reads_words);
  EXPECT_GE(plan_of_shallow(odd).seconds(), seconds);
}

// By groups where rows are whole words, on compute capability 9.0.
TEST(ShallowPlan, MultipliesLongerSumsByWgmma) {
  const auto way_of = [](const Call& call) {
    return shallow_tile<std::uint16_t>(shallow_cut(call, plan_of_shallow(call)).tile).way;
  };
  for (const bool by_columns : {false, true}) {
    for (const int k : {17, 24, 32, 40, 48})
      EXPECT_EQ(way_of(call_of({8000, 7200, k}, Element::bf16, by_columns)), ShallowWay::groups) << k;
    for (const int k : {1, 8, 16})
      EXPECT_EQ(way_of(call_of({8000, 7200, k}, Element::bf16, by_columns)), ShallowWay::registers) << k;
  }
  EXPECT_TRUE(takes("shallow", call_of({8000, 7200, 8}, Element::bf16), {.tile = {64, 512, 32}}))
      << "if it is asked for";
  EXPECT_EQ(way_of(call_of({8001, 7201, 24}, Element::f16)), ShallowWay::registers);
  CudaMachine other = h200;
  other.major       = 10;
  EXPECT_TRUE(takes("shallow", call_of({8000, 7200, 32}, Element::bf16), {}, other));
  EXPECT_FALSE(takes("shallow", call_of({8000, 7200, 33}, Element::bf16), {}, other));
}

// Lanes have every element of what a unit has of a step, or of a block, once, where a lane has runs of it.
template <class Unit>
void expect_whole_step() {
  std::vector<int> seen(Unit::rows * Unit::columns);
  for (int lane = 0; lane < Unit::threads; ++lane)
    for (int q = 0; q < shallow_runs; ++q)
      for (int e = 0; e < Unit::run; ++e) ++seen[Unit::row(lane, q) * Unit::columns + Unit::column(lane, q) + e];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST(ShallowUnit, HasEveryElementOfAStepOnce) {
  expect_whole_step<ShallowUnit<std::uint16_t, ShallowWay::registers>>();
  expect_whole_step<ShallowUnit<std::uint16_t, ShallowWay::groups>>();
  expect_whole_step<ShallowUnit<float, ShallowWay::registers>>();
  expect_whole_step<ShallowUnit<double, ShallowWay::registers>>();
}

}  // namespace
}  // namespace Tegula::Test
