// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "Tegula_TestRandom.hpp"
#include "cuda/Tegula_CudaTiles.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// The tile scheduler of the families for tensor cores.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

TEST(CudaTiles, DivisorDividesEveryNumber) {
  Random random    = make_random();
  const auto check = [](std::uint32_t n, std::uint32_t d) {
    ASSERT_EQ(Divisor(d).quotient(n), n / d) << n << '/' << d;
  };
  for (std::uint32_t d = 1; d < 300; ++d)
    for (std::uint32_t n = 0; n < 1000; ++n) check(n, d);
  for (int trial = 0; trial < 100000; ++trial) {
    const auto n = static_cast<std::uint32_t>(random() % (1u << 31)),
               d = static_cast<std::uint32_t>(1 + random() % (1u << 31));
    check(n, d);
    check(n, d >> (random() % 31) | 1);
    check((1u << 31) - 1, d);
  }
}

TEST(CudaTiles, AreThoseOfTheGroupedOrder) {
  const TileShape tile{128, 64, 64};
  for (std::int64_t rows = 1; rows < 9; ++rows) {
    for (std::int64_t columns = 1; columns < 6; ++columns) {
      for (std::int64_t group = 1; group <= rows; ++group) {
        const TileOrder order{rows, columns, group};
        const CudaTiles tiles(tile, order, 10, 4);
        ASSERT_EQ(tiles.works(), static_cast<std::uint32_t>(3 * order.tiles()));
        for (std::uint32_t rank = 0; rank < tiles.works(); ++rank) {
          const CudaWork work     = tiles(rank);
          const auto at           = order(rank % order.tiles());
          const std::int64_t part = rank / order.tiles();
          ASSERT_EQ(work.row, at.row * tile.m);
          ASSERT_EQ(work.column, at.column * tile.n);
          ASSERT_EQ(work.split, part);
          ASSERT_EQ(work.step_begin, 4 * part);
          ASSERT_EQ(work.step_end, std::min<std::int64_t>(10, 4 * part + 4));
        }
        for (std::uint32_t rank = 0; rank < order.tiles(); ++rank) {
          const CudaWork work = tiles.uncut(rank);
          ASSERT_EQ(work.row, tiles(rank).row);
          ASSERT_EQ(work.column, tiles(rank).column);
          ASSERT_EQ(work.split, CudaWork::whole);
          ASSERT_EQ(work.step_begin, 0);
          ASSERT_EQ(work.step_end, 10);
        }
      }
    }
  }
}

// So that they are whole: every row and column is some tile's, and none lies outside unless there is one tile only.
TEST(CudaTiles, EndWhereTheProductDoes) {
  const TileShape tile{16, 8, 4};
  for (std::int64_t m = 1; m < 70; ++m) {
    for (std::int64_t n = 1; n < 40; n += 3) {
      const TileOrder order{ceil_div(m, tile.m), ceil_div(n, tile.n), 2};
      CudaTiles tiles(tile, order, 1, 1);
      tiles.end_with_rows(m);
      tiles.end_with_columns(n);
      std::vector<int> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
      for (std::uint32_t rank = 0; rank < tiles.works(); ++rank) {
        const CudaWork work = tiles(rank);
        ASSERT_TRUE(work.row == 0 || work.row + tile.m <= m) << m;
        ASSERT_TRUE(work.column == 0 || work.column + tile.n <= n) << n;
        for (std::int64_t i = work.row; i < std::min<std::int64_t>(m, work.row + tile.m); ++i) ++rows[i];
        for (std::int64_t j = work.column; j < std::min<std::int64_t>(n, work.column + tile.n); ++j) ++columns[j];
      }
      ASSERT_EQ(std::count(rows.begin(), rows.end(), 0), 0) << m;
      ASSERT_EQ(std::count(columns.begin(), columns.end(), 0), 0) << n;
    }
  }
}

// Where few are fetched for each one that is stored, tiles at an edge store nothing twice.
TEST(CudaTiles, EndWithTheProductOnlyWhereThatPays) {
  const auto last_column = [](std::int64_t k, std::int64_t k_split) {
    ProductPlan product;
    product.shape   = {64, 33, k};
    product.tile    = {32, 32, 8};
    product.k_split = k_split;
    product.order   = {2, 2, 1};
    return tiles_of(product, {true, true})(1).column;
  };
  EXPECT_EQ(last_column(48, 48), 1);
  EXPECT_EQ(last_column(40, 40), 32);
  EXPECT_EQ(last_column(33, 40), 32);
  EXPECT_EQ(last_column(4000, 40), 32);
  EXPECT_EQ(last_column(4000, 48), 1);
}

// Whatever the size of a group, as long as 32 bits hold it.
TEST(CudaTiles, AGroupMayHaveMoreRowsThanThereAre) {
  const TileShape tile{128, 64, 64};
  const CudaTiles expected(tile, {7, 4, 7}, 1, 1);
  for (const std::int64_t group : {8, 1 << 30, (1 << 30) + 1, std::numeric_limits<int>::max()}) {
    const CudaTiles tiles(tile, {7, 4, group}, 1, 1);
    for (std::uint32_t rank = 0; rank < tiles.works(); ++rank) {
      EXPECT_EQ(tiles(rank).row, expected(rank).row) << "group " << group;
      EXPECT_EQ(tiles(rank).column, expected(rank).column) << "group " << group;
    }
  }
}

// Every step of every tile is some work's, whole tiles come first, and none of them has parts.
TEST(CudaTiles, AreWholeOnesAndThePartsOfTheRest) {
  Random random   = make_random();
  const auto draw = [&](std::int64_t most) { return static_cast<std::int64_t>(1 + random() % most); };
  for (int trial = 0; trial < 2000; ++trial) {
    ProductPlan product;
    product.shape   = {draw(600), draw(300), draw(100)};
    product.tile    = {64, 32, 8};
    product.order   = tile_order(product.shape, product.tile, draw(5));
    product.k_split = 8 * draw(6);
    product.split_k = ceil_div(product.shape.k, product.k_split);
    if (product.split_k > 1) leave_whole(product, static_cast<int>(draw(3)), draw(40));
    const CudaTiles tiles    = tiles_of(product);
    const std::int64_t steps = ceil_div(product.shape.k, product.tile.k);
    std::vector<int> seen(static_cast<std::size_t>(product.order.tiles() * steps));
    bool has_parts = false;
    ASSERT_EQ(static_cast<std::int64_t>(tiles.works()), product.teams());
    for (std::uint32_t rank = 0; rank < tiles.works(); ++rank) {
      const CudaWork work = tiles(rank);
      const bool is_whole = work.row < product.whole_rows || work.column < product.whole_columns;
      ASSERT_EQ(work.split == CudaWork::whole, is_whole);
      ASSERT_FALSE(is_whole && has_parts);
      has_parts = !is_whole;
      ASSERT_EQ(work.step_begin, is_whole ? 0 : work.split * product.k_split / product.tile.k);
      const std::int64_t tile = work.row / product.tile.m * product.order.columns + work.column / product.tile.n;
      for (std::int64_t step = work.step_begin; step < work.step_end; ++step)
        ++seen[static_cast<std::size_t>(tile * steps + step)];
    }
    ASSERT_EQ(std::count(seen.begin(), seen.end(), 1), product.order.tiles() * steps) << text(product.tile);
  }
}

// Whichever of rows and columns leaves less to be cut, and never everything.
TEST(CudaTiles, WavesEndWithARowOrAColumn) {
  const TileShape tile{128, 256, 64};
  EXPECT_EQ(whole_part({2056, 2056, 9}, tile, 132), (GemmShape{14 * 128, 0, 9})) << "17 x 9 tiles";
  EXPECT_EQ(whole_part({384, 70 * 256, 9}, tile, 132), (GemmShape{0, 44 * 256, 9}));
  EXPECT_EQ(whole_part({128, 200 * 256, 9}, tile, 132), (GemmShape{0, 132 * 256, 9}));
  EXPECT_EQ(whole_part({200 * 128, 70 * 256, 9}, tile, 60), (GemmShape{0, 0, 9})) << "no row is as short";
  EXPECT_EQ(whole_part({2048, 2048, 9}, tile, 128), GemmShape{}) << "nothing is left";
  EXPECT_EQ(whole_part({2048, 2048, 9}, tile, 127), (GemmShape{15 * 128, 0, 9}));
}

TEST(CudaTiles, AnEmptySumIsOneWorkWithoutSteps) {
  const CudaTiles tiles({64, 64, 64}, {2, 3, 1}, 0, 1);
  ASSERT_EQ(tiles.works(), 6u);
  EXPECT_EQ(tiles(5).step_begin, 0);
  EXPECT_EQ(tiles(5).step_end, 0);
}

}  // namespace
}  // namespace Tegula::Test
