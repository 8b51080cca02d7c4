// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/tf32/Tegula_Tf32Config.hpp"
#include "cuda/tf32/Tegula_Tf32Operands.hpp"
#include "cuda/tf32/Tegula_Tf32Rows.hpp"
#include "cuda/wgmma/Tegula_WgmmaRows.hpp"

/// How the tf32 and tf32x3 families plan, for machines given as data, how they take operands, and where threads find
/// them.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

/// C = left right^T where rows of each, or columns, are contiguous.
ProductCall<float> call_of(const GemmShape& shape, Major left, Major right, std::int64_t padding = 0) {
  ProductCall<float> call{};
  const auto matrix = [&](std::int64_t lines, Major major) -> MatrixRef<const float> {
    const bool by_depth = major == Major::depth;
    return {nullptr, lines, shape.k, by_depth ? shape.k + padding : 1, by_depth ? 1 : lines + padding};
  };
  call.left            = matrix(shape.m, left);
  call.right           = matrix(shape.n, right);
  call.C.row_stride    = shape.n;
  call.C.column_stride = 1;
  return call;
}

/// The same as a call of gemm.
Call gemm_of(const GemmShape& shape, Major left = Major::depth, Major right = Major::depth) {
  Call call    = gemm_call(shape);
  call.compute = Compute::tf32;
  call.A       = matrix_of(Element::f32, shape.m, shape.k, {.by_columns = left == Major::lines});
  call.B       = matrix_of(Element::f32, shape.k, shape.n, {.by_columns = right == Major::depth});
  return call;
}

Plan plan_of_tf32(const Call& call, PlanOptions options = {}) {
  options.family = "tf32";
  return plan_of(call, options);
}

TEST(Tf32Plan, TakesLargeTilesForLargeProducts) {
  EXPECT_GE(plan_of_tf32(gemm_of({8192, 8192, 8192})).tile().n, 192);
  EXPECT_EQ(plan_of_tf32(gemm_of({256, 256, 256})).tile(), (TileShape{128, 64, 32}));
}

TEST(Tf32Plan, TakesTheTileThatIsAskedForOrNone) {
  const Call call = gemm_of({8192, 8192, 8192});
  EXPECT_EQ(plan_of_tf32(call, {.tile = {128, 64, 32}}).tile(), (TileShape{128, 64, 32}));
  EXPECT_TRUE(is_refused("the tf32 family has no tile 64x64x32, only", call, {.family = "tf32", .tile = {64, 64, 32}}));
}

TEST(Tf32Plan, TurnsTheTileWhereItComputesTheTranspose) {
  const Call turned = gemm_of({8192, 8192, 8192}, Major::depth, Major::lines);
  EXPECT_GE(plan_of_tf32(turned).tile().m, 192);
  for (const TileShape& tile : {TileShape{128, 192, 32}, TileShape{192, 128, 32}})
    EXPECT_EQ(plan_of_tf32(gemm_of({996, 996, 996}, Major::depth, Major::lines), {.tile = tile}).tile(),
              (TileShape{192, 128, 32}));
}

TEST(Tf32Plan, SplitsTheInnerDimensionWhereTeamsWouldIdle) {
  const Call few = gemm_of({256, 256, 16384});
  EXPECT_GT(plan_of_tf32(few).products[0].split_k, 4);
  EXPECT_EQ(plan_of_tf32(gemm_of({8192, 8192, 8192})).products[0].split_k, 1);
  EXPECT_EQ(plan_of_tf32(few, {.split_k = 3}).products[0].split_k, 3);
}

// It computes the tall, narrow product worse than a family for those, but may.
TEST(Tf32Plan, IsForProductsThatPay) {
  EXPECT_STREQ(plan_of(gemm_of({4096, 4096, 4096})).family, "tf32");
  EXPECT_STRNE(plan_of(gemm_of({1 << 20, 8, 8})).family, "tf32");
  EXPECT_TRUE(takes("tf32", gemm_of({1 << 20, 8, 8})));
}

TEST(Tf32Plan, SaysThatFactorsAreRounded) {
  const std::string text = plan_of_tf32(gemm_of({1024, 1024, 1024})).text();
  EXPECT_NE(text.find("floats that are rounded to TF32"), std::string::npos) << text;
  Call backward    = backward_call({1024, 1024, 1024});
  backward.compute = Compute::tf32;
  EXPECT_NE(plan_of_tf32(backward).text().find("rounded to TF32"), std::string::npos);
}

TEST(Tf32Plan, CopiesOperandsThatBothHaveContiguousLines) {
  const ProductPlan product = plan_of_tf32(gemm_of({512, 768, 256}, Major::lines, Major::lines)).products[0];
  EXPECT_EQ(product.left_copy_bytes, 512u * 256 * 4);
  EXPECT_EQ(product.right_copy_bytes, 0u);
}

/// A call whose floats may be multiplied in parts.
Call in_parts(Call call) {
  call.compute = Compute::fp32_split;
  return call;
}

Plan plan_of_tf32x3(const Call& call, PlanOptions options = {}) {
  options.family = "tf32x3";
  return plan_of(in_parts(call), options);
}

TEST(Tf32x3Plan, TakesTheTileThatIsAskedForOrNone) {
  for (const TileShape& tile : {TileShape{128, 64, 32}, TileShape{64, 64, 32}})
    EXPECT_EQ(plan_of_tf32x3(gemm_of({996, 996, 996}), {.tile = tile}).tile(), tile);
  EXPECT_TRUE(is_refused("the tf32x3 family has no tile 128x128x32, only", in_parts(gemm_of({996, 996, 996})),
                         {.family = "tf32x3", .tile = {128, 128, 32}}));
  EXPECT_EQ(plan_of_tf32x3(gemm_of({996, 996, 996}, Major::depth, Major::lines), {.tile = {128, 64, 32}}).tile(),
            (TileShape{64, 128, 32}));
}

// Where fp32_split's passes over operands take longer than its faster kernel gains: on an H200 76 x 7416 x 637 takes 20
// us, by fp32_split 30; 8653 x 3753 x 632 takes 440, by fp32_split 250.
TEST(Tf32x3Plan, IsForProductsThatAreTooSmallForPasses) {
  for (const GemmShape& shape : {GemmShape{76, 7416, 637}, GemmShape{136, 1208, 12624}})
    EXPECT_STREQ(plan_of(in_parts(gemm_of(shape, Major::depth, Major::lines))).family, "tf32x3");
  EXPECT_STREQ(plan_of(in_parts(gemm_of({8653, 3753, 632}, Major::depth, Major::depth))).family, "fp32_split");
  EXPECT_TRUE(is_refused("the call does not allow Compute::fp32_split", gemm_of({64, 64, 64}), {.family = "tf32x3"}));
}

TEST(Tf32x3Plan, SplitsTheInnerDimensionWhereTeamsWouldIdle) {
  EXPECT_GT(plan_of_tf32x3(gemm_of({256, 256, 16384})).products[0].split_k, 4);
  EXPECT_EQ(plan_of_tf32x3(gemm_of({8192, 8192, 8192})).products[0].split_k, 1);
}

TEST(Tf32x3Plan, TakesOperandsAsTf32Does) {
  for (const Major left : {Major::depth, Major::lines})
    for (const Major right : {Major::depth, Major::lines}) {
      const Call call           = gemm_of({512, 768, 256}, left, right);
      const ProductPlan rounded = plan_of_tf32(call).products[0];
      const ProductPlan split   = plan_of_tf32x3(call).products[0];
      EXPECT_EQ(split.left_copy_bytes, rounded.left_copy_bytes);
      EXPECT_EQ(split.right_copy_bytes, rounded.right_copy_bytes);
    }
}

TEST(Tf32x3Plan, SaysWhatIsMultiplied) {
  const std::string text = plan_of_tf32x3(gemm_of({1024, 1024, 1024})).text();
  EXPECT_NE(text.find("three products of two parts of TF32 each"), std::string::npos) << text;
}

// Left and right, each as rows of contiguous depth or of contiguous lines.
TEST(Tf32Operands, AreTakenAsTheyLieUnlessBothHaveContiguousLines) {
  const GemmShape shape{512, 768, 256};
  const auto of = [&](Major left, Major right) { return tf32_operands(call_of(shape, left, right)); };
  for (const Major left : {Major::depth, Major::lines})
    for (const Major right : {Major::depth, Major::lines}) {
      const bool both = left == Major::lines && right == Major::lines;
      EXPECT_EQ(of(left, right).copies_left, both);
      EXPECT_FALSE(of(left, right).copies_right);
      EXPECT_EQ(of(left, right).transposed, right == Major::lines);
    }
  const ProductCall<float> wide = call_of({768, 512, 256}, Major::lines, Major::lines);
  EXPECT_FALSE(tf32_operands(wide).copies_left);
  EXPECT_TRUE(tf32_operands(wide).copies_right) << "the one with fewer lines";
  EXPECT_FALSE(tf32_operands(wide).transposed);
}

TEST(Tf32Operands, AreCopiedWhereTmaDoesNotTakeThem) {
  const GemmShape shape{512, 768, 256};
  const ProductCall<float> odd = call_of(shape, Major::depth, Major::lines, 1);
  EXPECT_TRUE(tf32_operands(odd).copies_left);
  EXPECT_TRUE(tf32_operands(odd).copies_right);
  EXPECT_FALSE(tf32_operands(odd).transposed) << "copies have contiguous depth";
  const OperandCopies copies = tf32_copies(odd, shape);
  EXPECT_EQ(copies.left_bytes, 512u * 256 * 4);
  EXPECT_EQ(copies.right_bytes, 768u * 256 * 4);
  EXPECT_EQ(tf32_copies(call_of({3, 5, 33}, Major::depth, Major::depth), {3, 5, 33}).left_bytes, 3u * 64 * 4);
  EXPECT_TRUE(tf32_copies(odd, {512, 768, 0}).none());
}

// A thread has two rows of the tensor cores' 64, in whatever order.
TEST(Tf32Rows, AreAllOfAConsumersLines) {
  for (const Major major : {Major::depth, Major::lines}) {
    std::set<int> lines;
    for (int thread = 0; thread < 128; ++thread)
      for (const int half : {0, 1}) lines.insert(wgmma_line(major, WgmmaThread(thread), half));
    EXPECT_EQ(lines.size(), 64u);
    EXPECT_EQ(*lines.begin(), 0);
    EXPECT_EQ(*lines.rbegin(), 63);
  }
  // Threads of a group have the same rows.
  EXPECT_EQ(wgmma_line(Major::lines, WgmmaThread(4), 1), wgmma_line(Major::lines, WgmmaThread(7), 1));
}

// Loads of 8 bytes are served 16 threads at a time, which are to name every bank once.
TEST(Tf32Rows, LieSoThatThreadsMeetInNoBank) {
  for (int first = 0; first < 128; first += 16)
    for (const int step : {0, 4}) {
      std::set<std::uint32_t> banks;
      for (int t = first; t < first + 16; ++t) {
        const WgmmaThread thread(t);
        const int line = wgmma_line(Major::lines, thread, 0);
        EXPECT_EQ(wgmma_line(Major::lines, thread, 1), line + 1);
        const std::uint32_t place = tf32_left_place(line, thread.quarter + step);
        EXPECT_EQ(tf32_left_place(line + 1, thread.quarter + step), place + 4);
        EXPECT_EQ(tf32_left_place(line, thread.quarter + step + 8), place + 8 * 128) << "the next part";
        banks.insert(place % 128 / 8);
      }
      EXPECT_EQ(banks.size(), 16u);
    }
}

// All elements of a piece have places of their own, and runs of 16 bytes stay together.
template <class Piece>
void expect_places(int rows, int columns) {
  std::set<int> places;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      EXPECT_EQ(Piece::place(i, j), Piece::place(i, j / 4 * 4) + j % 4 * 4);
      places.insert(Piece::place(i, j));
    }
  EXPECT_EQ(places.size(), 64u * 16);
  constexpr int bytes = Tf32Config<128, 64, 2>::Ending::piece_bytes;
  EXPECT_EQ(*places.rbegin(), bytes - 4);
}

TEST(WgmmaPiece, HasAPlaceForEachElement) {
  expect_places<WgmmaPieceByRows>(64, 16);
  expect_places<WgmmaPieceByColumns>(16, 64);
}

}  // namespace
}  // namespace Tegula::Test
