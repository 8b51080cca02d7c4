// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/narrow/Tegula_NarrowGradients.hpp"

/// How the narrow family plans all gradients at once, for machines given as data, and what its lanes have of a step.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

/// All gradients, of dense matrices by rows.
Call call_of(const GemmShape& shape, Element element = Element::bf16) {
  Call call  = relu_backward_call(shape, element);
  call.dbias = row_of(element, shape.n);
  return call;
}

Plan plan_of_gradients(const Call& call, PlanOptions options = {}) {
  options.family = "narrow";
  for (const NarrowGradientsTile& tile : narrow_gradients_tiles)
    if (options.tile == TileShape{} && std::min(call.dC.rows, call.dC.columns) <= tile.choice.tile.n)
      options.tile = tile.choice.tile;  // which no product of the family has
  return plan_of(call, options);
}

TEST(NarrowGradientsPlan, IsForFewRowsOrColumns) {
  for (const char* card : {"H100", "H200"}) {
    CudaMachine machine = h200;
    machine.rates       = cuda_rates_of_card(card);
    for (const GemmShape& shape : {GemmShape{1544, 8, 6320}, GemmShape{648, 8, 3504}, GemmShape{2072, 8, 616},
                                   GemmShape{8, 3536, 1008}, GemmShape{7156, 12, 204}}) {
      const Plan plan = plan_of(call_of(shape), {}, machine);
      EXPECT_STREQ(plan.family, "narrow") << shape.m << ' ' << shape.n << ' ' << shape.k << " on an " << card;
      EXPECT_TRUE(plan.is_one_kernel);
    }
    EXPECT_STRNE(plan_of(call_of({4096, 4096, 4096}), {}, machine).family, "narrow");
  }
}

// Measured on an H200: 2.6 us by direct, 4.3 by narrow; 1.9, 3.9; 2.4, 4.1; and 21.5 us by wgmma, 15.2 by narrow.
TEST(NarrowGradientsPlan, IsTakenWhereItIsFaster) {
  CudaMachine machine       = h200;
  machine.rates             = cuda_rates_of_card("H200");
  const auto family_without = [&](const GemmShape& shape) {
    Call call               = call_of(shape);
    call.has_constant_slope = true;
    call.activation         = {BuiltInActivations::position<Identity>()};
    call.saved              = no_matrix(Element::bf16);
    return std::string(plan_of(call, {}, machine).family);
  };
  for (const GemmShape& small : {GemmShape{128, 10, 256}, GemmShape{64, 10, 128}, GemmShape{32, 16, 256}})
    EXPECT_EQ(family_without(small), "direct") << small.m << ' ' << small.n << ' ' << small.k;
  EXPECT_EQ(family_without({4096, 32, 1024}), "narrow");
}

// Lines that are no whole words take it longer. Measured on an H200: 42 us by narrow, 27 by others; 69, 44; 61, 39; but
// of nine rows 12, 19.
TEST(NarrowGradientsPlan, IsNotTakenForFewRowsWithoutWords) {
  CudaMachine machine = h200;
  machine.rates       = cuda_rates_of_card("H200");
  for (const GemmShape& shape : {GemmShape{2, 604, 14763}, GemmShape{2, 2631, 6429}, GemmShape{3, 10254, 1522}})
    EXPECT_FALSE(plan_of(call_of(shape), {}, machine).is_one_kernel) << shape.m << ' ' << shape.n << ' ' << shape.k;
  EXPECT_STREQ(plan_of(call_of({9, 12774, 103}), {}, machine).family, "narrow");
}

TEST(NarrowGradientsPlan, RefusesWhatItDoesNotTake) {
  const auto takes_tile = [](const Call& call) { return takes("narrow", call, {.tile = {128, 32, 64}}, h200); };
  EXPECT_TRUE(takes_tile(call_of({100, 32, 100})));
  EXPECT_TRUE(takes_tile(call_of({32, 100, 100})));
  EXPECT_FALSE(takes_tile(call_of({100, 33, 100})));
  EXPECT_FALSE(takes_tile(call_of({100, 32, 100}, Element::f32)));
  Call call            = call_of({100, 32, 100});
  call.A               = matrix_of(Element::bf16, 100, 100);
  call.A.column_stride = 2;
  call.A.row_stride    = 200;
  EXPECT_FALSE(takes_tile(call)) << "neighbours are none in memory";
  call       = call_of({100, 32, 100});
  call.alpha = 0;
  EXPECT_FALSE(takes_tile(call));
  call    = call_of({100, 32, 100});
  call.dA = call.dB = no_matrix(Element::bf16);
  const Plan plan   = plan_of(call, {.family = "narrow"});
  EXPECT_EQ(plan.products[0].teams() + plan.products[1].teams(), 0) << "dbias alone is for the pass";
}

// The kernel finds in a plan what was cut: teams side by side, and below each other, each with a slice of its own of
// what is summed.
TEST(NarrowGradientsPlan, CutsAsKernelsDo) {
  for (const GemmShape& shape : {GemmShape{1, 1, 1}, GemmShape{5000, 7, 300}, GemmShape{7, 5000, 300},
                                 GemmShape{128, 32, 64}, GemmShape{129, 24, 65}, GemmShape{16, 20000, 9}})
    for (const int split_k : {0, 1, 3, 1000}) {
      const Call call                = call_of(shape);
      const Plan plan                = plan_of_gradients(call, {.split_k = split_k});
      const NarrowGradientsPlan seen = narrow_gradients_plan(call, plan);
      const bool has_few_rows        = shape.m < shape.n;
      const ProductPlan &summed = plan.products[has_few_rows ? 0 : 1], &product = plan.products[has_few_rows ? 1 : 0];
      EXPECT_EQ(seen.summed, has_few_rows ? 0u : 1u);
      EXPECT_GE(seen.columns, std::min(shape.m, shape.n));
      EXPECT_EQ(seen.cut.teams(), summed.holding_teams);
      EXPECT_EQ(seen.cut.parts, summed.split_k);
      EXPECT_EQ(seen.cut.part_rows, summed.k_split);
      EXPECT_EQ(seen.cut.panels, ceil_div(shape.k, std::int64_t(64)));
      EXPECT_EQ(product.split_k, 1);
      if (split_k > 0) {
        EXPECT_LE(summed.split_k, split_k);
      }
      const std::int64_t few = std::min(shape.m, shape.n), sums = has_few_rows ? few * shape.k : few * (shape.k + 1);
      const std::size_t bytes = summed.split_k == 1 ? 0 : static_cast<std::size_t>(summed.split_k * sums) * 4;
      EXPECT_GE(plan.workspace_bytes(), bytes);
      EXPECT_LT(plan.workspace_bytes(), bytes + 128);
    }
}

TEST(NarrowGradientsPlan, LeavesOutWhatIsNotWanted) {
  for (const GemmShape& shape : {GemmShape{5000, 7, 300}, GemmShape{7, 5000, 300}}) {
    Call without_dB = call_of(shape), without_dA = without_dB;
    without_dB.dB = without_dB.dbias = no_matrix(Element::bf16);
    without_dA.dA                    = no_matrix(Element::bf16);
    for (const Call& call : {without_dA, without_dB}) {
      const Plan plan = plan_of_gradients(call);
      EXPECT_EQ(plan.products[call.dA.data == nullptr ? 0 : 1].teams(), 0);
      EXPECT_GT(plan.seconds(), 0);
      const NarrowGradientsPlan seen = narrow_gradients_plan(call, plan);
      EXPECT_EQ(seen.columns, 8);
      EXPECT_EQ(seen.cut.teams(), plan.products[call.dA.data == nullptr ? 1 : 0].holding_teams);
    }
  }
}

// A wrong word would be read twice, and another one never.
template <bool by_rows>
void expect_words_of_a_step() {
  using Place = NarrowGradientsPlace<by_rows>;
  std::vector<int> seen(NarrowGradientsTeam::warp_rows * NarrowGradientsTeam::depth);
  for (int lane = 0; lane < 32; ++lane)
    for (int word = 0; word < Place::words; ++word)
      for (int e = 0; e < Place::run; ++e)
        ++seen[(Place::word_row(word, lane) + (by_rows ? e : 0)) * NarrowGradientsTeam::depth +
               Place::word_at(word, lane) + (by_rows ? 0 : e)];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

// Tiles have every row, and blocks every place, once.
template <bool by_rows>
void expect_lines_of_a_step() {
  using Place = NarrowGradientsPlace<by_rows>;
  std::vector<int> rows(NarrowGradientsTeam::warp_rows), places(NarrowGradientsTeam::depth);
  for (int line = 0; line < 8; ++line) {
    for (int tile = 0; tile < Place::tiles; ++tile) ++rows[Place::row(tile, line)];
    for (int block = 0; block < Place::blocks; ++block)
      for (int half = 0; half < 2; ++half) ++places[Place::at(block, half, line)];
  }
  EXPECT_EQ(rows, std::vector<int>(rows.size(), 1));
  EXPECT_EQ(places, std::vector<int>(places.size(), 1));
}

// Kernels go from word to word, and find a place of the depth among the lines that tensor cores take.
template <bool by_rows>
void expect_steps_from_word_to_word() {
  using Place = NarrowGradientsPlace<by_rows>;
  for (int lane = 0; lane < 32; ++lane)
    for (int word = 0; word < Place::words; ++word) {
      const int rows   = Place::word_row(word, lane) - Place::word_row(0, lane),
                places = Place::word_at(word, lane) - Place::word_at(0, lane);
      EXPECT_EQ(by_rows ? places : rows, Place::word_line(word));
      EXPECT_EQ(by_rows ? rows : places, 0);
    }
  for (int block = 0; block < Place::blocks; ++block)
    for (int half = 0; half < 2; ++half)
      for (int line = 0; line < 8; ++line)
        EXPECT_EQ(Place::slot_at(Place::at(block, half, line)), block * 16 + half * 8 + line);
}

TEST(NarrowGradientsPlace, HasWordsAtTheSameDistances) {
  expect_steps_from_word_to_word<true>();
  expect_steps_from_word_to_word<false>();
}

TEST(NarrowGradientsPlace, HasEveryElementOfAStepOnce) {
  expect_words_of_a_step<true>();
  expect_words_of_a_step<false>();
  expect_lines_of_a_step<true>();
  expect_lines_of_a_step<false>();
}

/// What lanes read of the other operand: lines of its own panel, of the columns that they want.
template <class Config>
void expect_lines_of_the_panel() {
  constexpr int panel = Config::depth * Config::row_bytes, line_bytes = 16, group_bytes = Config::group * 2;
  for (int block = 0; block < Config::depth / 16; ++block)
    for (int group = 0; group < Config::groups; group += 2)
      for (int lane = 0; lane < 32; ++lane) {
        const int at = Config::line_of_other(block, group, lane), place = at / Config::row_bytes;
        EXPECT_LE(at + line_bytes, panel) << Config::columns << " columns, lane " << lane;
        EXPECT_EQ(place, block * 16 + lane % 16);
        const bool is_of_next = lane >= 16 && Config::has_next(group);
        EXPECT_EQ(at % Config::row_bytes, (group + (is_of_next ? 1 : 0)) * group_bytes);
        EXPECT_LE(at % Config::row_bytes + line_bytes, Config::columns * 2) << "within the columns";
      }
}

template <class... Configs>
void expect_lines_of_the_panels(ConfigList<Configs...>) {
  (expect_lines_of_the_panel<Configs>(), ...);
}

TEST(NarrowGradientsPlace, LanesReadNothingBehindThePanelOfTheOtherOperand) {
  expect_lines_of_the_panels(NarrowGradientsConfigs());
}

}  // namespace
}  // namespace Tegula::Test
