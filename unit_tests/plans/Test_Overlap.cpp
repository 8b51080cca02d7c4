// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "Tegula_Overlap.hpp"
#include "Tegula_TestRandom.hpp"

/// What Tegula_Overlap.hpp decides, against the bytes themselves.

namespace Tegula::Test {
namespace {

using Impl::may_overlap;
using Impl::overlaps_itself;
using Impl::StridedBytes;

template <class Visit>
void for_each_byte(const StridedBytes& m, const Visit& visit) {
  for (std::int64_t i = 0; i < m.extent[0]; ++i)
    for (std::int64_t j = 0; j < m.extent[1]; ++j)
      for (std::int64_t byte = 0; byte < m.bytes; ++byte)
        visit(m.begin + (i * m.stride[0] + j * m.stride[1]) * m.bytes + byte);
}

bool share_a_byte(const StridedBytes& first, const StridedBytes& second) {
  std::int64_t end = 0;
  for_each_byte(first, [&](std::int64_t at) { end = std::max(end, at + 1); });
  std::vector<char> taken(static_cast<std::size_t>(end));
  for_each_byte(first, [&](std::int64_t at) { taken[static_cast<std::size_t>(at)] = 1; });
  bool share = false;
  for_each_byte(second, [&](std::int64_t at) { share = share || (at < end && taken[static_cast<std::size_t>(at)]); });
  return share;
}

bool has_a_byte_twice(const StridedBytes& m) {
  std::set<std::int64_t> taken;
  bool twice = false;
  for_each_byte(m, [&](std::int64_t at) { twice = twice || !taken.insert(at).second; });
  return twice;
}

testing::Message text(const StridedBytes& m) {
  return testing::Message() << m.extent[0] << 'x' << m.extent[1] << " of " << m.bytes << " bytes at " << m.begin
                            << ", strides " << m.stride[0] << ' ' << m.stride[1];
}

class Overlap : public testing::Test {
 protected:
  std::int64_t draw(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }
  StridedBytes draw_matrix(std::int64_t most_begin, std::int64_t most_extent, std::int64_t most_stride) {
    return {draw(0, most_begin),
            std::int64_t(1) << draw(0, 3),
            {draw(0, most_extent), draw(0, most_extent)},
            {draw(0, most_stride), draw(0, most_stride)}};
  }
  void expect_exact(const StridedBytes& first, const StridedBytes& second) {
    const bool expected = share_a_byte(first, second);
    ASSERT_EQ(may_overlap(first, second), expected) << text(first) << " and " << text(second);
    ASSERT_EQ(may_overlap(second, first), expected) << text(second) << " and " << text(first);
    ++(expected ? meet_ : apart_);
  }

  Random random_ = make_random();
  int meet_ = 0, apart_ = 0;
};

TEST_F(Overlap, OfAnySmallMatricesIsExact) {
  for (int trial = 0; trial < 100000; ++trial) {
    const StridedBytes first = draw_matrix(300, 5, 30), second = draw_matrix(300, 5, 30);
    expect_exact(first, second);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(meet_, 1000);
  EXPECT_GT(apart_, 1000);
}

// Parts of one array: the same strides or the transposed ones, times a power of two, at any offset.
TEST_F(Overlap, OfPartsOfOneArrayIsExact) {
  for (int trial = 0; trial < 5000; ++trial) {
    StridedBytes first = draw_matrix(2000, 40, 6);
    first.stride[draw(0, 1)] *= draw(1, 60);
    StridedBytes second = draw_matrix(2000, 40, 0);
    second.bytes        = first.bytes;
    const int turn = static_cast<int>(draw(0, 1)), times = 1 << draw(0, 1);
    for (int axis = 0; axis < 2; ++axis) second.stride[axis] = first.stride[(axis + turn) % 2] * times;
    expect_exact(first, second);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(meet_, 100);
  EXPECT_GT(apart_, 100);
}

// Contiguous rows or columns, with any pitches and element types.
TEST_F(Overlap, OfContiguousLinesIsExact) {
  for (int trial = 0; trial < 5000; ++trial) {
    StridedBytes matrices[2];
    for (StridedBytes& m : matrices) {
      m                    = draw_matrix(4000, 30, 300);
      m.stride[draw(0, 1)] = 1;
    }
    expect_exact(matrices[0], matrices[1]);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(meet_, 100);
  EXPECT_GT(apart_, 100);
}

TEST_F(Overlap, OfAMatrixWithItselfIsExact) {
  int twice = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const StridedBytes m = draw_matrix(0, 7, 12);
    ASSERT_EQ(overlaps_itself(m), has_a_byte_twice(m)) << text(m);
    twice += overlaps_itself(m) ? 1 : 0;
  }
  EXPECT_GT(twice, 1000);
  EXPECT_LT(twice, 19000);
}

// Two large matrices through one address, whatever the strides: true, whether that is found or taken for granted.
TEST_F(Overlap, OfMatricesThatShareAnElementIsNeverMissed) {
  for (int trial = 0; trial < 20000; ++trial) {
    StridedBytes matrices[2];
    for (StridedBytes& m : matrices) {
      m.bytes        = std::int64_t(1) << draw(0, 3);
      m.begin        = std::int64_t(1) << 61;
      const int bits = static_cast<int>(draw(1, 40));
      for (int axis = 0; axis < 2; ++axis) {
        m.extent[axis] = draw(1, std::int64_t(1) << draw(1, std::min(31, 55 - bits)));
        m.stride[axis] = draw(0, std::int64_t(1) << bits);
        m.begin -= draw(0, m.extent[axis] - 1) * m.stride[axis] * m.bytes;
      }
    }
    ASSERT_TRUE(may_overlap(matrices[0], matrices[1])) << text(matrices[0]) << " and " << text(matrices[1]);
    ASSERT_TRUE(may_overlap(matrices[1], matrices[0])) << text(matrices[0]) << " and " << text(matrices[1]);
  }
}

// Neither strides of 2^40 nor extents of 2^31 make it slow, or wrong.
TEST(LargeOverlap, OfPartsOfOneArrayIsExact) {
  const std::int64_t many = std::int64_t(1) << 31, pitch = std::int64_t(1) << 40;
  const StridedBytes real{8, 8, {1000, many}, {pitch, 2}}, imaginary{16, 8, {1000, many}, {pitch, 2}};
  EXPECT_FALSE(may_overlap(real, imaginary));
  EXPECT_TRUE(may_overlap(real, {16, 8, {1000, many}, {pitch - 1, 2}}));  // row 1 is shifted onto the real part
  EXPECT_FALSE(may_overlap(real, {16, 8, {1000, many}, {pitch + 2, 2}})) << "another pitch, of an even number";
  // All columns of the second lie behind those of the first, in lines 2^32 + 1 elements long.
  const StridedBytes left{0, 4, {many / 64, 1000}, {2 * many + 1, 1}};
  EXPECT_FALSE(may_overlap(left, {4000, 4, {many / 64, 1000}, {2 * many + 1, 1}}));
  EXPECT_TRUE(may_overlap(left, {3996, 4, {many / 64, 1000}, {2 * many + 1, 1}}));
  // Each line of the one lies an element further into the gaps of the other, until one meets a line.
  const auto drifting = [&](std::int64_t lines) { return StridedBytes{8000, 8, {lines, 1}, {100001, 0}}; };
  const StridedBytes lines{0, 8, {many, 1000}, {100000, 1}};
  EXPECT_FALSE(may_overlap(lines, drifting(99000)));
  EXPECT_TRUE(may_overlap(lines, drifting(99001)));
}

TEST(LargeOverlap, OfAMatrixWithItselfIsExact) {
  const std::int64_t many = std::int64_t(1) << 31;
  EXPECT_FALSE(overlaps_itself({0, 8, {many, many}, {many, 1}}));
  EXPECT_TRUE(overlaps_itself({0, 8, {many, many + 1}, {many, 1}}));
  EXPECT_FALSE(overlaps_itself({0, 8, {2, 2}, {2, 3}}));
}

}  // namespace
}  // namespace Tegula::Test
