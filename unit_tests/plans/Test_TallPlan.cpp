// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/tall/Tegula_TallArguments.hpp"
#include "cuda/tall/Tegula_TallLayout.hpp"
#include "cuda/tall/Tegula_TallPlan.hpp"

/// How the tall family plans, for machines given as data, and how its tiles are copied.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr CudaMachine h200{132, 219 * 1024};

Plan plan_of(const GemmShape& shape, const PlanOptions& options = {}) {
  Plan plan                  = gemm_backward_of(shape.m, shape.n, shape.k);
  plan.family                = "tall";
  plan.products[1].sums_rows = true;
  plan_tall_products<float>(plan, shape, h200, options, ArgumentList(plan.call));
  return plan;
}

TEST(TallPlan, TakesTheTileThatIsAsWideAsTheWidestMatrix) {
  EXPECT_EQ(plan_of({1000000, 8, 8}).tile(), (TileShape{512, 8, 8}));
  EXPECT_EQ(plan_of({1000000, 9, 8}).tile(), (TileShape{256, 16, 16}));
  EXPECT_EQ(plan_of({1000000, 8, 17}).tile(), (TileShape{128, 32, 32}));
  EXPECT_EQ(plan_of({300, 8, 8}).tile(), (TileShape{256, 16, 16})) << "the rows are fewer than those of the narrowest";
}

TEST(TallPlan, TakesNarrowMatricesOfManyRows) {
  const auto takes = [](const GemmShape& shape, const CudaMachine& machine = h200, const PlanOptions& options = {}) {
    return is_tall<double>(shape, machine, options);
  };
  EXPECT_TRUE(takes({100000, 32, 32}));
  EXPECT_FALSE(takes({100000, 33, 8}));
  EXPECT_FALSE(takes({100000, 8, 33}));
  EXPECT_FALSE(takes({64, 8, 8})) << "one team's rows";
  EXPECT_TRUE(takes({65, 8, 8}));
  EXPECT_FALSE(takes({100000, 8, 8}, {132, 40 * 1024})) << "a TeamPolicy of a Kokkos before 5.2";
  EXPECT_FALSE(takes({100000, 8, 8}, h200, {.split_k = 2}));
  EXPECT_TRUE(takes({100000, 8, 8}, h200, {.tile = {64, 32, 32}}));
  EXPECT_FALSE(takes({100000, 32, 8}, h200, {.tile = {256, 8, 8}}));
  EXPECT_TRUE(is_best_tall<float>({1000000, 8, 8}));
  EXPECT_FALSE(is_best_tall<float>({1000, 8, 8}));
}

// Both products are cut alike: the rows that a team computes of dA are its part of the sums for dB.
TEST(TallPlan, SharesRowsOutEvenly) {
  for (const std::int64_t m : {129, 4096, 396 * 128, 396 * 128 + 1, 1000000}) {
    const Plan plan       = plan_of({m, 32, 32});
    const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
    EXPECT_EQ(dB.split_k, dA.holding_teams) << m;
    EXPECT_LE(dB.split_k, 3 * 132) << m;
    EXPECT_EQ(dB.k_split % 128, 0) << m;
    EXPECT_GE(dB.split_k * dB.k_split, m);
    EXPECT_LT((dB.split_k - 1) * dB.k_split, m);
    EXPECT_EQ(plan.workspace_bytes(), static_cast<std::size_t>(dB.split_k) * (32 * 32 + 32) * sizeof(float));
  }
}

TEST(TallPlan, LeavesOutWhatIsNotWanted) {
  Plan plan        = gemm_backward_of(100000, 8, 8);
  plan.products[1] = ProductPlan{};
  plan_tall_products<double>(plan, {100000, 8, 8}, h200, {}, ArgumentList(plan.call));
  EXPECT_EQ(plan.workspace_bytes(), 0u);
  plan             = gemm_backward_of(100000, 8, 8);
  plan.products[0] = ProductPlan{};
  plan_tall_products<double>(plan, {100000, 8, 8}, h200, {}, ArgumentList(plan.call));
  EXPECT_EQ(plan.products[0].teams(), 0);
  EXPECT_EQ(dB_tile(plan.products[1].tile), (TileShape{256, 8, 8}));
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
