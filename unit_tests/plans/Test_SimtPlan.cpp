// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/simt/Tegula_SimtArguments.hpp"
#include "cuda/simt/Tegula_SimtConfig.hpp"
#include "cuda/simt/Tegula_SimtOperand.hpp"
#include "cuda/simt/Tegula_SimtPasses.hpp"

/// How the simt family plans, for machines given as data, and how its tiles are copied.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Plan plan_of_simt(const GemmShape& shape, PlanOptions options = {}, const CudaMachine& machine = h200) {
  options.family = "simt";
  return plan_of(gemm_call(shape), options, machine);
}

TEST(SimtPlan, TakesTilesOfAboutTheShapeOfTheResult) {
  EXPECT_EQ(plan_of_simt({8192, 8192, 8192}).tile(), (TileShape{64, 128, 16}));
  EXPECT_EQ(plan_of_simt({1000000, 32, 32}).tile(), (TileShape{128, 32, 16}));
}

// One tile reads the large operand once, and enough teams read it at the same time.
TEST(SimtPlan, TakesATileOfFewLinesForFewLines) {
  for (const std::int64_t few : {1, 4, 8}) {
    EXPECT_EQ(plan_of_simt({few, 16384, 16384}).tile(), (TileShape{8, 128, 64})) << few;
    EXPECT_EQ(plan_of_simt({16384, few, 16384}).tile(), (TileShape{128, 8, 64})) << few;
    EXPECT_GT(plan_of_simt({few, 2048, 16384}).products[0].split_k, 1) << few;
  }
}

TEST(SimtPlan, LetsTilesBeginWhereNothingIsMisaligned) {
  SimtOperand<float> chunks, elements;
  chunks.by   = FetchBy::chunks;
  elements.by = FetchBy::lines;
  const GemmShape shape{34, 42, 100}, whole{36, 44, 100};
  VectorResult<float> result{};
  float element      = 0;
  const auto movable = [&](const SimtOperand<float>& left, const SimtOperand<float>& right, const GemmShape& of) {
    const MovableTiles tiles = movable_simt_tiles(left, right, of, result);
    return std::pair(tiles.rows, tiles.columns);
  };
  using Along = std::pair<bool, bool>;
  EXPECT_EQ(movable(elements, elements, shape), Along(true, true));
  EXPECT_EQ(movable(chunks, elements, shape), Along(false, true));
  EXPECT_EQ(movable(elements, chunks, shape), Along(true, false));
  EXPECT_EQ(movable(chunks, chunks, whole), Along(true, true));
  for (VectorMatrix<float>* const stored : {&result.C, &result.Z, &result.bias}) {
    stored->by_vectors   = true;
    result.is_transposed = false;
    EXPECT_EQ(movable(elements, elements, shape), Along(true, false));
    result.is_transposed = true;
    EXPECT_EQ(movable(elements, elements, shape), Along(false, true));
    stored->by_vectors = false;
  }
  // Rows that begin anywhere are stored element by element, and what is added to them is read so.
  for (VectorMatrix<float>* const stored : {&result.C, &result.Z}) {
    result.bias.by_vectors = true;
    EXPECT_EQ(movable(elements, elements, shape), Along(false, true));
    stored->data          = &element;
    stored->column_stride = 1;
    EXPECT_EQ(movable(elements, elements, shape), Along(true, true));
    *stored = {};
  }
  result.beta = 1;
  EXPECT_EQ(movable(elements, elements, whole), Along(false, false));
}

TEST(SimtPlan, TakesNoMoreScratchThanThereIs) {
  for (const std::size_t scratch : {40, 93, 155, 219})
    for (const std::int64_t n : {64, 512, 1024, 8192})
      EXPECT_LE(plan_of_simt({n, n, n}, {}, machine_of(80, 108, scratch * KiB)).scratch_bytes, scratch * KiB) << n;
  EXPECT_FALSE(takes("simt", gemm_call({64, 64, 64}), {}, machine_of(90, 132, 12 * KiB)));
}

TEST(SimtPlan, SplitsALongSumOfFewTiles) {
  EXPECT_GT(plan_of_simt({128, 128, 1 << 20}).products[0].split_k, 4);
  EXPECT_EQ(plan_of_simt({4096, 4096, 65536}).products[0].split_k, 1);
}

TEST(SimtPlan, ObeysOptions) {
  const Plan plan = plan_of_simt({1000, 1000, 1000}, {.tile = {128, 64, 16}, .group = 3, .split_k = 2});
  EXPECT_EQ(plan.tile(), (TileShape{128, 64, 16}));
  EXPECT_EQ(plan.products[0].order.group, 3);
  EXPECT_EQ(plan.products[0].split_k, 2);
  EXPECT_EQ(plan.products[0].workspace_bytes, 2u * 1000 * 1000 * sizeof(float));
  EXPECT_THROW(plan_of_simt({64, 64, 64}, {.tile = {1, 2, 3}}), std::invalid_argument);
}

// The copies of all threads bring every element of a tile once. Where lanes copy along depth, the 32 elements of a warp
// lie in different banks of scratch; chunks do not cross the end of a row.
template <FetchBy by, int lines, int depth, int threads>
void expect_whole_tile() {
  using Passes = SimtPasses<by, float, lines, depth, threads>;
  using Tile   = SimtTile<float, lines, depth>;
  std::vector<int> copies(lines * depth);
  for (int pass = 0; pass < Passes::count; ++pass) {
    for (int warp = 0; warp < threads / 32; ++warp) {
      std::vector<int> of_bank(32);
      for (int thread = 32 * warp; thread < 32 * (warp + 1); ++thread) {
        const int line = Passes::first_line(thread) + Passes::line(pass),
                  step = Passes::first_depth(thread) + Passes::depth(pass);
        ASSERT_LE(line + Passes::elements, lines);
        ASSERT_LT(step, depth);
        for (int e = 0; e < Passes::elements; ++e) ++copies[step * lines + line + e];
        ++of_bank[Tile::offset(line, step) / 4 % 32];
        EXPECT_EQ(Tile::offset(line, step) % (4 * Passes::elements), 0);
        EXPECT_EQ(Tile::offset(line, step), Tile::offset(Passes::first_line(thread), Passes::first_depth(thread)) +
                                                Tile::offset(Passes::line(pass), Passes::depth(pass)));
      }
      if (by == FetchBy::depth) {
        EXPECT_EQ(of_bank, std::vector<int>(32, 1));
      }
    }
  }
  EXPECT_EQ(copies, std::vector<int>(lines * depth, 1));
}

template <class... Configs>
void expect_whole_tiles(ConfigList<Configs...>) {
  const auto expect = []<class Config, FetchBy by>() {
    expect_whole_tile<by, Config::tile_m, Config::tile_k, Config::threads>();
    expect_whole_tile<by, Config::tile_n, Config::tile_k, Config::threads>();
  };
  (expect.template operator()<Configs, FetchBy::chunks>(), ...);
  (expect.template operator()<Configs, FetchBy::depth>(), ...);
  (expect.template operator()<Configs, FetchBy::lines>(), ...);
}

TEST(SimtPasses, BringEveryElementOfATileOnce) { expect_whole_tiles(SimtConfigs()); }

// How an operand is copied follows from how it lies.
TEST(SimtOperand, IsCopiedInChunksOnlyIfItsLinesLieInThem) {
  alignas(16) static const float data[8]{};
  const auto by = [](std::int64_t row_stride, std::int64_t column_stride, int offset = 0) {
    return simt_operand(MatrixRef<const float>{data + offset, 100, 50, row_stride, column_stride}).by;
  };
  EXPECT_EQ(by(1, 100), FetchBy::chunks);
  EXPECT_EQ(by(1, 102), FetchBy::lines);
  EXPECT_EQ(by(1, 100, 1), FetchBy::lines);
  EXPECT_EQ(by(50, 1), FetchBy::depth);
  EXPECT_EQ(by(51, 1, 3), FetchBy::depth);
  EXPECT_EQ(by(2, 200), FetchBy::lines);
  EXPECT_EQ(by(0, 1), FetchBy::depth);
}

TEST(SimtOperand, HasStridesOf32Bits) {
  const auto is_short = [](std::int64_t stride_of_A, std::int64_t stride_of_dC, bool is_backward) {
    Call call;
    call.is_backward     = is_backward;
    call.A.column_stride = stride_of_A;
    call.dC.row_stride   = stride_of_dC;
    return has_short_strides(call);
  };
  constexpr std::int64_t most = (std::int64_t(1) << 31) - 1;
  EXPECT_TRUE(is_short(most, most + 1, false));
  EXPECT_TRUE(is_short(most, most, true));
  EXPECT_FALSE(is_short(most + 1, 1, false));
  EXPECT_FALSE(is_short(1, most + 1, true));
  const Call far = gemm_call({64, 64, 64}, Element::f32, {.padding = most});
  EXPECT_TRUE(is_refused("a stride is too large to be counted in 32 bits", far, {.family = "simt"}));
}

}  // namespace
}  // namespace Tegula::Test
