// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_TileOrder.hpp>
#include <vector>

#include "Tegula_TestRandom.hpp"

namespace Tegula::Test {
namespace {

// All of it is usable at compile time.
static_assert(ceil_div(15, 5) == 3 && ceil_div(16, 5) == 4 && ceil_div(0, 5) == 0);
static_assert(quotient(7, 2) == 3 && quotient(std::int64_t(1) << 40, 3) == 366503875925);
static_assert(quotient((std::int64_t(1) << 32) - 1, 2) == 2147483647 &&
              quotient(std::int64_t(1) << 32, 2) == 2147483648);
static_assert(quotient(5, std::int64_t(1) << 32) == 0);
static_assert(TileOrder{3, 4, 2}(0) == TileCoordinate{0, 0});
static_assert(TileOrder{3, 4, 2}(1) == TileCoordinate{1, 0});
static_assert(TileOrder{3, 4, 2}(7) == TileCoordinate{1, 3});
static_assert(TileOrder{3, 4, 2}(8) == TileCoordinate{2, 0});  // the last group has one row
static_assert(TileOrder{3, 4, 2}(11) == TileCoordinate{2, 3});

// 15x9x12 in tiles of 5x3x6.
constexpr GemmShape example{15, 9, 12};
constexpr TileShape example_tile{5, 3, 6};
constexpr Traffic example_traffic = tile_traffic(example, tile_order(example, example_tile, 1));
static_assert(example_traffic.loaded() == 864 && example_traffic.stored == 135);

// 9x9 blocks, of which 9 tiles run at once.
static_assert(wave_blocks({9, 9, 1}, 9, 9) == 90);
static_assert(wave_blocks({9, 9, 3}, 9, 9) == 54);

TEST(TileOrder, OfGroupOneIsRowMajor) {
  const TileOrder order{7, 5, 1};
  for (std::int64_t rank = 0; rank < order.tiles(); ++rank) {
    EXPECT_EQ(order(rank), (TileCoordinate{rank / 5, rank % 5}));
  }
}

TEST(TileOrder, OfOneGroupIsColumnMajor) {
  const TileOrder order{7, 5, 7};
  for (std::int64_t rank = 0; rank < order.tiles(); ++rank) {
    EXPECT_EQ(order(rank), (TileCoordinate{rank % 7, rank / 7}));
  }
}

TEST(TileOrder, RunsGroupAfterGroup) {
  const TileOrder order{11, 6, 4};  // groups of 4, 4 and 3 rows
  for (std::int64_t rank = 0; rank < order.tiles(); ++rank) EXPECT_EQ(order(rank).row / 4, rank / 24) << rank;
}

void expect_bijection(const TileOrder& order) {
  std::vector<int> visits(static_cast<std::size_t>(order.tiles()), 0);
  for (std::int64_t rank = 0; rank < order.tiles(); ++rank) {
    const TileCoordinate at = order(rank);
    ASSERT_TRUE(at.row >= 0 && at.row < order.rows && at.column >= 0 && at.column < order.columns)
        << order.rows << 'x' << order.columns << " group " << order.group << " rank " << rank;
    ++visits[static_cast<std::size_t>(at.row * order.columns + at.column)];
  }
  for (const int count : visits) ASSERT_EQ(count, 1) << order.rows << 'x' << order.columns << " group " << order.group;
}

TEST(TileOrder, IsABijectionForEverySmallGridAndGroup) {
  for (std::int64_t rows = 1; rows <= 14; ++rows) {
    for (std::int64_t columns = 1; columns <= 14; ++columns) {
      for (std::int64_t group = 1; group <= 16; ++group) expect_bijection({rows, columns, group});
    }
  }
}

TEST(TileOrder, IsABijectionForRandomLargeGrids) {
  Random random = make_random();
  for (int trial = 0; trial < 200; ++trial) {
    const auto extent = [&] { return static_cast<std::int64_t>(1 + random() % 90); };
    expect_bijection({extent(), extent(), extent()});
  }
}

TEST(TileOrder, HoldsMoreTilesThan32Bits) {
  const TileOrder order{1 << 20, 1 << 20, 8};
  EXPECT_EQ(order.tiles(), std::int64_t(1) << 40);
  EXPECT_EQ(order(order.tiles() - 1), (TileCoordinate{(1 << 20) - 1, (1 << 20) - 1}));
}

TEST(Traffic, CountsRaggedTilesByTheirElements) {
  const GemmShape shape{16, 10, 13};  // 4 x 4 tiles
  const Traffic traffic = tile_traffic(shape, tile_order(shape, example_tile, 1));
  EXPECT_EQ(traffic.left, 16 * 13 * 4);
  EXPECT_EQ(traffic.right, 13 * 10 * 4);
  EXPECT_EQ(traffic.stored, 160);
}

TEST(Traffic, DoesNotDependOnTheOrder) {
  const GemmShape shape{100, 70, 30};
  const TileShape tile{8, 16, 4};
  EXPECT_EQ(tile_traffic(shape, tile_order(shape, tile, 1)).loaded(),
            tile_traffic(shape, tile_order(shape, tile, 5)).loaded());
}

TEST(Wave, OfAllTilesTouchesEveryBlock) { EXPECT_EQ(wave_blocks({9, 7, 4}, 5, 1000), (9 + 7) * 5); }

TEST(Wave, IsNeverWorseInTheBestGroup) {
  for (std::int64_t wave = 1; wave <= 100; wave += 3) {
    const TileShape square{64, 64, 32};
    const std::int64_t group = best_group(40, square, wave);
    EXPECT_LE(wave_blocks({40, 40, group}, 9, wave), wave_blocks({40, 40, 1}, 9, wave)) << "wave " << wave;
  }
  EXPECT_EQ(best_group(9, {5, 5, 5}, 9), 3);
  EXPECT_EQ(best_group(2, {5, 5, 5}, 900), 2) << "no more rows than there are";
}

}  // namespace
}  // namespace Tegula::Test
