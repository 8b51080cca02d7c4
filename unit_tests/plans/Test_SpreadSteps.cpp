// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "cuda/Tegula_SpreadSteps.hpp"

// Where kernels begin whose teams should not all ask the same slices of the cache.

namespace Tegula::Test {
namespace {

using Impl::SpreadSteps;

// Also of a part of the inner dimension, and of fewer steps than there are beginnings.
TEST(SpreadSteps, EachComesOnceWhereverTheyBegin) {
  constexpr std::int32_t begin = 7;
  for (const std::int32_t count : {0, 1, 2, 15, 16, 17, 100}) {
    std::set<std::int32_t> all;
    for (std::int32_t step = begin; step < begin + count; ++step) all.insert(step);
    for (std::uint32_t number = 0; number < 40; ++number) {
      for (const bool are_spread : {false, true}) {
        std::set<std::int32_t> seen;
        for (SpreadSteps steps(begin, begin + count, number, are_spread); !steps.are_over(); steps.next())
          ASSERT_TRUE(seen.insert(steps.step()).second) << steps.step() << " of " << count << " by " << number;
        ASSERT_EQ(seen, all) << number;
      }
    }
  }
}

TEST(SpreadSteps, BeginFarFromEachOtherWhereTheyAreSpread) {
  std::set<std::int32_t> first;
  for (std::uint32_t number = 0; number < 2 * SpreadSteps::beginnings; ++number) {
    first.insert(SpreadSteps(100, 260, number, true).step());
    EXPECT_EQ(SpreadSteps(100, 260, number, false).step(), 100);
  }
  ASSERT_EQ(first.size(), SpreadSteps::beginnings);
  for (const std::int32_t step : first) EXPECT_EQ((step - 100) % 10, 0);
}

}  // namespace
}  // namespace Tegula::Test
