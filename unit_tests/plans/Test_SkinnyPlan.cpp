// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/skinny/Tegula_SkinnyArguments.hpp"
#include "cuda/skinny/Tegula_SkinnyLayout.hpp"

/// How the skinny family plans, for machines given as data, and how its tiles are copied.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Plan plan_of_skinny(const GemmShape& shape, PlanOptions options = {}) {
  options.family = "skinny";
  return plan_of(gemm_call(shape), options);
}

TEST(SkinnyPlan, TakesATileThatIsAsWideAsTheShortSide) {
  EXPECT_GE(plan_of_skinny({1000000, 9, 8}).tile().n, 16);
  EXPECT_EQ(plan_of_skinny({1000000, 32, 32}).tile(), (TileShape{32, 32, 16}));
  const TileShape wide = plan_of_skinny({8, 1000000, 8}).tile();
  EXPECT_GE(wide.n, wide.m) << "its long side lies along the product's";
}

TEST(SkinnyPlan, TakesTheShortOperandWhole) {
  const auto takes_shape = [](const GemmShape& shape, const CudaMachine& machine = h200) {
    return takes("skinny", gemm_call(shape, Element::f64), {}, machine);
  };
  EXPECT_TRUE(takes_shape({1000, 24, 128}));
  EXPECT_TRUE(takes_shape({24, 1000, 128}));
  EXPECT_TRUE(takes_shape({1000, 8, 0}));
  EXPECT_FALSE(takes_shape({1000, 25, 128}));
  EXPECT_FALSE(takes_shape({1000, 16, 129}));
  EXPECT_TRUE(takes_shape({1000, 16, 128}, before_kokkos_5_2));
  EXPECT_FALSE(takes_shape({1000, 16, 128}, machine_of(90, 132, 16 * KiB)));
}

// Elements that are brought one by one, or results that are stored so, take longer.
TEST(SkinnyPlan, PrefersWholeVectors) {
  const auto seconds = [](const Lies& A, const Lies& C) {
    Call call = gemm_call({1000000, 8, 8});
    call.A    = matrix_of(Element::f32, 1000000, 8, A);
    call.C    = matrix_of(Element::f32, 1000000, 8, C);
    return plan_of(call, {.family = "skinny"}).seconds();
  };
  EXPECT_GT(seconds({.padding = 1}, {}), seconds({}, {}));
  EXPECT_GT(seconds({}, {.padding = 1}), seconds({}, {}));
}

// Every team loads the short operand once, however many tiles the team has.
TEST(SkinnyPlan, IsDescribedWithWhatTeamsLoad) {
  const auto expect_line = [](const Plan& plan, const std::string& line) {
    EXPECT_NE(plan.text().find(line), std::string::npos) << '"' << line << "\" is not in\n" << plan.text();
  };
  const Plan tall = plan_of_skinny({1000000, 32, 32}), wide = plan_of_skinny({8, 1000000, 8}, {.tile = {8, 64, 8}}),
             few = plan_of_skinny({300, 8, 8}, {.tile = {64, 8, 8}});
  EXPECT_EQ(tall.products[0].holding_teams, 5 * 132);
  expect_line(tall, "each left tile is loaded 1 times, each right tile 660 times");
  expect_line(tall, "32675840 elements loaded by tiles");
  EXPECT_EQ(wide.products[0].holding_teams, 3907) << "of 15625 tiles, four a team";
  expect_line(wide, "each left tile is loaded 3907 times, each right tile 1 times");
  EXPECT_EQ(few.products[0].holding_teams, 2) << "none is without a tile";
}

TEST(SkinnyPlan, ObeysOptions) {
  EXPECT_EQ(plan_of_skinny({1000, 8, 8}, {.tile = {32, 32, 16}}).tile(), (TileShape{32, 32, 16}));
  EXPECT_EQ(plan_of_skinny({8, 1000, 8}, {.tile = {16, 64, 16}}).tile(), (TileShape{16, 64, 16}));
  EXPECT_EQ(plan_of_skinny({1000, 8, 8}, {.group = 3}).products[0].order.group, 3);
  EXPECT_TRUE(is_refused("it does not cut k", gemm_call({1000, 8, 8}), {.family = "skinny", .split_k = 2}));
  EXPECT_THROW(plan_of_skinny({1000, 8, 8}, {.tile = {1, 2, 3}}), std::invalid_argument);
  EXPECT_THROW(plan_of_skinny({1000, 32, 8}, {.tile = {64, 8, 8}}), std::invalid_argument);
}

// Lanes copy every element of a step once, to places of its own in the stage.
template <class Config, StreamBy by>
void expect_whole_step() {
  using Layout = SkinnyLayout<Config, by>;
  std::vector<int> copies(Config::tile_m * Config::tile_k);
  std::set<int> places;
  for (int pass = 0; pass < Layout::passes; ++pass)
    for (int lane = 0; lane < 32; ++lane) {
      const int line = Layout::line(lane) + Layout::line_of(pass), depth = Layout::depth(lane) + Layout::depth_of(pass);
      const int place = Layout::offset(Layout::line(lane), Layout::depth(lane)) +
                        Layout::offset(Layout::line_of(pass), Layout::depth_of(pass));
      EXPECT_EQ(place % (Layout::unit * int(sizeof(typename Config::element))), 0);
      for (int e = 0; e < Layout::unit; ++e) {
        const int at_line = line + (Layout::by_lines ? e : 0), at_depth = depth + (Layout::by_lines ? 0 : e);
        ++copies[at_line * Config::tile_k + at_depth];
        EXPECT_EQ(Layout::offset(at_line, at_depth), place + e * int(sizeof(typename Config::element)));
        places.insert(Layout::offset(at_line, at_depth));
      }
    }
  EXPECT_EQ(copies, std::vector<int>(copies.size(), 1));
  EXPECT_EQ(places.size(), copies.size());
  EXPECT_LE(*places.rbegin() + int(sizeof(typename Config::element)), int(Config::stage_bytes));
}

// Eight lanes that read 16 bytes each at the same time reach all banks, or the same place.
template <class Config, StreamBy by>
void expect_free_banks() {
  using Layout = SkinnyLayout<Config, by>;
  for (int first = 0; first < 32; first += 8) {
    std::set<int> places, banks;
    for (int lane = first; lane < first + 8; ++lane) {
      const int place = Layout::offset(lane / Config::lane_columns * Config::block, 0);
      places.insert(place);
      banks.insert(place / 16 % 8);
    }
    EXPECT_EQ(places.size(), banks.size());
  }
}

template <class... Configs>
void expect_whole_steps(ConfigList<Configs...>) {
  const auto expect = []<class Config, StreamBy by>() {
    expect_whole_step<Config, by>();
    expect_free_banks<Config, by>();
  };
  (expect.template operator()<Configs, StreamBy::depth>(), ...);
  (expect.template operator()<Configs, StreamBy::lines>(), ...);
  (expect.template operator()<Configs, StreamBy::depth_by_elements>(), ...);
  (expect.template operator()<Configs, StreamBy::lines_by_elements>(), ...);
}

TEST(SkinnyLayout, TakesEveryElementOfAStepOnce) {
  expect_whole_steps(SkinnyConfigs<float>());
  expect_whole_steps(SkinnyConfigs<double>());
}

TEST(SkinnyCall, HasLongRows) {
  static double data[1]{};
  ProductCall<double> call{};
  call.left                      = {data, 8, 5, 1, 8};
  call.right                     = {data, 100, 5, 5, 1};
  call.C                         = {data, Element::f64, 100, 1};
  call.bias                      = {data, Element::f64, 0, 1};
  const auto [transposed, shape] = with_long_rows(call, {8, 100, 5});
  EXPECT_EQ(shape, (GemmShape{100, 8, 5}));
  EXPECT_EQ(transposed.left.rows, 100);
  EXPECT_EQ(transposed.C.row_stride, 1);
  EXPECT_EQ(transposed.bias.column_stride, 0);
  EXPECT_EQ(with_long_rows(call, {100, 8, 5}).first.left.rows, 8);
}

}  // namespace
}  // namespace Tegula::Test
