// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"

/// The skinny family gives what the portable family gives, whichever side is the long one, whatever the layouts, the
/// transposes, the epilogue and the tile: all are drawn. Needs a GPU of compute capability 8.0 or newer, and is skipped
/// elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct SkinnyFacts {
  static constexpr const char* name = "skinny";
};

template <class T>
class Skinny : public CudaFamily<T, SkinnyFacts> {
 protected:
  using Element = typename T::Input;

  // Tiles that there is scratch for.
  static std::vector<TileShape> tiles() {
    const bool has_scratch = cuda_team_scratch() > 48 * 1024;
    if (sizeof(Element) == 4 && !has_scratch) return {{64, 8, 8}, {32, 32, 16}};
    if (sizeof(Element) == 4) return {{64, 8, 8}, {64, 16, 16}, {32, 32, 16}};
    return {{32, 8, 8}, {32, 16, 8}};
  }

  std::int64_t draw_around(const std::vector<std::int64_t>& edges, std::int64_t most) {
    return std::min(most, pick(this->random_, edges) + static_cast<std::int64_t>(this->random_() % 3) - 1);
  }

  // Long sides of a few lines and of many tiles.
  GemmShape draw_skinny_shape(const TileShape& tile) {
    const std::int64_t longer  = draw_around({2, 32, 64, 96, 640, 5000}, 5001),
                       shorter = draw_around({2, 4, 6, 8, 12, 16, 24, 32}, std::min<std::int64_t>(longer, tile.n)),
                       k       = draw_around({2, 4, 8, 16, 24, 32, 48, 64, 100, 128}, 128);
    return this->random_() % 2 == 0 ? GemmShape{longer, shorter, k} : GemmShape{shorter, longer, k};
  }

  // The tile is asked for, or the planner chooses.
  testing::AssertionResult agrees_with_portable(int number, const GemmShape& shape, const TileShape& tile) {
    GemmOptions options = this->draw_gemm_options({.family = SkinnyFacts::name});
    if (this->random_() % 4 != 0) options.plan.tile = shape.m >= shape.n ? tile : tile.transposed();
    const auto trial = this->gemm_trial(number, shape, options);
    run_cuda_gemm(trial);
    return trial.agrees(1);
  }
};

using SkinnyTypes = testing::Types<CudaTypes<float, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Skinny, SkinnyTypes, CudaTypesName);

TYPED_TEST(Skinny, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 400; ++number) {
    const TileShape tile = pick(this->random_, this->tiles());
    ASSERT_TRUE(this->agrees_with_portable(number, this->draw_skinny_shape(tile), tile));
  }
}

// So long that every warp has several tiles, in two stages that take turns.
TYPED_TEST(Skinny, GoesOnFromTileToTile) {
  int number = 0;
  for (const TileShape& tile : this->tiles())
    for (const std::int64_t k : {2, 20, 40})
      for (const GemmShape& shape : {GemmShape{2400000 / k + 1, 4, k}, GemmShape{3, 2400000 / k + 1, k}})
        ASSERT_TRUE(this->agrees_with_portable(number++, shape, tile));
}

TYPED_TEST(Skinny, LeavesTheBiasWhereThereIsNothingToSum) {
  this->a_sum_of_nothing_is_the_bias(3000, 7, {.family = "skinny"});
}

// Products of gemm_backward are products of gemm. Those that are as long and thin run on these kernels, beside others.
TYPED_TEST(Skinny, ComputesGradients) {
  this->computes_the_first_gradient({3000, 16, 8});
  for (int number = 0; number < 150; ++number) {
    const GemmShape shape{pick(this->random_, std::vector<std::int64_t>{1024, 1999, 3000}),
                          pick(this->random_, std::vector<std::int64_t>{3, 8, 16}),
                          pick(this->random_, std::vector<std::int64_t>{4, 8, 16})};
    ASSERT_TRUE(this->backward_agrees_with_portable(number, shape, this->draw_backward_options({})));
  }
}

TYPED_TEST(Skinny, IsForLongMatricesAndShortOnes) {
  // The widths of whole vectors at which neither tensor cores nor stream are faster.
  const int width = std::is_same_v<typename TypeParam::Input, double> ? 20 : 16;
  EXPECT_EQ(this->family_of(1000000, width, width), "skinny");
  EXPECT_NE(this->family_of(100000, 8, 200), "skinny");
  EXPECT_NE(this->family_of(100000, 64, 8), "skinny");
}

TYPED_TEST(Skinny, RefusesWhatItDoesNotTake) {
  using Element = typename TypeParam::Input;
  const Kokkos::View<Element**, Kokkos::LayoutRight, Space> A("A", 64, 64), B("B", 64, 8), C("C", 64, 8);
  const auto run = [&](const PlanOptions& plan) { gemm(Space(), A, B, C, {}, {.plan = plan}); };
  EXPECT_NO_THROW(run({.family = "skinny"}));
  EXPECT_THROW(run({.family = "skinny", .tile = {96, 8, 8}}), std::invalid_argument);
  EXPECT_THROW(run({.family = "skinny", .split_k = 2}), std::invalid_argument);
  EXPECT_THROW(gemm(Space(), A, A, A, {}, {.plan = {.family = "skinny"}}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
