// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "cuda/Tegula_UnalignedLines.hpp"
#include "cuda/Tegula_VectorResult.hpp"
#include "cuda/outer/Tegula_OuterWord.hpp"
#include "cuda/outer_mma/Tegula_OuterMmaSpan.hpp"
#include "cuda/simt/Tegula_SimtConfig.hpp"
#include "cuda/simt/Tegula_SimtElements.hpp"

/// How results go to memory: in runs of 16 bytes where they are aligned, else by neighbouring threads wherever rows
/// begin, and one by one only where nothing is contiguous.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr GemmShape shape{40, 48, 7};

// An address of this many bytes behind one that is aligned. Nothing is read there.
void* address(std::uintptr_t bytes = 0) { return reinterpret_cast<void*>(std::uintptr_t(4096) + bytes); }

StoreBy stored_by(Element element, std::int64_t row_stride, std::int64_t column_stride, std::uintptr_t bytes = 0,
                  const GemmShape& of = shape, RunsBy runs_by = RunsBy::threads) {
  return cuda_output({address(bytes), element, row_stride, column_stride}, of, runs_by).by;
}

TEST(CudaOutput, GoesInRunsWhereItIsAligned) {
  EXPECT_EQ(stored_by(Element::bf16, 48, 1), StoreBy::rows);
  EXPECT_EQ(stored_by(Element::f16, 1, 40), StoreBy::columns);
  EXPECT_EQ(stored_by(Element::bf16, 56, 1, 0, {40, 50, 7}), StoreBy::rows) << "the last run of a row is shorter";
}

TEST(CudaOutput, GoesByNeighbourhoodWhereverRowsBegin) {
  EXPECT_EQ(stored_by(Element::bf16, 49, 1), StoreBy::unaligned_rows);
  EXPECT_EQ(stored_by(Element::bf16, 50, 1), StoreBy::unaligned_rows) << "pairs would not fill sectors of memory";
  EXPECT_EQ(stored_by(Element::bf16, 48, 1, 2), StoreBy::unaligned_rows);
  EXPECT_EQ(stored_by(Element::bf16, 56, 1, 0, {40, 50, 7}, RunsBy::tma), StoreBy::unaligned_rows)
      << "TMA would store 52";
  EXPECT_EQ(stored_by(Element::f16, 1, 41), StoreBy::unaligned_columns);
  EXPECT_EQ(stored_by(Element::f32, 49, 1), StoreBy::unaligned_rows);
  EXPECT_EQ(stored_by(Element::f64, 49, 1), StoreBy::unaligned_rows);
  EXPECT_EQ(stored_by(Element::f64, 48, 1, 8), StoreBy::unaligned_rows);
}

TEST(CudaOutput, GoesInPairsOfWords) {
  EXPECT_EQ(stored_by(Element::f32, 50, 1), StoreBy::pairs);
  EXPECT_EQ(stored_by(Element::f64, 50, 1), StoreBy::pairs);
}

TEST(CudaOutput, GoesOneByOneWhereNothingIsContiguous) {
  for (const Element element : {Element::bf16, Element::f32, Element::f64})
    EXPECT_EQ(stored_by(element, 100, 2), StoreBy::threads);
  EXPECT_EQ(cuda_output({}, shape, RunsBy::tma).by, StoreBy::nobody);
}

// The same for results of float and double that are stored as rows of vectors.
TEST(VectorMatrix, KnowsWhereRowsBeginAnywhere) {
  const auto is_unaligned = [](std::int64_t row_stride, std::int64_t column_stride, std::uintptr_t bytes = 0) {
    return vector_matrix<float>({address(bytes), Element::f32, row_stride, column_stride}).is_unaligned();
  };
  EXPECT_FALSE(is_unaligned(48, 1));
  EXPECT_TRUE(is_unaligned(49, 1));
  EXPECT_TRUE(is_unaligned(48, 1, 4));
  EXPECT_FALSE(is_unaligned(98, 2)) << "nothing is contiguous";
  EXPECT_FALSE(vector_matrix<float>({}).is_unaligned()) << "there is none";
}

template <int Bytes>
bits_of_pair_t<Bytes> pair_of(bits_of_bytes_t<Bytes> first, bits_of_bytes_t<Bytes> second) {
  if constexpr (Bytes == 2) {
    return first | std::uint32_t(second) << 16;
  } else {
    return {{first, second}};
  }
}

// Writes element(line, at) to all places.
template <class Rectangle, int Length, int Lines, class Element>
void put_all(const Rectangle& rectangle, const Element& element) {
  constexpr int bytes = sizeof(typename Rectangle::Bits);
  for (int line = 0; line < Lines; ++line)
    for (int at = 0; at < Length; at += 2)
      rectangle.put(line / 8 * 8, line % 8, at / 8 * 8, at % 8 / 2,
                    pair_of<bytes>(element(line, at), element(line, at + 1)));
}

// A warp of threads of the host, one after the other, stores `lines` x `length` elements of a larger rectangle to lines
// `stride` apart, the first of which begins `begin` elements behind an aligned address. Every element arrives at its
// place, and nothing else is written.
template <int Bytes, int Length, int Lines>
void stores_lines(int lines, int length, int stride, int begin) {
  using Rectangle        = UnalignedLines<Bytes, Length>;
  using Bits             = typename Rectangle::Bits;
  constexpr Bits poison  = 77;
  const auto element     = [](int line, int at) { return static_cast<Bits>(1000 + line * Length + at); };
  const std::size_t size = static_cast<std::size_t>(begin + Lines * stride + Length);
  alignas(16) char scratch[static_cast<std::size_t>(Rectangle::bytes(Lines))];
  std::vector<Bits> memory(size, poison), expected(size, poison);
  const Rectangle rectangle(scratch, {memory.data() + begin, stride, lines, length});
  put_all<Rectangle, Length, Lines>(rectangle, element);
  for (int line = 0; line < std::min(lines, Lines); ++line)
    for (int at = 0; at < std::min(length, Length); ++at)
      expected[static_cast<std::size_t>(begin + line * stride + at)] = element(line, at);
  for (int lane = 0; lane < 32; ++lane) rectangle.template store<Lines>(0, lane);
  ASSERT_EQ(memory, expected) << lines << " x " << length << ", lines " << stride << " apart, from " << begin << " on";
}

template <int Bytes, int Length, int Lines>
void stores_all_lines() {
  for (const int stride : {Length, Length + 1, Length + 2, Length + 4, 3 * Length + 7})
    for (int begin = 0; begin < 9; ++begin)
      for (const int lines : {-3, 0, 1, Lines - 1, Lines, Lines + 5})
        for (const int length : {-1, 0, 1, 2, 3, 7, 8, 9, Length / 2 + 1, Length - 1, Length, Length + 9})
          ASSERT_NO_FATAL_FAILURE((stores_lines<Bytes, Length, Lines>(lines, length, stride, begin)));
}

TEST(UnalignedLines, PutEveryElementInItsPlaceAndWriteNothingElse) {
  stores_all_lines<2, 32, 32>();
  stores_all_lines<2, 32, 64>();
  stores_all_lines<2, 64, 16>();
  stores_all_lines<2, 64, 32>();
  stores_all_lines<4, 32, 32>();
  stores_all_lines<8, 16, 16>();
  stores_all_lines<8, 32, 16>();
  stores_all_lines<8, 64, 16>();
}

// Each warp of a warpgroup stores lines of its own of one rectangle.
TEST(UnalignedLines, BeginAtAnyLine) {
  using Rectangle = UnalignedLines<2, 64>;
  std::vector<std::uint16_t> memory(64 * 65, 0);
  alignas(16) char scratch[Rectangle::bytes(64)];
  const Rectangle rectangle(scratch, {memory.data(), 65, 64, 64});
  put_all<Rectangle, 64, 64>(rectangle, [](int line, int) { return static_cast<std::uint16_t>(1 + line); });
  for (int lane = 0; lane < 32; ++lane) rectangle.store<16>(32, lane);
  for (int line = 0; line < 64; ++line)
    EXPECT_EQ(memory[static_cast<std::size_t>(line * 65 + 63)], line < 32 || line >= 48 ? 0 : 1 + line);
}

// Of a warp's 64 elements of a row those within it are stored, once, and nothing else is written.
TEST(OuterWords, PutEveryElementInItsPlaceAndWriteNothingElse) {
  constexpr std::uint16_t poison = 77;
  for (int begin = 0; begin < 4; ++begin)
    for (int length = -2; length <= 67; ++length) {
      alignas(4) std::uint16_t memory[80], expected[80];
      std::fill(std::begin(memory), std::end(memory), poison);
      std::fill(std::begin(expected), std::end(expected), poison);
      const auto element = [](int at) { return static_cast<std::uint32_t>(1000 + at); };
      const auto pair    = [&](int lane) { return element(2 * lane) | element(2 * lane + 1) << 16; };
      for (int lane = 0; lane < 32; ++lane) {
        std::uint16_t* const to = memory + begin + 2 * lane;
        are_words(to) ? store_outer_pair(to, pair(lane), length - 2 * lane)
                      : store_outer_odd(to, pair(lane), pair(lane < 31 ? lane + 1 : lane), lane, length - 2 * lane);
      }
      for (int at = 0; at < std::min(length, 64); ++at) expected[begin + at] = static_cast<std::uint16_t>(element(at));
      for (int i = 0; i < 80; ++i) ASSERT_EQ(memory[i], expected[i]) << i << " of " << length << " from " << begin;
    }
}

// Four lanes store a row of tiles side by side, which begins anywhere: every byte of it
// is written, nothing else, and by tiles that lap none twice, all but the first and the last one in whole sectors.
void tiles_write_a_row(int shift, int length, bool laps) {
  constexpr int most = 700, formed = 256;
  const int width = laps ? 224 : formed;
  alignas(sector_bytes) char memory[most], expected[most];
  std::fill(std::begin(memory), std::end(memory), '*');
  std::fill(std::begin(expected), std::end(expected), '*');
  const auto byte = [](int at) { return static_cast<unsigned char>(at % 251); };
  const auto word = [&](int at) {
    return byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | static_cast<std::uint32_t>(byte(at + 3)) << 24;
  };
  int stored = 0;
  for (int first = 0; first < length; first += width) {
    char* const row = memory + sector_bytes + shift + first;
    const int left  = length - first;
    const auto span = OuterMmaSpan::of(reinterpret_cast<std::uintptr_t>(row), first == 0, laps, width, left);
    stored += std::max(0, span.end - span.begin);
    EXPECT_TRUE(!laps || first == 0 || reinterpret_cast<std::uintptr_t>(row + span.begin) % sector_bytes == 0);
    OuterMmaRow lanes[lanes_of_row];
    for (OuterMmaRow& lane : lanes) lane = OuterMmaRow(row, span);
    for (int at = 0; at < formed + group_bytes; at += group_bytes) {
      OuterMmaRun own[lanes_of_row], sent[lanes_of_row];
      for (int q = 0; q < lanes_of_row; ++q) {
        for (int w = 0; w < run_words; ++w) own[q].words[w] = word(first + at + q * run_bytes + 4 * w);
        sent[q] = lanes[q].handed_on(own[q], q);
      }
      for (int q = 0; q < lanes_of_row; ++q)
        shift == 0 ? lanes[q].store(own[q], at, q) : lanes[q].store_shifted(sent[(q + 3) % 4], own[q], at, q);
    }
  }
  EXPECT_EQ(stored, length);
  for (int at = 0; at < length; ++at) expected[sector_bytes + shift + at] = static_cast<char>(byte(at));
  for (int i = 0; i < most; ++i)
    ASSERT_EQ(memory[i], expected[i]) << i << " of " << length << " from " << shift << (laps ? ", lapping" : "");
}

TEST(OuterMmaRows, AreWrittenWhereverTheyBegin) {
  for (int shift = 0; shift < sector_bytes; shift += 2)
    for (int length = 2; length <= 540; length += 2)
      for (const bool laps : {false, true}) {
        tiles_write_a_row(shift, length, laps);
        if (HasFatalFailure()) return;
      }
}

// The lanes of a warp take every element of the rectangle that their vectors are, once, neighbours beside neighbours.
template <class Config, bool along_columns>
void elements_are_those_of_the_vectors() {
  using Elements    = SimtElements<Config, along_columns>;
  const int columns = Config::lane_columns;
  const auto line   = [](int e, int lane) { return Elements::first_line(lane) + Elements::line_offset(e); };
  const auto at     = [](int e, int lane) { return Elements::first_at(lane) + Elements::at_offset(e); };
  std::set<int> seen;
  for (int e = 0; e < Elements::count; ++e)
    for (int lane = 0; lane < 32; ++lane) {
      const int place = Elements::offset(e, lane), vector = place / 4;
      EXPECT_TRUE(seen.insert(place).second);
      EXPECT_EQ(line(e, lane), (along_columns ? vector % columns : vector / columns) * Config::block);
      EXPECT_EQ(at(e, lane), (along_columns ? vector / columns : vector % columns) * 4 + place % 4);
      if (lane > 0 && line(e, lane) == line(e, lane - 1)) {
        EXPECT_EQ(at(e, lane), at(e, lane - 1) + 1);
      }
    }
  EXPECT_EQ(seen.size(), 128u);
}

// Places in a result are those of the elements, and end with it.
TEST(SimtElements, LieInAResult) {
  using Elements = SimtElements<SimtConfig<8, 128, 64, 3, 1, 1, 4, 2, 2>, false>;
  float values[100];
  const VectorMatrix<float> matrix{values, 10, 1, false};
  const SimtPlaces<Elements> places(2, 3, 6, 36);
  for (int e = 0; e < Elements::count; ++e) {
    const int i = 2 + Elements::line_offset(e), j = 3 + Elements::at_offset(e);
    EXPECT_EQ(places.is_inside[e], i < 6 && j < 36) << e;
    EXPECT_EQ(places.of(matrix, e) - values, i * 10 + j) << e;
  }
}

TEST(SimtElements, AreThoseOfTheVectors) {
  elements_are_those_of_the_vectors<SimtConfig<64, 128, 16, 3, 2, 2, 1, 4>, false>();
  elements_are_those_of_the_vectors<SimtConfig<64, 128, 16, 3, 2, 2, 1, 4>, true>();
  elements_are_those_of_the_vectors<SimtConfig<8, 128, 64, 3, 1, 1, 4, 2, 2>, false>();
  elements_are_those_of_the_vectors<SimtConfig<128, 8, 64, 3, 1, 1, 4, 2, 16>, true>();
}

}  // namespace
}  // namespace Tegula::Test
