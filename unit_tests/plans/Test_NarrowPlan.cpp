// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/narrow/Tegula_NarrowArguments.hpp"
#include "cuda/narrow/Tegula_NarrowTiles.hpp"

/// How the narrow family plans, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Plan plan_of_narrow(const Call& call, PlanOptions options = {}, const CudaMachine& machine = h200) {
  options.family = "narrow";
  return plan_of(call, options, machine);
}

// In 16 bits aligned ones of more depth take about as long by wgmma; where it must copy, or memory is all that counts,
// it was measured to be slower.
TEST(NarrowPlan, IsForLongMatricesTimesFewColumns) {
  for (const char* card : {"H100", "H200"}) {
    CudaMachine machine  = h200;
    machine.rates        = cuda_rates_of_card(card);
    const auto family_of = [&](const GemmShape& shape, Element element) {
      return std::string(plan_of(gemm_call(shape, element), {}, machine).family);
    };
    for (const Element element : {Element::bf16, Element::f16})
      for (const GemmShape& shape :
           {GemmShape{11392, 8, 808}, GemmShape{14456, 8, 208}, GemmShape{11391, 7, 809}, GemmShape{7521, 7, 2911}})
        EXPECT_EQ(family_of(shape, element), "narrow")
            << shape.m << ' ' << shape.n << ' ' << shape.k << " on an " << card;
    EXPECT_EQ(family_of({8, 7512, 624}, Element::f64), "narrow");
    for (const Element element : {Element::bf16, Element::f16, Element::f64})
      EXPECT_NE(family_of({4096, 4096, 4096}, element), "narrow");
  }
}

// Measured on an H200: 14.2 us by wgmma, whose teams begin with different steps of B, 16.0 by narrow.
TEST(NarrowPlan, LeavesDeepAlignedProductsToWgmma) {
  CudaMachine machine = h200;
  machine.rates       = cuda_rates_of_card("H200");
  for (const Element element : {Element::bf16, Element::f16})
    EXPECT_STREQ(plan_of(gemm_call({7520, 8, 2912}, element), {}, machine).family, "wgmma");
}

// The logits of a network whose last layer has 1024 inputs: rows of 10 lie 16 apart, so that a step of B is less than a
// sector, and all teams ask the same few slices of the cache. Measured on an H200: a training step takes 117.7 us by
// narrow, 121.2 by wgmma in two parts, 126.0 in one.
TEST(NarrowPlan, TakesProductsOfRowsThatAreLessThanASector) {
  CudaMachine machine = h200;
  machine.rates       = cuda_rates_of_card("H200");
  Call logits         = gemm_call({4096, 10, 1024}, Element::bf16);
  logits.B.row_stride = logits.C.row_stride = 16;
  logits.C.element                          = Element::f32;
  logits.bias                               = matrix_of(Element::f32, 1, 10);
  EXPECT_STREQ(plan_of(logits, {}, machine).family, "narrow");
}

// A lane reads 16 bytes at a time, along the depth or across lines, and shifts together what is not aligned.
TEST(NarrowPlan, ReadsRunsAlongEitherDirection) {
  using Matrix         = MatrixRef<const std::uint16_t>;
  const auto* const at = reinterpret_cast<const std::uint16_t*>(std::uintptr_t(4096));
  const auto form_of   = [](const Matrix& matrix) { return narrow_form(matrix); };
  EXPECT_EQ(form_of(Matrix{at, 640, 64, 64, 1}), NarrowForm::depth);
  EXPECT_EQ(form_of(Matrix{at, 640, 63, 64, 1}), NarrowForm::depth);
  EXPECT_EQ(form_of(Matrix{at, 640, 63, 63, 1}), NarrowForm::unaligned_depth);
  EXPECT_EQ(form_of(Matrix{at + 1, 640, 64, 64, 1}), NarrowForm::unaligned_depth);
  EXPECT_EQ(form_of(Matrix{at, 640, 64, 1, 640}), NarrowForm::lines);
  EXPECT_EQ(form_of(Matrix{at, 637, 64, 1, 640}), NarrowForm::unaligned_lines) << "the last run is not whole";
  EXPECT_EQ(form_of(Matrix{at, 640, 64, 1, 641}), NarrowForm::unaligned_lines);
  EXPECT_FALSE(has_runs(Matrix{at, 640, 64, 128, 2}));
}

// A word has two of them.
TEST(NarrowPlan, ReadsRunsOfDoublesLikewise) {
  using Matrix         = MatrixRef<const double>;
  const auto* const at = reinterpret_cast<const double*>(std::uintptr_t(4096));
  EXPECT_EQ(narrow_form(Matrix{at, 640, 63, 62, 1}), NarrowForm::depth);
  EXPECT_EQ(narrow_form(Matrix{at, 640, 63, 63, 1}), NarrowForm::unaligned_depth);
  EXPECT_EQ(narrow_form(Matrix{at, 638, 64, 1, 640}), NarrowForm::lines);
  EXPECT_EQ(narrow_form(Matrix{at, 637, 64, 1, 640}), NarrowForm::unaligned_lines);
  EXPECT_EQ(narrow_short_read(Matrix{at, 8, 64, 64, 1}), NarrowShortRead::runs);
  EXPECT_EQ(narrow_short_read(Matrix{at, 8, 64, 1, 8}), NarrowShortRead::elements);
}

TEST(NarrowPlan, ReadsPairsOfLinesOfAShortOperandThatLiesAcross) {
  using Matrix         = MatrixRef<const std::uint16_t>;
  const auto* const at = reinterpret_cast<const std::uint16_t*>(std::uintptr_t(4096));
  EXPECT_EQ(narrow_short_read(Matrix{at, 8, 64, 64, 1}), NarrowShortRead::runs);
  EXPECT_EQ(narrow_short_read(Matrix{at, 8, 64, 65, 1}), NarrowShortRead::elements);
  EXPECT_EQ(narrow_short_read(Matrix{at, 8, 64, 1, 8}), NarrowShortRead::pairs_of_lines);
  EXPECT_EQ(narrow_short_read(Matrix{at, 6, 64, 1, 10}), NarrowShortRead::pairs_of_lines);
  EXPECT_EQ(narrow_short_read(Matrix{at, 7, 64, 1, 8}), NarrowShortRead::elements) << "the last pair is not whole";
  EXPECT_EQ(narrow_short_read(Matrix{at, 8, 64, 1, 9}), NarrowShortRead::elements);
  EXPECT_EQ(narrow_short_read(Matrix{at + 1, 8, 64, 1, 8}), NarrowShortRead::elements);
}

TEST(NarrowPlan, LaysTilesAlongTheLongSide) {
  for (const GemmShape& shape : {GemmShape{3000, 5, 400}, GemmShape{5, 3000, 400}}) {
    const TileShape tile = plan_of_narrow(gemm_call(shape, Element::bf16)).tile();
    EXPECT_EQ(tile.m >= tile.n, shape.m >= shape.n) << text(tile);
  }
}

// Deep and short ones are shared by more warps than long and shallow ones.
TEST(NarrowPlan, SharesLongSumsAmongWarpsAndTeams) {
  const Plan deep = plan_of_narrow(gemm_call({64, 8, 16384}, Element::bf16));
  EXPECT_EQ(deep.tile().k, 8 * narrow_step<std::uint16_t>);
  EXPECT_EQ(deep.products[0].sharing_teams, 8);
  EXPECT_EQ(deep.workspace_bytes(), 0u);
  const Plan shallow = plan_of_narrow(gemm_call({1000000, 8, 64}, Element::bf16));
  EXPECT_EQ(shallow.tile().k, narrow_step<std::uint16_t>);
  EXPECT_EQ(shallow.products[0].sharing_teams, 1);
}

TEST(NarrowPlan, TakesATileOf16ColumnsForMoreThan8) {
  for (const Element element : {Element::bf16, Element::f64})
    for (const int columns : {8, 16})
      EXPECT_EQ(plan_of_narrow(gemm_call({20000, columns, 1000}, element)).tile().n, columns);
}

TEST(NarrowPlan, ObeysOptions) {
  const Call call = gemm_call({640, 12, 5000}, Element::bf16);
  for (const int teams : {1, 2, 4, 8})
    EXPECT_EQ(plan_of_narrow(call, {.split_k = teams}).products[0].sharing_teams, teams);
  for (const NarrowTile& tile : narrow_tiles<std::uint16_t>)
    EXPECT_EQ(plan_of_narrow(call, {.tile = tile.choice.tile}).tile(), tile.choice.tile);
  EXPECT_THROW(plan_of_narrow(call, {.tile = {1, 2, 3}}), std::invalid_argument);
}

TEST(NarrowPlan, RefusesWhatItDoesNotTake) {
  EXPECT_TRUE(takes("narrow", gemm_call({64, 32, 64}, Element::bf16)));
  EXPECT_TRUE(
      is_refused("both m and n are larger than 32", gemm_call({64, 33, 64}, Element::bf16), {.family = "narrow"}));
  EXPECT_TRUE(is_refused("k is 0", gemm_call({64, 8, 0}, Element::bf16), {.family = "narrow"}));
  EXPECT_TRUE(
      is_refused("1, 2, 4 or 8 teams", gemm_call({64, 8, 5000}, Element::bf16), {.family = "narrow", .split_k = 3}));
  EXPECT_FALSE(takes("narrow", gemm_call({64, 8, 64}, Element::f32)));
  Call strided            = gemm_call({64, 8, 64}, Element::bf16);
  strided.A.column_stride = 2;
  strided.A.row_stride    = 128;
  EXPECT_TRUE(is_refused("no contiguous direction", strided, {.family = "narrow"}));
}

}  // namespace
}  // namespace Tegula::Test
