// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/tall/Tegula_TallArguments.hpp"
#include "cuda/tall/Tegula_TallLayout.hpp"

/// How the tall family plans, for machines given as data, and how its tiles are copied.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

/// All gradients, whose matrices lie by columns, so that any number of them lies in runs of 16 bytes.
Call call_of(const GemmShape& shape, Element element = Element::f32) {
  const std::int64_t padding = (4 - shape.m % 4) % 4;
  Call call                  = backward_call(shape, element);
  call.dC                    = matrix_of(element, shape.m, shape.n, {.by_columns = true, .padding = padding});
  call.A = call.dA = matrix_of(element, shape.m, shape.k, {.by_columns = true, .padding = padding});
  call.dbias       = row_of(element, shape.n);
  return call;
}

Plan plan_of_tall(const Call& call, PlanOptions options = {}) {
  options.family = "tall";
  return plan_of(call, options);
}

TEST(TallPlan, TakesATileThatIsAsWideAsTheWidestMatrix) {
  EXPECT_GE(plan_of_tall(call_of({1000000, 9, 8})).tile().n, 16);
  EXPECT_EQ(plan_of_tall(call_of({1000000, 8, 17})).tile(), (TileShape{128, 32, 32}));
  EXPECT_LT(plan_of_tall(call_of({300, 8, 8})).tile().m, 300) << "the rows are more than one team's";
}

TEST(TallPlan, TakesNarrowMatricesOfManyRows) {
  const auto takes_shape = [](const GemmShape& shape, const PlanOptions& options = {},
                              const CudaMachine& machine = h200) {
    return takes("tall", call_of(shape, Element::f64), options, machine);
  };
  EXPECT_TRUE(takes_shape({100000, 32, 32}));
  EXPECT_FALSE(takes_shape({100000, 33, 8}));
  EXPECT_FALSE(takes_shape({100000, 8, 33}));
  EXPECT_FALSE(takes_shape({64, 8, 8})) << "one team's rows";
  EXPECT_TRUE(takes_shape({65, 8, 8}));
  EXPECT_FALSE(takes_shape({100000, 8, 8}, {}, before_kokkos_5_2));
  EXPECT_FALSE(takes_shape({100000, 8, 8}, {.split_k = 2}));
  EXPECT_TRUE(takes_shape({100000, 8, 8}, {.tile = {64, 32, 32}}));
  EXPECT_TRUE(is_refused("the tall family has no tile 256x8x8, only 64x32x32", call_of({100000, 32, 8}, Element::f64),
                         {.family = "tall", .tile = {256, 8, 8}}));
  Call call  = call_of({100000, 8, 8});
  call.alpha = 0;
  EXPECT_TRUE(is_refused("alpha is 0", call, {.family = "tall"}));
}

// Both products are cut alike: the rows that a team computes of dA are its part of the sums for dB.
TEST(TallPlan, SharesRowsOutEvenly) {
  for (const std::int64_t m : {129, 4096, 396 * 128, 396 * 128 + 1, 1000000}) {
    const Plan plan       = plan_of_tall(call_of({m, 32, 32}));
    const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
    EXPECT_TRUE(plan.is_one_kernel);
    EXPECT_EQ(dB.split_k, dA.holding_teams) << m;
    EXPECT_LE(dB.split_k, 3 * 132) << m;
    EXPECT_EQ(dB.k_split % 128, 0) << m;
    EXPECT_GE(dB.split_k * dB.k_split, m);
    EXPECT_LT((dB.split_k - 1) * dB.k_split, m);
    EXPECT_EQ(plan.workspace_bytes(), static_cast<std::size_t>(dB.split_k) * (32 * 32 + 32) * sizeof(float));
  }
}

TEST(TallPlan, LeavesOutWhatIsNotWanted) {
  Call without_sums = call_of({100000, 8, 8}, Element::f64), without_dA = without_sums;
  without_sums.dB = without_sums.dbias = no_matrix(Element::f64);
  EXPECT_EQ(plan_of_tall(without_sums).workspace_bytes(), 0u);
  EXPECT_EQ(plan_of_tall(without_sums).products[1].teams(), 0);
  without_dA.dA   = no_matrix(Element::f64);
  const Plan plan = plan_of_tall(without_dA, {.tile = {256, 8, 8}});
  EXPECT_EQ(plan.products[0].teams(), 0);
  EXPECT_GT(plan.seconds(), 0);
  EXPECT_EQ(dB_tile(plan.products[1].tile), (TileShape{256, 8, 8}));
}

// Matrices of any strides are taken, but those that lie differently, or not in runs, element by element.
TEST(TallPlan, PrefersMatricesThatLieAlikeInRuns) {
  const double seconds = plan_of_tall(call_of({1000000, 8, 8})).seconds();
  Call across = call_of({1000000, 8, 8}), odd = call_of({1000000, 8, 8});
  across.A = matrix_of(Element::f32, 1000000, 8);
  odd.dC   = matrix_of(Element::f32, 1000000, 8, {.by_columns = true, .padding = 1});
  EXPECT_GT(plan_of_tall(across).seconds(), seconds);
  EXPECT_GT(plan_of_tall(odd).seconds(), seconds);
}

TEST(TallCall, LiesInOneDirection) {
  alignas(16) static double data[2]{};
  TallCall<double> call{};
  call.dC = {data, 1000, 8, 8, 1};
  EXPECT_EQ(tall_major(call), Major::depth);
  call.A = {data, 1000, 6, 6, 1};
  EXPECT_EQ(tall_major(call), Major::depth);
  call.saved = {data, 1000, 8, 1, 1000};
  EXPECT_EQ(tall_major(call), std::nullopt);
  call.saved = {data, 1000, 8, 9, 1};
  EXPECT_EQ(tall_major(call), std::nullopt) << "rows are no whole runs";
  call    = {};
  call.dC = {data, 1000, 8, 1, 1000};
  EXPECT_EQ(tall_major(call), Major::lines);
  EXPECT_TRUE(lies_along(call.dA, Major::lines)) << "which is not wanted";
  call.dA = {data, 1000, 8, 8, 1};
  EXPECT_FALSE(lies_along(call.dA, Major::lines));
}

// Lanes copy every element of a tile once, to places of its own.
template <class Config, Major major>
void expect_whole_tile() {
  using Layout = TallLayout<Config, major>;
  std::vector<int> copies(Config::tile_rows * Config::width);
  std::set<int> places;
  for (int pass = 0; pass < Layout::passes; ++pass)
    for (int lane = 0; lane < 32; ++lane) {
      const int line = Layout::line(lane) + pass * Layout::pass_lines, place = Layout::pass_offset(lane, pass);
      EXPECT_EQ(place % 16, 0);
      for (int e = 0; e < Layout::unit; ++e) {
        const int at = Layout::at(lane) + e, row = Layout::along_rows ? line : at,
                  column = Layout::along_rows ? at : line;
        ++copies[row * Config::width + column];
        EXPECT_EQ(Layout::place(row, column), place + e * Layout::size);
        places.insert(place + e * Layout::size);
      }
    }
  EXPECT_EQ(copies, std::vector<int>(copies.size(), 1));
  EXPECT_EQ(places.size(), copies.size());
  EXPECT_EQ(*places.rbegin() + Layout::size, int(Config::tile_bytes));
}

// behind() adds to the line and to the place that an offset stands for, where the sums carry no bit.
template <class Config, Major major>
void expect_places_behind() {
  using Layout               = TallLayout<Config, major>;
  constexpr std::uint32_t at = 4096;
  for (int line = 0; line < Layout::lines; ++line)
    for (int on = 0; on < Layout::lines; ++on)
      if ((line & on) == 0)
        for (int place = 0; place < Layout::length; ++place)
          for (int along = 0; along < Layout::length; along += 3)
            if ((place & along) == 0) {
              ASSERT_EQ(Layout::behind(at + Layout::offset(line, place), on, along),
                        at + Layout::offset(line + on, place + along));
            }
}

// Lanes that read doubles at the same time, eight lines and four places or the other way round, half a warp at a time,
// reach all banks; and so do eight lanes that read 16 bytes of floats each, of as many lines.
template <class Config, Major major>
void expect_free_banks() {
  using Layout = TallLayout<Config, major>;
  std::set<int> banks;
  if constexpr (Layout::size == 8) {
    for (int first = 0; first < 32; first += 16) {
      for (const bool groups_are_lines : {false, true}) {
        banks.clear();
        for (int lane = first; lane < first + 16; ++lane)
          banks.insert((groups_are_lines ? Layout::offset(lane / 4, lane % 4) : Layout::offset(lane % 4, lane / 4)) /
                       8 % 16);
        EXPECT_EQ(banks.size(), 16u);
      }
    }
  } else {
    for (int place = 0; place < Layout::length; place += Layout::unit) {
      banks.clear();
      for (int line = 0; line < 8; ++line) banks.insert(Layout::offset(line, place) / 16 % 8);
      EXPECT_EQ(banks.size(), 8u);
    }
  }
}

template <Major major, class... Configs>
void expect_whole_tiles(ConfigList<Configs...>) {
  (expect_whole_tile<Configs, major>(), ...);
  (expect_places_behind<Configs, major>(), ...);
  (expect_free_banks<Configs, major>(), ...);
}

TEST(TallLayout, TakesEveryElementOfATileOnce) {
  expect_whole_tiles<Major::depth>(TallConfigs<float>());
  expect_whole_tiles<Major::lines>(TallConfigs<float>());
  expect_whole_tiles<Major::depth>(TallConfigs<double>());
  expect_whole_tiles<Major::lines>(TallConfigs<double>());
}

}  // namespace
}  // namespace Tegula::Test
