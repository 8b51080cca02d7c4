// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cuda/fp32_split/Tegula_Fp32SplitScheme.hpp"

/// The scales of Compute::fp32_split and which route it takes, at the edges of each condition.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float scale_of(float largest) { return std::bit_cast<float>(line_scale_bits(bits(largest))); }

TEST(Fp32SplitScheme, ScalesTheLargestOfASampleTo1024) {
  for (int exponent = -50; exponent <= 70; ++exponent) {
    for (const float fraction : {1.0f, 1.5f, 0x1.FFFFFEp0f}) {
      const float largest = std::ldexp(fraction, exponent), scaled = largest / scale_of(largest);
      EXPECT_GE(scaled, 1024) << exponent;
      EXPECT_LT(scaled, 2048) << exponent;
    }
  }
}

// And with it the results' scale, a product of two.
TEST(Fp32SplitScheme, ClampsScales) {
  EXPECT_EQ(scale_of(0x1p-149f), 0x1p-60f);
  EXPECT_EQ(scale_of(0x1p127f), 0x1p60f);
  EXPECT_EQ(scale_of(0), 0x1p-10f) << "nothing is known";
}

TEST(Fp32SplitScheme, InvertsScales) {
  for (int exponent = -60; exponent <= 60; ++exponent)
    EXPECT_EQ(reciprocal_bits(bits(std::ldexp(1.0f, exponent))), bits(std::ldexp(1.0f, -exponent)));
}

// Of elements before scaling, so that nothing underflows.
TEST(Fp32SplitScheme, ReportsMagnitudes) {
  for (const float scale : {1.0f, 0x1p-60f, 0x1p60f}) {
    const auto has = [&](float smallest, float largest) {
      return elements_have(bits(smallest * scale), bits(largest * scale), bits(scale));
    };
    EXPECT_EQ(has(0x1p-13f, 0x1.FFFFFEp13f), 0u);
    EXPECT_EQ(has(0x1.FFFFFEp-14f, 1), Fp32SplitReport::small);
    EXPECT_EQ(has(1, 0x1p14f), Fp32SplitReport::big);
    EXPECT_EQ(has(1, 0x1p15f), Fp32SplitReport::big | Fp32SplitReport::beyond);
    EXPECT_EQ(has(1, 0x1p60f), Fp32SplitReport::big | Fp32SplitReport::beyond | Fp32SplitReport::most);
  }
  EXPECT_NE(elements_have(bits(1), bits(INFINITY), bits(0x1p60f)) & Fp32SplitReport::most, 0u);
  EXPECT_NE(elements_have(bits(1), magnitude_bits(bits(-NAN)), bits(0x1p60f)) & Fp32SplitReport::most, 0u);
}

TEST(Fp32SplitScheme, TakesHalvesWhereNothingIsSmall) {
  EXPECT_EQ(split_route({64, 0}, {64, Fp32SplitReport::big}, 64), Fp32SplitRoute::half_parts);
}

TEST(Fp32SplitScheme, TakesHalvesWhereLargeElementsMeet) {
  EXPECT_EQ(split_route({40, Fp32SplitReport::small}, {23, 0}, 64), Fp32SplitRoute::half_parts);
  EXPECT_EQ(split_route({40, Fp32SplitReport::small}, {24, 0}, 64), Fp32SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({40, 0}, {24, Fp32SplitReport::small}, 64), Fp32SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({2, Fp32SplitReport::small}, {1, 0}, shortest_block(67)), Fp32SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({1, Fp32SplitReport::small}, {1, 0}, shortest_block(67)), Fp32SplitRoute::half_parts);
}

TEST(Fp32SplitScheme, TakesWhatIsSafeOtherwise) {
  EXPECT_EQ(split_route({0, Fp32SplitReport::small}, {0, Fp32SplitReport::big}, 64), Fp32SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({0, 0}, {0, Fp32SplitReport::beyond}, 64), Fp32SplitRoute::bhalf_parts);
  EXPECT_EQ(split_route({0, Fp32SplitReport::most}, {0, 0}, 64), Fp32SplitRoute::exact);
}

TEST(Fp32SplitScheme, MergesReportsInAnyOrder) {
  Fp32SplitReport first{3, Fp32SplitReport::small}, second{64, Fp32SplitReport::beyond};
  const Fp32SplitReport copy = second;
  second.merge(first);
  first.merge(Fp32SplitReport::of(copy.word()));
  EXPECT_EQ(first.word(), second.word());
  EXPECT_EQ(first.not_large, 64u);
  EXPECT_EQ(first.has, Fp32SplitReport::small | Fp32SplitReport::beyond);
}

}  // namespace
}  // namespace Tegula::Test
