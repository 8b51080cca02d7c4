// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/fp32_split/Tegula_Fp32SplitMemory.hpp"

/// How the split family plans, for machines given as data, and where the parts of operands lie.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

Plan plan_of_split(const GemmShape& shape, PlanOptions options = {}) {
  Call call      = gemm_call(shape);
  call.compute   = Compute::fp32_split;
  options.family = "fp32_split";
  return plan_of(call, options);
}

TEST(Fp32SplitPlan, TakesLargeTilesForLargeProducts) {
  EXPECT_EQ(plan_of_split({8192, 8192, 8192}).tile(), (TileShape{128, 128, 64}));
  EXPECT_EQ(plan_of_split({512, 512, 512}).tile(), (TileShape{64, 64, 64}));
}

TEST(Fp32SplitPlan, TakesTheTileThatIsAskedForOrNone) {
  EXPECT_EQ(plan_of_split({8192, 8192, 8192}, {.tile = {128, 64, 64}}).tile(), (TileShape{128, 64, 64}));
  EXPECT_THROW(plan_of_split({8192, 8192, 8192}, {.tile = {128, 32, 64}}), std::invalid_argument);
}

TEST(Fp32SplitPlan, SplitsALongSumOfFewTiles) {
  EXPECT_GT(plan_of_split({128, 128, 8192}).products[0].split_k, 4);
  EXPECT_EQ(plan_of_split({4096, 4096, 4096}).products[0].split_k, 1);
  EXPECT_EQ(plan_of_split({128, 128, 8192}, {.split_k = 4}).products[0].split_k, 4);
}

// Operands are read and their parts written before the product, whatever its size.
TEST(Fp32SplitPlan, IsForProductsThatPay) {
  const auto family_of = [](const GemmShape& shape) {
    Call call    = gemm_call(shape);
    call.compute = Compute::fp32_split;
    return std::string(plan_of(call).family);
  };
  EXPECT_EQ(family_of({8192, 8192, 8192}), "fp32_split");
  EXPECT_NE(family_of({64, 64, 64}), "fp32_split");
  EXPECT_NE(family_of({1 << 20, 32, 1 << 10}), "fp32_split");
}

TEST(Fp32SplitPlan, SaysWhichPartsMayBeMultiplied) {
  const std::string text = plan_of_split({1024, 1024, 1024}).text();
  EXPECT_NE(text.find("products of f16 parts, six of bf16 parts"), std::string::npos) << text;
}

TEST(Fp32SplitPlan, HasRoomForThePartsOfBothOperands) {
  const ProductPlan product = plan_of_split({1000, 500, 130}).products[0];
  ProductCall<float> call{};
  call.left                 = {nullptr, 1000, 130, 130, 1};
  call.right                = {nullptr, 500, 130, 1, 500};
  const OperandCopies parts = split_copies(call, {1000, 500, 130}, h200.multiprocessors);
  EXPECT_EQ(product.left_copy_bytes, parts.left_bytes);
  EXPECT_EQ(product.right_copy_bytes, parts.right_bytes);
  EXPECT_GE(product.left_copy_bytes + product.right_copy_bytes, 2u * 2 * (1000 + 500) * 130)
      << "two f16 each, at least";
}

TEST(Fp32SplitPlan, CountsTheRowsOfAllPartsIn32Bits) {
  Call call    = gemm_call({1 << 30, 8, 8});
  call.compute = Compute::fp32_split;
  EXPECT_TRUE(is_refused("times the parts of a number, is too large", call, {.family = "fp32_split"}));
}

// The words, then the parts and scales of both operands, follow each other.
TEST(Fp32SplitPlan, PutsPartsBehindEachOther) {
  ProductCall<float> call{};
  call.left          = {nullptr, 100, 130, 130, 1};
  call.right         = {nullptr, 70, 130, 1, 70};
  char* const memory = nullptr;
  Fp32SplitWorkspace bytes;
  const Fp32SplitOperands both = split_operands(call.left, call.right, memory, 132, bytes);
  EXPECT_EQ(both.operands[0].pitch, 192);
  EXPECT_EQ(both.operands[0].blocks, 3);
  EXPECT_EQ(bytes.left.parts, 3u * 100 * 192 * 2);
  EXPECT_EQ(bytes.left.scales, 128u * 4);
  EXPECT_EQ(reinterpret_cast<char*>(both.operands[0].parts) - memory, static_cast<std::ptrdiff_t>(bytes.words));
  EXPECT_EQ(reinterpret_cast<char*>(both.operands[1].parts) - memory,
            static_cast<std::ptrdiff_t>(bytes.words + bytes.left.all()));
  EXPECT_FALSE(both.operands[0].reader.along_lines);
  EXPECT_TRUE(both.operands[1].reader.along_lines);
  const OperandCopies copies = split_copies(call, {100, 70, 130}, 132);
  EXPECT_EQ(copies.left_bytes + copies.right_bytes, bytes.all());
  EXPECT_TRUE(split_copies(call, {100, 70, 0}, 132).none());
}

// Every tile of both operands is the share of one team. Shares differ by at most one tile.
TEST(Fp32SplitPlan, SharesOutAllTiles) {
  ProductCall<float> call{};
  for (const std::int64_t lines : {1, 64, 1000, 5000}) {
    call.left  = {nullptr, lines, 777, 777, 1};
    call.right = {nullptr, 130, 777, 777, 1};
    Fp32SplitWorkspace bytes;
    const Fp32SplitOperands both = split_operands(call.left, call.right, nullptr, 132, bytes);
    std::uint32_t next[2] = {}, least = ~0u, most = 0;
    for (std::uint32_t team = 0; team < both.teams; ++team) {
      std::uint32_t all = 0;
      for (int operand = 0; operand < 2; ++operand) {
        std::uint32_t first       = 0;
        const std::uint32_t tiles = both.share(operand, team, first);
        if (tiles > 0) {
          EXPECT_EQ(first, next[operand]) << team;
        }
        next[operand] += tiles;
        all += tiles;
      }
      least = std::min(least, all), most = std::max(most, all);
    }
    for (int operand = 0; operand < 2; ++operand) EXPECT_EQ(next[operand], both.operands[operand].tiles()) << lines;
    EXPECT_LE(most - least, 1u);
  }
}

}  // namespace
}  // namespace Tegula::Test
