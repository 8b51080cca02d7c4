// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/Tegula_LaneStride.hpp"
#include "cuda/stream/Tegula_StreamArguments.hpp"
#include "cuda/stream/Tegula_StreamConfig.hpp"

/// How the stream family plans, for machines given as data, and where its tiles lie.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Plan plan_of_stream(const Call& call, PlanOptions options = {}) {
  options.family = "stream";
  return plan_of(call, options);
}

TEST(StreamPlan, TakesATileThatIsAsWideAsBothMatrices) {
  EXPECT_EQ(plan_of_stream(gemm_call({1000000, 3, 3})).tile(), (TileShape{128, 4, 8}));
  EXPECT_EQ(plan_of_stream(gemm_call({1000000, 31, 7})).tile(), (TileShape{64, 32, 32}));
  EXPECT_EQ(plan_of_stream(gemm_call({1000000, 5, 31})).tile().k, 32);
  EXPECT_EQ(plan_of_stream(gemm_call({1000000, 3, 3}, Element::bf16)).tile(), (TileShape{128, 8, 8}));
  EXPECT_EQ(plan_of_stream(gemm_call({1000000, 40, 3}, Element::f16)).tile(), (TileShape{32, 64, 16}));
  EXPECT_EQ(plan_of_stream(gemm_call({1000000, 5, 100}, Element::bf16)).tile(), (TileShape{32, 8, 128}));
  const TileShape wide = plan_of_stream(gemm_call({8, 1000000, 8})).tile();
  EXPECT_GE(wide.n, wide.m) << "its long side lies along the product's";
}

TEST(StreamPlan, TakesNarrowMatrices) {
  const auto takes_shape = [](const GemmShape& shape, const CudaMachine& machine = h200) {
    return takes("stream", gemm_call(shape, Element::f64), {}, machine);
  };
  EXPECT_TRUE(takes_shape({1000, 32, 32}));
  EXPECT_TRUE(takes_shape({32, 1000, 32}));
  EXPECT_TRUE(takes_shape({1000, 8, 64}));
  EXPECT_FALSE(takes_shape({1000, 33, 8}));
  EXPECT_FALSE(takes_shape({1000, 9, 33}));
  EXPECT_FALSE(takes_shape({1000, 8, 65}));
  EXPECT_FALSE(takes_shape({1000, 8, 0}));
  EXPECT_TRUE(takes_shape({1000, 4, 8}, before_kokkos_5_2)) << "in the tiles that there is scratch for";
  EXPECT_FALSE(takes_shape({1000, 32, 32}, before_kokkos_5_2));
}

TEST(StreamPlan, TakesLongerSumsOfFewColumnsInFloat) {
  EXPECT_TRUE(takes("stream", gemm_call({1000, 8, 128})));
  EXPECT_FALSE(takes("stream", gemm_call({1000, 8, 129})));
  EXPECT_FALSE(takes("stream", gemm_call({1000, 9, 33})));
}

TEST(StreamPlan, TakesWiderMatricesOf16Bits) {
  const auto takes_shape = [](const GemmShape& shape) { return takes("stream", gemm_call(shape, Element::bf16)); };
  EXPECT_TRUE(takes_shape({1000, 64, 64}));
  EXPECT_TRUE(takes_shape({32, 1000, 128}));
  EXPECT_FALSE(takes_shape({1000, 64, 128})) << "there is no tile with both";
  EXPECT_FALSE(takes_shape({1000, 65, 8}));
  EXPECT_FALSE(takes_shape({1000, 8, 129}));
}

// C and Z are of the operands' type; a bias need not be.
TEST(StreamPlan, TakesOneTypeOf16Bits) {
  const auto takes_types = [](Element C, Element Z, Element bias) {
    Call call = gemm_call({1000, 7, 9}, Element::bf16);
    call.C    = matrix_of(C, 1000, 7);
    call.Z    = matrix_of(Z, 1000, 7);
    call.bias = matrix_of(bias, 1, 7);
    return takes("stream", call);
  };
  EXPECT_TRUE(takes_types(Element::bf16, Element::bf16, Element::bf16));
  EXPECT_TRUE(takes_types(Element::bf16, Element::bf16, Element::f32));
  EXPECT_FALSE(takes_types(Element::bf16, Element::f32, Element::bf16));
  EXPECT_FALSE(takes_types(Element::f32, Element::bf16, Element::bf16));
}

// Rows without gaps or contiguous columns, each for itself, wherever they begin.
TEST(StreamPlan, TakesMatricesInRuns) {
  for (const Element element : {Element::f32, Element::bf16}) {
    const auto takes_them = [&](const Lies& A, const Lies& C) {
      Call call = gemm_call({1000, 7, 9}, element);
      call.A    = matrix_of(element, 1000, 9, A);
      call.C    = matrix_of(element, 1000, 7, C);
      return takes("stream", call);
    };
    const Lies columns{.by_columns = true}, odd_columns{.by_columns = true, .padding = 3};
    EXPECT_TRUE(takes_them({}, {}));
    EXPECT_TRUE(takes_them(columns, odd_columns));
    EXPECT_TRUE(takes_them({}, columns));
    EXPECT_TRUE(takes_them(columns, {}));
    EXPECT_FALSE(takes_them({.padding = 1}, {}));
    EXPECT_FALSE(takes_them({}, {.padding = 1}));
  }
}

// A single column is either.
TEST(StreamPlan, TakesAColumnBesideAnything) {
  for (const bool by_columns : {false, true}) {
    Call outer = gemm_call({1000, 7, 1}), vector = gemm_call({1000, 1, 9});
    outer.C  = matrix_of(Element::f32, 1000, 7, {.by_columns = by_columns});
    vector.A = matrix_of(Element::f32, 1000, 9, {.by_columns = by_columns});
    EXPECT_TRUE(takes("stream", outer));
    EXPECT_TRUE(takes("stream", vector));
  }
}

TEST(StreamPlan, TakesAZThatLiesAsCDoes) {
  Call call = gemm_call({1000, 7, 9});
  call.Z    = call.C;
  EXPECT_TRUE(takes("stream", call));
  call.Z = matrix_of(Element::f32, 1000, 7, {.by_columns = true});
  EXPECT_FALSE(takes("stream", call));
}

// A million rows of w, by stream and by the best other family: in float 5.1 and 69 us for w = 1, 18 and 44 for 8, 35
// and 57 for 16, 77 and 89 for 32; in double 7.5 and 60, 34 and 61, 69 and 74, and for 31 140 and 155, but for 32 146
// and 125.
TEST(StreamPlan, IsForAllWidths) {
  for (const Element element : {Element::f32, Element::f64})
    for (const std::int64_t w : {1, 3, 5, 7, 8, 9, 13, 16, 17, 20, 24, 28, 31})
      EXPECT_STREQ(plan_of(gemm_call({1000000, w, w}, element)).family, "stream") << w;
  EXPECT_STREQ(plan_of(gemm_call({1000000, 32, 32})).family, "stream");
  EXPECT_STREQ(plan_of(gemm_call({1000000, 32, 32}, Element::f64)).family, "mma");
  EXPECT_STREQ(plan_of(gemm_call({1000000, 17, 13})).family, "stream");
  EXPECT_STREQ(plan_of(gemm_call({1000000, 17, 13}, Element::f64)).family, "stream");
}

// The same in 16 bits: 8.5 and 60 us for w = 1, 9.1 and 70 for 4, 19 and 40 for 16, 35 and 51 for 32, 69 and 170 for
// 33, 54 and 68 for 48; for 64 71, and 68 by wgmma.
TEST(StreamPlan, IsForAllWidthsOf16Bits) {
  for (const std::int64_t w : {1, 4, 8, 13, 16, 17, 24, 31, 32, 33, 40, 48})
    EXPECT_STREQ(plan_of(gemm_call({1000000, w, w}, Element::bf16)).family, "stream") << w;
  EXPECT_STREQ(plan_of(gemm_call({1000000, 64, 64}, Element::bf16)).family, "wgmma");
  EXPECT_STREQ(plan_of(gemm_call({65536, 64, 64}, Element::bf16)).family, "wgmma");
}

// A product of gemm_backward is one of gemm; the dZ that a pass forms has rows with gaps, though.
TEST(StreamPlan, ComputesGradients) {
  for (const Element element : {Element::f32, Element::f64}) {
    Call call = backward_call({1000000, 7, 9}, element);
    call.dB = call.dbias = no_matrix(element);
    EXPECT_STREQ(plan_of_stream(call).products[0].family, "stream");
  }
}

// Every team loads the short operand once, however many tiles the team has.
TEST(StreamPlan, IsDescribedWithWhatTeamsLoad) {
  const auto expect_line = [](const Plan& plan, const std::string& line) {
    EXPECT_NE(plan.text().find(line), std::string::npos) << '"' << line << "\" is not in\n" << plan.text();
  };
  const auto plan_with = [](const GemmShape& shape, const TileShape& tile) {
    return plan_of_stream(gemm_call(shape), {.tile = tile});
  };
  const Plan tall = plan_with({1000000, 32, 32}, {64, 32, 32}), wide = plan_with({8, 1000000, 8}, {8, 128, 8}),
             few = plan_with({300, 8, 8}, {32, 8, 32});
  EXPECT_EQ(tall.products[0].holding_teams, 3 * 132);
  expect_line(tall, "each left tile is loaded 1 times, each right tile 396 times");
  expect_line(tall, "32405504 elements loaded by tiles");
  EXPECT_EQ(wide.products[0].holding_teams, 5 * 132);
  expect_line(wide, "each left tile is loaded 660 times, each right tile 1 times");
  EXPECT_EQ(few.products[0].holding_teams, 3) << "of 10 tiles, four a team";
}

TEST(StreamPlan, ObeysOptions) {
  const Call call = gemm_call({1000, 7, 7});
  EXPECT_EQ(plan_of_stream(call, {.tile = {64, 32, 32}}).tile(), (TileShape{64, 32, 32}));
  EXPECT_TRUE(is_refused("it does not cut k", call, {.family = "stream", .split_k = 2}));
  EXPECT_THROW(plan_of_stream(call, {.tile = {1, 2, 3}}), std::invalid_argument);
  EXPECT_THROW(plan_of_stream(call, {.tile = {128, 4, 8}}), std::invalid_argument);
}

// Elements of a tile have places of their own, in the stage, and begin in chunks as they do in memory.
template <class Config, bool is_packed>
void expect_places(std::int32_t columns, std::int32_t first_off, std::int64_t run) {
  const StreamedMatrix matrix{nullptr, is_packed ? 0 : run, columns, first_off};
  const StreamImage<Config, is_packed> image(matrix);
  std::set<int> places;
  for (int j = 0; j < columns; ++j) {
    const std::int64_t in_memory = first_off + (is_packed ? j : j * run);
    EXPECT_EQ(image.column(j) % Config::block, in_memory % Config::block);
    for (int i = 0; i < Config::lines; ++i) places.insert(i * image.line() + image.column(j));
  }
  EXPECT_EQ(places.size(), static_cast<std::size_t>(Config::lines * columns));
  EXPECT_LT(*places.rbegin() * int(sizeof(typename Config::element)), int(Config::stage_bytes));
}

template <class... Configs>
void expect_places_in(ConfigList<Configs...>) {
  const auto expect = []<class Config>() {
    for (const std::int32_t columns : {1, Config::depth - 1, Config::depth})
      for (int off = 0; off < Config::block; ++off) {
        expect_places<Config, true>(columns, off, 0);
        for (const std::int64_t run : {1000, 1001, 1002, 1003}) expect_places<Config, false>(columns, off, run);
      }
  };
  (expect.template operator()<Configs>(), ...);
}

TEST(StreamImage, HasAPlaceForEveryElementOfATile) {
  expect_places_in(StreamConfigs<float>());
  expect_places_in(StreamConfigs<double>());
  expect_places_in(StreamConfigs<std::uint16_t>());
}

// A warp reaches eight chunks of neighbouring lines at once, `beside` of each line. No two are in the same banks,
// wherever in their lines they are.
TEST(ChunkDeal, PutsChunksThatAreReachedAtOnceInBanksOfTheirOwn) {
  constexpr std::uint32_t banks = 8;  // of 16 bytes
  for (const std::uint32_t beside : {1u, 2u})
    for (std::uint32_t length = beside; length <= 40; length += beside) {
      const ChunkDeal deal = chunk_deal(static_cast<int>(length), static_cast<int>(beside));
      for (std::uint32_t line = 0; line < 64; line += banks / beside)
        for (std::uint32_t first = 0; first < length; first += beside) {
          std::set<std::uint32_t> reached;
          for (std::uint32_t l = 0; l < banks / beside; ++l)
            for (std::uint32_t c = 0; c < beside; ++c)
              reached.insert(deal.place(((line + l) * length + first + c) * 16) / 16 % banks);
          ASSERT_EQ(reached.size(), banks) << length << ' ' << beside << ": lines from " << line << ", chunk " << first;
        }
    }
}

TEST(ChunkDeal, KeepsPlacesApart) {
  for (const int beside : {1, 2})
    for (int length = beside; length <= 40; length += beside) {
      std::set<std::uint32_t> places;
      for (std::uint32_t address = 0; address < 65536; address += 4)
        places.insert(chunk_deal(length, beside).place(address));
      EXPECT_EQ(places.size(), 65536u / 4) << length;
      EXPECT_EQ(*places.rbegin(), 65536u - 4) << length;
    }
}

/// How the result of a product of a million rows is dealt, in 16 bits as floats where it is more than rounded.
template <class T>
ChunkDeal dealt(std::int64_t n, bool is_plain, Element element, const Lies& lies = {}) {
  Call call = gemm_call({1000000, n, 8}, element);
  call.C    = matrix_of(element, 1000000, n, lies);
  if (!is_plain) call.beta = 1;
  return stream_arguments<T>(call)->C.deal;
}

TEST(ChunkDeal, IsOfRowsOfWholeChunks) {
  const auto is = [](ChunkDeal a, ChunkDeal b) { return a.shift == b.shift && a.bits == b.bits; };
  EXPECT_TRUE(is(dealt<float>(16, true, Element::f32), chunk_deal(4, 1)));
  EXPECT_TRUE(is(dealt<double>(16, true, Element::f64), chunk_deal(8, 1)));
  EXPECT_TRUE(is(dealt<std::uint16_t>(48, true, Element::bf16), chunk_deal(6, 1)));
  EXPECT_TRUE(is(dealt<std::uint16_t>(48, false, Element::bf16), chunk_deal(12, 2)));
  EXPECT_EQ(dealt<float>(17, true, Element::f32).bits, 0);
  EXPECT_EQ(dealt<std::uint16_t>(20, true, Element::bf16).bits, 0);
  EXPECT_EQ(dealt<float>(16, true, Element::f32, {.by_columns = true}).bits, 0);
}

TEST(LaneStride, GoesThroughARectangleInTurns) {
  for (std::uint32_t width = 1; width <= 70; ++width) {
    const LaneStride stride(width);
    std::vector<int> visits(width * 40);
    for (int lane = 0; lane < 32; ++lane) {
      std::int32_t row = stride.first_row(lane), column = lane - row * stride.width(), at = lane;
      for (; row < 40; at += 32) {
        ASSERT_EQ(row * stride.width() + column, at);
        ++visits[static_cast<std::size_t>(at)];
        row += stride.rows();
        column += stride.columns();
        if (column < stride.width()) continue;
        column -= stride.width();
        ++row;
      }
    }
    EXPECT_EQ(visits, std::vector<int>(visits.size(), 1)) << width;
  }
}

}  // namespace
}  // namespace Tegula::Test
