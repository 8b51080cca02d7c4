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

TEST(PortableRates, AreThoseOfTheArchitecture) {
  EXPECT_STREQ(portable_rates("gfx90a:sramecc+:xnack-")->name, "MI250X");
  EXPECT_STREQ(portable_rates("gfx942:sramecc+:xnack-")->name, "MI300X");
  EXPECT_STREQ(portable_rates("Intel(R) Data Center GPU Max 1550")->name, "Max 1550");
  EXPECT_EQ(portable_rates("gfx1100"), nullptr);
  EXPECT_EQ(portable_rates(""), nullptr);
}

/// TFLOP/s outside of matrix units, as the data sheets have them.
TEST(PortableRates, AgreeWithThePeaksOfDataSheets) {
  struct Peak {
    const char* device;
    int units;
    double in_float, in_double;
  };
  for (const auto& [device, units, in_float, in_double] :
       {Peak{"gfx90a", 220, 47.9, 47.9}, Peak{"gfx942", 304, 163.4, 81.7}, Peak{"GPU Max 1550", 1024, 52.4, 52.4}}) {
    const PortableRates& rates = *portable_rates(device);
    EXPECT_NEAR(2e-12 * rates.fma_float * rates.clock * units, in_float, 0.01 * in_float) << device;
    EXPECT_NEAR(2e-12 * rates.fma_double * rates.clock * units, in_double, 0.01 * in_double) << device;
  }
}

Plan planned(const GemmShape& shape, const PortableMachine& machine, std::size_t accumulator_bytes = 4,
             const PlanOptions& options = {}) {
  const std::array choices{large_tile, small_tile};
  return portable_plan(machine, choices, uncut(shape), accumulator_bytes, options, ArgumentList("gemm"));
}

/// As a multiprocessor of an H200 by the cycle, a thousand cycles a second.
constexpr PortableRates slow_rates{"slow device", "made up", "", 1e3, 128, 64, 1e12, 7};
constexpr PortableMachine slow_device{false, 100, {40000, 0}, &slow_rates};

TEST(PortablePlan, PredictsTimes) {
  const GemmShape large{2560, 2560, 1024};  // 400 tiles of 128 x 128
  const double seconds = planned(large, slow_device).seconds() - 7;
  EXPECT_GT(seconds, 2560.0 * 2560 * 1024 / (128 * 100 * 1e3));
  EXPECT_LT(seconds, 2560.0 * 2560 * 1024 / (64 * 100 * 1e3));
  EXPECT_NEAR(planned(large, slow_device, 8).seconds() - 7, seconds, 1e-9);
  PortableRates rates     = slow_rates;
  PortableMachine machine = slow_device;
  machine.rates           = &rates;
  rates.fma_float         = 32;
  EXPECT_NEAR(planned(large, machine).seconds() - 7, 4 * seconds, 1e-6 * seconds);
  rates.fma_double = 32;
  EXPECT_NEAR(planned(large, machine, 8).seconds() - 7, 2 * seconds, 1e-6 * seconds);
  rates        = slow_rates;
  rates.memory = 1;
  EXPECT_NEAR(planned(large, machine).seconds() - 7, 4.0 * (2 * 2560 * 1024 + 2560 * 2560) / 100, 1e-6 * seconds);
}

TEST(PortablePlan, NamesTheRecordOfItsTimes) {
  EXPECT_NE(planned({64, 64, 64}, slow_device).text().find(" us on an idle slow device (made up)"), std::string::npos);
  EXPECT_NE(planned({64, 64, 64}, slow_device, 4, {.tile = {32, 32, 32}}).text().find(" idle slow device "),
            std::string::npos);
  const Plan unknown = planned({64, 64, 64}, device);
  EXPECT_EQ(unknown.seconds(), 0);
  EXPECT_EQ(unknown.text().find(" us on an idle "), std::string::npos);
}

}  // namespace
}  // namespace Tegula::Test
