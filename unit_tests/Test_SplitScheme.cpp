// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cuda/split/Tegula_SplitScheme.hpp"

/// The scales of Compute::fp32_split and which route it takes, at the edges of each condition.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float scale_of(float largest) { return std::bit_cast<float>(line_scale_bits(bits(largest))); }

TEST(SplitScheme, ScalesTheLargestOfASampleTo1024) {
  for (int exponent = -50; exponent <= 70; ++exponent) {
    for (const float fraction : {1.0f, 1.5f, 0x1.FFFFFEp0f}) {
      const float largest = std::ldexp(fraction, exponent), scaled = largest / scale_of(largest);
      EXPECT_GE(scaled, 1024) << exponent;
      EXPECT_LT(scaled, 2048) << exponent;
    }
  }
}

// And with it the results' scale, a product of two.
TEST(SplitScheme, ClampsScales) {
  EXPECT_EQ(scale_of(0x1p-149f), 0x1p-60f);
  EXPECT_EQ(scale_of(0x1p127f), 0x1p60f);
  EXPECT_EQ(scale_of(0), 0x1p-10f) << "nothing is known";
}

TEST(SplitScheme, InvertsScales) {
  for (int exponent = -60; exponent <= 60; ++exponent)
    EXPECT_EQ(reciprocal_bits(bits(std::ldexp(1.0f, exponent))), bits(std::ldexp(1.0f, -exponent)));
}

// Of elements before scaling, so that nothing underflows.
TEST(SplitScheme, ReportsMagnitudes) {
  for (const float scale : {1.0f, 0x1p-60f, 0x1p60f}) {
    const auto has = [&](float smallest, float largest) {
      return elements_have(bits(smallest * scale), bits(largest * scale), bits(scale));
    };
    EXPECT_EQ(has(0x1p-13f, 0x1.FFFFFEp13f), 0u);
    EXPECT_EQ(has(0x1.FFFFFEp-14f, 1), SplitReport::small);
    EXPECT_EQ(has(1, 0x1p14f), SplitReport::big);
    EXPECT_EQ(has(1, 0x1p15f), SplitReport::big | SplitReport::beyond);
    EXPECT_EQ(has(1, 0x1p60f), SplitReport::big | SplitReport::beyond | SplitReport::most);
  }
  EXPECT_NE(elements_have(bits(1), bits(INFINITY), bits(0x1p60f)) & SplitReport::most, 0u);
  EXPECT_NE(elements_have(bits(1), magnitude_bits(bits(-NAN)), bits(0x1p60f)) & SplitReport::most, 0u);
}

TEST(SplitScheme, TakesHalvesWhereNothingIsSmall) {
  EXPECT_EQ(split_route({64, 0}, {64, SplitReport::big}, 64), SplitRoute::half_parts);
}

TEST(SplitScheme, TakesHalvesWhereLargeElementsMeet) {
  EXPECT_EQ(split_route({40, SplitReport::small}, {23, 0}, 64), SplitRoute::half_parts);
  EXPECT_EQ(split_route({40, SplitReport::small}, {24, 0}, 64), SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({40, 0}, {24, SplitReport::small}, 64), SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({2, SplitReport::small}, {1, 0}, shortest_block(67)), SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({1, SplitReport::small}, {1, 0}, shortest_block(67)), SplitRoute::half_parts);
}

TEST(SplitScheme, TakesWhatIsSafeOtherwise) {
  EXPECT_EQ(split_route({0, SplitReport::small}, {0, SplitReport::big}, 64), SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({0, 0}, {0, SplitReport::beyond}, 64), SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({0, SplitReport::most}, {0, 0}, 64), SplitRoute::exact);
}

TEST(SplitScheme, MergesReportsInAnyOrder) {
  SplitReport first{3, SplitReport::small}, second{64, SplitReport::beyond};
  const SplitReport copy = second;
  second.merge(first);
  first.merge(SplitReport::of(copy.word()));
  EXPECT_EQ(first.word(), second.word());
  EXPECT_EQ(first.not_large, 64u);
  EXPECT_EQ(first.has, SplitReport::small | SplitReport::beyond);
}

}  // namespace
}  // namespace Tegula::Test
