// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "portable/Tegula_PortablePlan.hpp"

/// How the portable family plans for devices, of which only their facts are needed here.

namespace Tegula::Test {
namespace {

using namespace Impl;

constexpr TileChoice small_tile{{32, 32, 32}, 64, 8, {75, 1.1}, 16384};
constexpr TileChoice large_tile{{128, 128, 8}, 128, 2, {94, 0.9}, 32768};
constexpr PortableMachine device{false, 142, {40000, 0}};

// A device of 142 multiprocessors with 1536 threads each, as its concurrency would have them counted.
constexpr PortableMachine counted_by_threads{false, multiprocessors_of(142 * 1536), {40000, 0}};

TEST(PortableMachine, HasTeamsByMultiprocessorsOrByThreads) {
  EXPECT_EQ(teams_at_once(device, small_tile), 142 * 8);
  EXPECT_EQ(teams_at_once(device, large_tile), 142 * 2);
  EXPECT_EQ(counted_by_threads.units, 106) << "a quarter too few, which is why devices are asked";
  EXPECT_EQ(multiprocessors_of(132 * 2048), 132);
  EXPECT_EQ(multiprocessors_of(100), 1);
  const PortableMachine host{true, 7, {32768, 1 << 20}};
  EXPECT_EQ(host.teams_at_once(1, 1), 7);
  EXPECT_EQ(host.teams_at_once(2, 1), 3);
  EXPECT_EQ(host.teams_at_once(8, 1), 1);
}

TEST(PortableMachine, HasTheScratchOfTheInstancesDevice) {
  EXPECT_EQ(scratch_of_device(40936, 49152), 40936u);
  EXPECT_EQ(scratch_of_device(206824, 49152), 40936u) << "the default device has more";
  EXPECT_EQ(scratch_of_device(40936, 32768), 24552u);
  EXPECT_EQ(scratch_of_device(40936, 4096), 0u);
  EXPECT_TRUE(device.has_scratch(40000));
  EXPECT_FALSE(device.has_scratch(40001)) << "level 1 is slow";
  const PortableMachine host{true, 7, {32768, 1 << 20}};
  EXPECT_TRUE(host.has_scratch(1 << 20));
  EXPECT_EQ(host.scratch_level(32768), 0);
  EXPECT_EQ(host.scratch_level(32769), 1);
}

Plan uncut(const GemmShape& shape) {
  Plan plan;
  plan.products[0] = uncut_product("C", shape, 4, 4, 4, false);
  return plan;
}

// One tile, and an inner dimension that is long enough for every team to get a part of it.
TEST(PortablePlan, CutsTheInnerDimensionForAllMultiprocessors) {
  const std::array choices{small_tile};
  const Plan plan     = uncut({5 * 32, 7 * 32, 256 * 64});
  const auto split_on = [&](const PortableMachine& machine) {
    return cut_cheaply(machine, choices, plan, 4, {}).plan.products[0].split_k;
  };
  EXPECT_EQ(split_on(device), 142 * 8 / 35);
  EXPECT_EQ(split_on(counted_by_threads), 106 * 8 / 35);
}

TEST(PortablePlan, PassesOverTilesWithoutScratch) {
  const std::array choices{large_tile, small_tile};
  const Plan plan = uncut({8192, 8192, 512});
  const PortableMachine short_of{false, 142, {20000, 0}};
  EXPECT_EQ(cut_cheaply(device, choices, plan, 4, {}).choice.tile, large_tile.tile);
  EXPECT_EQ(cut_cheaply(short_of, choices, plan, 4, {}).choice.tile, small_tile.tile);
}

}  // namespace
}  // namespace Tegula::Test
