// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/mma/Tegula_MmaElementLayout.hpp"
#include "cuda/mma/Tegula_MmaLayout.hpp"
#include "cuda/mma/Tegula_MmaTiles.hpp"

/// How the mma family plans, for machines given as data, and how its tiles lie in scratch.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Plan plan_of_mma(const GemmShape& shape, Element element, PlanOptions options = {}, const CudaMachine& machine = h200) {
  options.family = "mma";
  return plan_of(gemm_call(shape, element), options, machine);
}

TEST(MmaPlan, TakesLargeTilesForLargeProducts) {
  EXPECT_GE(plan_of_mma({8192, 8192, 8192}, Element::bf16).tile().n, 128);
  EXPECT_EQ(plan_of_mma({8192, 8192, 8192}, Element::f64).tile().m, 128);
}

/// A product of floats that may be rounded to TF32.
Call tf32_call(const GemmShape& shape, const Lies& lies = {}) {
  Call call    = gemm_call(shape, Element::f32, lies);
  call.compute = Compute::tf32;
  return call;
}

TEST(MmaPlan, TakesFloatsOnlyIfTheyMayBeRounded) {
  const GemmShape shape{1000, 1000, 1000};
  EXPECT_TRUE(takes("mma", tf32_call(shape)));
  const Call native = gemm_call(shape);
  EXPECT_TRUE(is_refused("the call allows neither Compute::tf32 nor Compute::fp32_split", native, {.family = "mma"}));
  for (const FamilyProposal& p : cuda_proposals(native, h200, {})) EXPECT_STRNE(p.family->name, "mma");
  // Their kernels apply no activation of the user's.
  Call own        = tf32_call(shape);
  own.is_built_in = false;
  EXPECT_FALSE(takes("mma", own));
  // Other types are not rounded, whatever is allowed.
  for (const Element element : {Element::bf16, Element::f64}) EXPECT_TRUE(takes("mma", gemm_call(shape, element)));
}

// On Hopper three products of parts take more than half as long as a multiply-add in float, and nobody proposes them.
TEST(MmaPlan, SplitsFloatsWhereThatGains) {
  const CudaMachine a100 = machine_of(80, 108, 163 * KiB);
  for (const GemmShape& shape : {GemmShape{1000, 1000, 1000}, GemmShape{4096, 4096, 4096}}) {
    Call call    = gemm_call(shape);
    call.compute = Compute::fp32_split;
    EXPECT_STREQ(plan_of(call, {}, a100).family, "mma");
    EXPECT_NE(plan_of(call, {}, a100).text().find("three products of two parts of TF32"), std::string::npos);
    for (const FamilyProposal& p : cuda_proposals(call, h200, {})) EXPECT_STRNE(p.family->name, "mma");
    const Plan asked = plan_of(call, {.family = "mma"});
    EXPECT_STREQ(asked.family, "mma");
    EXPECT_NE(asked.text().find("three products of two parts of TF32"), std::string::npos) << asked.text();
    EXPECT_EQ(asked.products[0].workspace_bytes, 0u) << asked.text();
  }
}

// Where the tf32 family would copy operands for few lines (46 x 3751 x 1733 takes 23 us, 34 by tf32) or for a few
// microseconds, or has no kernels. Where results are large it stores them faster (2351 x 13709 x 97: 149 us, 182 here).
TEST(MmaPlan, IsForFloatsThatAreNotAligned) {
  for (const GemmShape& shape : {GemmShape{46, 3753, 1733}, GemmShape{301, 3001, 101}, GemmShape{2001, 2001, 41}}) {
    const Call call = tf32_call(shape, {.padding = 1});
    const Plan plan = plan_of(call);
    EXPECT_GT(plan_of(call, {.family = "tf32"}).products[0].left_copy_bytes, 0u);
    EXPECT_STREQ(plan.family, "mma") << shape.m << ' ' << shape.n << ' ' << shape.k;
    EXPECT_EQ(plan.products[0].left_copy_bytes + plan.products[0].right_copy_bytes, 0u);
    EXPECT_NE(plan.text().find("floats that are rounded to TF32"), std::string::npos) << plan.text();
  }
  EXPECT_STREQ(plan_of(tf32_call({2351, 13709, 97}, {.padding = 1})).family, "tf32");
  EXPECT_STREQ(plan_of(tf32_call({4096, 4096, 4096})).family, "tf32");
  EXPECT_STREQ(plan_of(tf32_call({4096, 4096, 4096}), {}, machine_of(80, 108, 163 * KiB)).family, "mma");
}

TEST(MmaPlan, SaysThatFactorsAreRoundedOnlyIfTheyAre) {
  for (const Element element : {Element::bf16, Element::f64})
    EXPECT_EQ(plan_of_mma({512, 512, 512}, element).text().find("TF32"), std::string::npos);
}

TEST(MmaPlan, TakesNarrowTilesForNarrowProducts) {
  EXPECT_EQ(plan_of_mma({1000000, 8, 8}, Element::f64).tile(), (TileShape{32, 16, 16}));
  EXPECT_EQ(plan_of_mma({65536, 64, 64}, Element::f16).tile().n, 64);
  EXPECT_EQ(plan_of_mma({16, 8192, 8192}, Element::f16).tile().m, 64);
}

TEST(MmaPlan, SplitsALongSumOfFewTiles) {
  const ProductPlan product = plan_of_mma({32, 32, 1000000}, Element::f64).products[0];
  EXPECT_GT(product.split_k, 100);
  EXPECT_EQ(product.workspace_bytes, 8u * 32 * 32 * static_cast<std::size_t>(product.split_k));
  for (const Element element : {Element::bf16, Element::f64}) {
    EXPECT_GT(plan_of_mma({256, 256, 65536}, element).products[0].split_k, 4);
    EXPECT_EQ(plan_of_mma({4096, 4096, 65536}, element).products[0].split_k, 1);
  }
}

TEST(MmaPlan, TakesNoMoreScratchThanThereIs) {
  for (const std::size_t scratch : {40, 93, 155, 219})
    for (const std::int64_t n : {64, 1024, 2048, 8192})
      for (const Element element : {Element::f16, Element::f64}) {
        const Plan plan = plan_of_mma({n, n, n}, element, {}, machine_of(80, 108, scratch * KiB));
        EXPECT_LE(plan.scratch_bytes, scratch * KiB) << n;
      }
  for (const std::size_t scratch : {48, 99})
    EXPECT_LE(
        plan_of(tf32_call({8192, 8192, 8192}), {.family = "mma"}, machine_of(80, 108, scratch * KiB)).scratch_bytes,
        scratch * KiB);
}

// A tile begins where the product lets it end: never where C is added to, nor where copies or stores of several
// elements would not be aligned.
TEST(MmaPlan, LetsTilesBeginWhereNothingIsMisaligned) {
  AsyncOperand by_depth, by_lines;
  by_depth.whole_chunks = by_lines.whole_chunks = by_depth.whole_words = by_lines.whole_words = true;
  by_lines.major                                                                              = Major::lines;
  AsyncOperand in_words                                                                       = by_lines;
  in_words.whole_chunks                                                                       = false;
  AsyncOperand gathered                                                                       = in_words;
  gathered.whole_words                                                                        = false;
  const GemmShape shape{36, 44, 100}, whole{40, 48, 100}, odd{37, 45, 100};
  const CudaOutput none;
  const auto output  = [](StoreBy by) { return CudaOutput{{}, by}; };
  const auto movable = [&](const AsyncOperand& left, const AsyncOperand& right, const GemmShape& of, StoreBy C,
                           StoreBy Z = StoreBy::nobody) {
    const MovableTiles tiles = movable_mma_tiles(left, right, of, output(C), output(Z), false);
    return std::pair(tiles.rows, tiles.columns);
  };
  using Along = std::pair<bool, bool>;
  EXPECT_EQ(movable(by_depth, by_depth, shape, StoreBy::threads), Along(true, true));
  EXPECT_EQ(movable(gathered, gathered, shape, StoreBy::threads), Along(true, true));
  EXPECT_EQ(movable(gathered, gathered, odd, StoreBy::threads), Along(true, true));
  EXPECT_EQ(movable(in_words, in_words, shape, StoreBy::threads), Along(true, true));
  EXPECT_EQ(movable(in_words, by_depth, odd, StoreBy::threads), Along(false, true));
  EXPECT_EQ(movable(by_depth, in_words, odd, StoreBy::threads), Along(true, false));
  EXPECT_EQ(movable(by_lines, by_depth, shape, StoreBy::threads), Along(false, true));
  EXPECT_EQ(movable(by_depth, by_lines, shape, StoreBy::threads), Along(true, false));
  EXPECT_EQ(movable(by_lines, by_lines, whole, StoreBy::rows), Along(true, true));
  EXPECT_EQ(movable(by_depth, by_depth, shape, StoreBy::rows), Along(true, false));
  EXPECT_EQ(movable(by_depth, by_depth, shape, StoreBy::columns), Along(false, true));
  EXPECT_EQ(movable(by_depth, by_depth, shape, StoreBy::pairs), Along(true, false));
  EXPECT_EQ(movable(by_depth, by_depth, shape, StoreBy::threads, StoreBy::rows), Along(true, false));
  const MovableTiles added = movable_mma_tiles(by_depth, by_depth, whole, output(StoreBy::threads), none, true);
  EXPECT_FALSE(added.rows || added.columns);
}

// Words are what cp.async takes where lines do not lie in chunks: neighbours of 16 bits that lie on 4 bytes, or floats.
TEST(MmaPlan, CopiesWordsWhereLinesBeginOnThem) {
  alignas(16) static std::array<std::uint16_t, 64> memory{};
  const auto operand = [](int first, std::int64_t row_stride, std::int64_t column_stride) {
    return async_operand(MatrixRef<const std::uint16_t>{memory.data() + first, 4, 5, row_stride, column_stride});
  };
  const auto copies = [](const AsyncOperand& of) { return std::pair(of.whole_chunks, of.whole_words); };
  using Copies      = std::pair<bool, bool>;
  EXPECT_EQ(copies(operand(0, 8, 1)), Copies(true, true));
  EXPECT_EQ(copies(operand(0, 6, 1)), Copies(false, true));
  EXPECT_EQ(copies(operand(2, 8, 1)), Copies(false, true));
  EXPECT_EQ(copies(operand(0, 1, 10)), Copies(false, true));
  EXPECT_EQ(copies(operand(1, 6, 1)), Copies(false, false)) << "the address";
  EXPECT_EQ(copies(operand(0, 7, 1)), Copies(false, false)) << "the stride";
  EXPECT_EQ(copies(operand(0, 12, 2)), Copies(false, false)) << "no neighbours";
  EXPECT_EQ(copies(operand(0, 0, 1)), Copies(false, false)) << "one line at all places";
}

// Words take longer to fetch than chunks, and not as long as what is gathered element by element.
TEST(MmaPlan, KnowsThatWordsComeFasterThanElements) {
  const auto seconds = [](std::int64_t n) {
    return plan_of_mma({512, n, n}, Element::bf16, {.tile = {64, 64, 32}, .split_k = 1}).products[0].seconds;
  };
  EXPECT_LT(seconds(520), seconds(514));
  EXPECT_LT(seconds(514), seconds(513));
}

TEST(MmaPlan, ObeysOptions) {
  const PlanOptions half{.tile = {128, 64, 32}, .group = 3, .split_k = 2}, whole{.tile = {128, 64, 16}, .split_k = 2};
  const Plan plan = plan_of_mma({1000, 1000, 1000}, Element::bf16, half);
  EXPECT_EQ(plan.tile(), (TileShape{128, 64, 32}));
  EXPECT_EQ(plan.products[0].order.group, 3);
  EXPECT_EQ(plan.products[0].split_k, 2);
  EXPECT_EQ(plan_of_mma({1000, 1000, 1000}, Element::f64, whole).tile(), (TileShape{128, 64, 16}));
  const Call call = gemm_call({64, 64, 64}, Element::bf16);
  EXPECT_TRUE(is_refused("the mma family has no tile 1x2x3, only", call, {.family = "mma", .tile = {1, 2, 3}}));
  const PlanOptions large{.family = "mma", .tile = {128, 256, 32}};
  EXPECT_TRUE(is_refused("the mma family has no tile 128x256x32, only", call, large, before_kokkos_5_2));
  EXPECT_TRUE(
      is_refused("no tile 128x64x32", gemm_call({64, 64, 64}, Element::f64), {.family = "mma", .tile = {128, 64, 32}}));
  const PlanOptions few{.family = "mma", .tile = {32, 64, 32}, .split_k = 3};
  EXPECT_EQ(plan_of(tf32_call({1000, 1000, 1000}), few).tile(), (TileShape{32, 64, 32}));
  EXPECT_EQ(plan_of(tf32_call({1000, 1000, 1000}), few).products[0].split_k, 3);
  const PlanOptions half_only{.family = "mma", .tile = {128, 64, 64}};
  EXPECT_TRUE(is_refused("no tile 128x64x64", tf32_call({64, 64, 64}), half_only));
}

// Elements of 16 bits that do not lie in runs are gathered by the kernel, or copied first: for a large product each of
// them is read many times. Doubles are never copied.
TEST(MmaPlan, CopiesWhatDoesNotLieInRunsIfItIsLarge) {
  for (const Element element : {Element::f16, Element::f64}) {
    for (const std::int64_t n : {64, 8192}) {
      const Call call           = gemm_call({n, n, n}, element, {.padding = 1});
      const ProductPlan product = plan_of(call, {.family = "mma"}).products[0];
      const bool copies         = n == 8192 && element == Element::f16;
      EXPECT_EQ(product.left_copy_bytes > 0, copies);
      EXPECT_EQ(product.right_copy_bytes > 0, copies);
      EXPECT_GE(product.workspace_bytes, product.left_copy_bytes + product.right_copy_bytes);
    }
  }
  Call mixed = gemm_call({8192, 8192, 8192}, Element::bf16);
  mixed.B    = matrix_of(Element::bf16, 8192, 8192, {.padding = 8, .shift = 1});
  EXPECT_EQ(plan_of(mixed, {.family = "mma"}).products[0].left_copy_bytes, 0u) << "which is aligned";
  EXPECT_GT(plan_of(mixed, {.family = "mma"}).products[0].right_copy_bytes, 0u);
}

// Eight lanes that copy or read a chunk each at the same time have all 32 banks of scratch between them.
bool in_different_banks(const std::vector<int>& offsets) {
  std::set<int> banks;
  for (const int offset : offsets) banks.insert(offset / chunk_bytes % 8);
  return banks.size() == 8;
}

// Every chunk of a tile has a place of its own. Chunks are copied in order; eight threads that follow each other have
// different banks.
void every_chunk_has_a_place(int chunks_together) {
  for (const int row_chunks : {2, 4, 8, 16, 32}) {
    std::set<int> places;
    std::vector<int> together;
    const int rows = 128;
    for (int row = 0; row < rows; ++row) {
      for (int chunk = 0; chunk < row_chunks; ++chunk) {
        const int offset = chunk_offset(row, chunk, row_chunks, chunks_together);
        places.insert(offset);
        together.push_back(offset);
        if (together.size() < 8) continue;
        EXPECT_TRUE(in_different_banks(together)) << row << ' ' << chunk << " of " << row_chunks;
        together.clear();
      }
      EXPECT_EQ(chunk_swizzle(row, row_chunks, chunks_together), chunk_swizzle(row + 8, row_chunks, chunks_together));
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(rows * row_chunks));
    EXPECT_EQ(*places.begin(), 0);
    EXPECT_EQ(*places.rbegin(), (rows * row_chunks - 1) * chunk_bytes);
  }
}

TEST(AsyncLayout, HasAPlaceForEveryChunk) {
  every_chunk_has_a_place(1);
  every_chunk_has_a_place(2);
}

// Neighbours along the lines write chunks along depth when an operand is gathered.
TEST(MmaLayout, GathersWithoutBankConflicts) {
  for (const int row_chunks : {2, 4, 8}) {
    std::vector<int> together;
    for (int row = 0; row < 8; ++row) together.push_back(chunk_offset(row, 1, row_chunks));
    EXPECT_TRUE(in_different_banks(together));
  }
}

// The chunks that lanes point at give, through ldmatrix, the registers that mma.sync wants. For its left operand, the
// register of lane l that holds matrix q has line l / 4 + 8 (q mod 2), steps 2 (l mod 4) and the next + 8 (q div 2), of
// the block and the part that are asked for; of floats, step l mod 4 + 4 (q div 2). For its right operand q mod 2 and
// q div 2 change places.
template <class Element, Major major, int Lines, int Depth, int WarpLines, int WarpDepth = Depth>
void lanes_point_at_their_chunks(MatrixOrder order) {
  using Lane             = MmaLane<Element, major, Lines, Depth>;
  using Layout           = typename Lane::Layout;
  constexpr int in_chunk = Layout::chunk_elements, part_depth = 2 * in_chunk;
  for (int first_line = 0; first_line < Lines; first_line += WarpLines) {
    for (int first_step = 0; first_step < Depth; first_step += WarpDepth) {
      for (int block = 0; block < WarpLines / 16; ++block) {
        for (int part = 0; part < WarpDepth / part_depth; ++part) {
          for (int matrix = 0; matrix < 4; ++matrix) {
            std::vector<int> together;
            for (int row = 0; row < 8; ++row) {
              const Lane lane(order, first_line, first_step, 8 * matrix + row);
              const int second = matrix % 2, third = matrix / 2;
              const int line  = first_line + 16 * block + (order == MatrixOrder::lines_first ? second : third) * 8,
                        depth = first_step + part_depth * part +
                                (order == MatrixOrder::lines_first ? third : second) * in_chunk;
              const int rows = major == Major::depth ? block : part, columns = major == Major::depth ? part : block;
              // Row r of the matrix is one line, or, transposed, one step.
              const int expected = major == Major::depth
                                       ? chunk_offset(line + row, depth / in_chunk, Layout::row_chunks)
                                       : chunk_offset(depth + row, line / in_chunk, Layout::row_chunks);
              ASSERT_EQ(lane.offset(rows, columns), expected)
                  << first_line << ' ' << first_step << ' ' << block << ' ' << part << ' ' << matrix;
              together.push_back(expected);
            }
            ASSERT_TRUE(in_different_banks(together));
          }
        }
      }
    }
  }
}

template <Major major, int Lines, int WarpLines>
void lanes_point_at_their_chunks() {
  for (const MatrixOrder order : {MatrixOrder::lines_first, MatrixOrder::depth_first}) {
    lanes_point_at_their_chunks<std::uint16_t, major, Lines, 16, WarpLines>(order);
    lanes_point_at_their_chunks<std::uint16_t, major, Lines, 32, WarpLines>(order);
    lanes_point_at_their_chunks<std::uint16_t, major, Lines, 64, WarpLines>(order);
  }
}

TEST(MmaLayout, LanesPointAtTheirChunksWithoutBankConflicts) {
  lanes_point_at_their_chunks<Major::depth, 64, 32>();
  lanes_point_at_their_chunks<Major::depth, 128, 64>();
  lanes_point_at_their_chunks<Major::depth, 256, 64>();
  lanes_point_at_their_chunks<Major::lines, 64, 32>();
  lanes_point_at_their_chunks<Major::lines, 128, 64>();
  lanes_point_at_their_chunks<Major::lines, 256, 64>();
}

TEST(MmaLayout, LanesPointAtTheirChunksOfFloats) {
  for (const MatrixOrder order : {MatrixOrder::lines_first, MatrixOrder::depth_first}) {
    lanes_point_at_their_chunks<float, Major::depth, 128, 16, 64>(order);
    lanes_point_at_their_chunks<float, Major::depth, 128, 32, 64>(order);
    lanes_point_at_their_chunks<float, Major::depth, 64, 32, 32, 16>(order);
    lanes_point_at_their_chunks<float, Major::depth, 32, 32, 32, 8>(order);
  }
}

// What each lane reads of doubles, and of floats whose lines are contiguous, is what mma.sync wants: line l / 4 of the
// eight, step l mod 4 of the four. Lanes that read at a time, half a warp of doubles and a warp of floats, have all 32
// banks of scratch between them.
template <class Element, Major major, int Lines, int Depth, int WarpLines, int WarpDepth>
void lanes_read_their_elements() {
  using Lane             = MmaElementLane<Element, major, Lines, Depth>;
  using Layout           = typename Lane::Layout;
  constexpr int bytes    = sizeof(Element);
  constexpr int in_chunk = chunk_bytes / bytes, at_a_time = 128 / bytes;
  for (int first_line = 0; first_line < Lines; first_line += WarpLines) {
    for (int first_step = 0; first_step < Depth; first_step += WarpDepth) {
      for (int eight = 0; eight < WarpLines / 8; ++eight) {
        for (int quad = 0; quad < WarpDepth / 4; ++quad) {
          std::set<int> banks;
          for (int lane = 0; lane < 32; ++lane) {
            const int line = first_line + eight * 8 + lane / 4, depth = first_step + quad * 4 + lane % 4;
            const int row = major == Major::depth ? line : depth, along = major == Major::depth ? depth : line;
            const int rows = major == Major::depth ? eight : quad, columns = major == Major::depth ? quad : eight;
            const int actual = Lane(first_line, first_step, lane).offset(rows, columns) + Lane::column_offset(columns);
            ASSERT_EQ(actual, Layout::offset(row, along / in_chunk) + along % in_chunk * bytes) << line << ' ' << depth;
            banks.insert(actual % 128 / bytes);
            if ((lane + 1) % at_a_time != 0) continue;
            ASSERT_EQ(banks.size(), std::size_t(at_a_time)) << line << ' ' << depth;
            banks.clear();
          }
        }
      }
    }
  }
}

TEST(MmaElementLayout, LanesReadTheirDoublesWithoutBankConflicts) {
  lanes_read_their_elements<double, Major::depth, 128, 16, 64, 16>();
  lanes_read_their_elements<double, Major::depth, 128, 8, 64, 8>();
  lanes_read_their_elements<double, Major::depth, 64, 32, 32, 16>();
  lanes_read_their_elements<double, Major::depth, 32, 16, 16, 16>();
  lanes_read_their_elements<double, Major::lines, 128, 16, 64, 16>();
  lanes_read_their_elements<double, Major::lines, 64, 8, 32, 8>();
  lanes_read_their_elements<double, Major::lines, 32, 32, 16, 16>();
  lanes_read_their_elements<double, Major::lines, 16, 16, 16, 16>();
}

TEST(MmaElementLayout, LanesReadTheirFloatsWithoutBankConflicts) {
  lanes_read_their_elements<float, Major::lines, 128, 16, 64, 16>();
  lanes_read_their_elements<float, Major::lines, 128, 32, 64, 32>();
  lanes_read_their_elements<float, Major::lines, 64, 32, 32, 16>();
  lanes_read_their_elements<float, Major::lines, 32, 32, 32, 8>();
}

// Copies of single elements reach only a few rows in a pass, whose swizzle the copies of later passes change.
TEST(AsyncLayout, SwizzlesRowsThatAreAddedBySwizzlingTheirOffset) {
  for (const int row_chunks : {2, 4, 8, 16, 32})
    for (const int together : {1, 2})
      for (const int pass_rows : {1, 2, 4, 8, 16})
        for (int row = 0; row < 64; ++row)
          for (int chunk = 0; chunk < row_chunks; ++chunk) {
            const int of_pass = row % pass_rows, added = row - of_pass;
            const int first = chunk_offset(of_pass, chunk, row_chunks, together);
            EXPECT_EQ(
                (first ^ chunk_swizzle(added, row_chunks, together) * chunk_bytes) + added * row_chunks * chunk_bytes,
                chunk_offset(row, chunk, row_chunks, together));
          }
}

}  // namespace
}  // namespace Tegula::Test
