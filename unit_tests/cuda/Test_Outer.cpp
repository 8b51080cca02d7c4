// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <limits>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/outer/Tegula_OuterTiles.hpp"

/// The outer family gives what the portable family gives, whatever the types, the shape, the layouts, the transposes,
/// the epilogue and the tile: all are drawn. Needs a GPU of compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct OuterFacts {
  static constexpr const char* name       = "outer";
  static constexpr bool leaves_empty_sums = true;
};

template <class T>
class Outer : public CudaFamily<T, OuterFacts> {
 protected:
  using Element = typename T::Input;
  using Result  = typename T::Output;
  using Matrix  = Kokkos::View<Element**, Kokkos::LayoutRight, Space>;
  using Results = Kokkos::View<Result**, Kokkos::LayoutRight, Space>;

  static std::vector<TileShape> tiles() {
    std::vector<TileShape> tiles;
    for (const Impl::ConfigChoice& choice : Impl::outer_tiles<Impl::sum_t<Impl::bits_t<Element>>>)
      tiles.push_back(choice.tile);
    return tiles;
  }
  static std::int64_t deepest() { return tiles().back().k; }

  std::int64_t draw(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(this->random_() % static_cast<std::uint64_t>(most - least + 1));
  }
  std::int64_t draw_around(const std::vector<std::int64_t>& edges) { return pick(this->random_, edges) + draw(-1, 1); }

  // The tile is asked for, or the planner chooses.
  testing::AssertionResult gemm_agrees_with_portable(int number) {
    const TileShape tile = pick(this->random_, tiles());
    const GemmShape shape{draw_around({2, 4, 16, 32, 48, 64, 128, 144, 300}),
                          draw_around({2, 31, 32, 33, 64, 66, 96, 128, 192, 256, 390}), draw(1, tile.k)};
    PlanOptions plan{.family = OuterFacts::name};
    if (this->random_() % 4 != 0) plan.tile = tile;
    const GemmOptions options = this->taken(this->draw_gemm_options(plan));
    const auto trial          = this->gemm_trial(number, shape, options);
    run_cuda_gemm(trial);
    return trial.agrees(1);
  }
};

using OuterTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>, CudaTypes<bhalf_t, float>,
                                  CudaTypes<float, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Outer, OuterTypes, CudaTypesName);

TYPED_TEST(Outer, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 600; ++number) ASSERT_TRUE(this->gemm_agrees_with_portable(number));
}

TYPED_TEST(Outer, GemmBackwardIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 100; ++number) {
    const GemmShape shape{this->draw(1, this->deepest()), this->draw(1, this->deepest()),
                          this->draw_around({2, 32, 130, 260})};
    const auto options = this->taken(this->draw_backward_options({.family = "outer"}));
    ASSERT_TRUE(this->backward_agrees_with_portable(number, shape, options));
  }
}

TYPED_TEST(Outer, ComputesGradients) { this->computes_the_first_gradient({30, 9, 70}); }

// NaN behind the end of lines and of the depth may not be seen, those inside must be; results around are kept.
TYPED_TEST(Outer, SeesItsOperandsAndNothingBeyond) {
  using Element  = typename TypeParam::Input;
  using Result   = typename TypeParam::Output;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::int64_t k : {1, 3, 7, 8, 13}) {
    const typename TestFixture::Matrix all("A", 60, k + 24), both("B", k + 24, 300);
    const typename TestFixture::Results around("C", 60, 300);
    Kokkos::deep_copy(all, from_double<Element>(nan));
    Kokkos::deep_copy(both, from_double<Element>(nan));
    Kokkos::deep_copy(around, from_double<Result>(-5));
    const auto part = [&](const auto& matrix, std::int64_t rows, std::int64_t columns) {
      return Kokkos::subview(matrix, std::pair<std::int64_t, std::int64_t>(8, 8 + rows),
                             std::pair<std::int64_t, std::int64_t>(7, 7 + columns));
    };
    const auto A = part(all, 37, k), B = part(both, k, 197);
    const auto C = part(around, 37, 197);
    Kokkos::deep_copy(A, from_double<Element>(1));
    Kokkos::deep_copy(B, from_double<Element>(1));
    Kokkos::deep_copy(Kokkos::subview(A, 5, 0), from_double<Element>(nan));
    for (const TileShape& tile : this->tiles()) {
      if (tile.k < k) continue;
      gemm(Space(), A, B, C, Epilogue(Relu()), {.plan = {.family = "outer", .tile = tile}});
      const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), around);
      for (int i = 0; i < 60; ++i)
        for (int j = 0; j < 300; ++j) {
          const bool is_inside = i >= 8 && i < 8 + 37 && j >= 7 && j < 7 + 197;
          if (is_inside && i == 8 + 5) {
            ASSERT_TRUE(std::isnan(to_double(c(i, j)))) << text(tile);
          } else {
            ASSERT_EQ(to_double(c(i, j)), is_inside ? static_cast<double>(k) : -5) << text(tile) << i << ' ' << j;
          }
        }
    }
  }
}

// Those of 16 bits may be outer_mma's.
TYPED_TEST(Outer, IsForShortSumsWithLargeResults) {
  const auto is_outer = [&](int m, int n, int k) { return this->family_of(m, n, k).starts_with("outer"); };
  // By the data sheet of an H100 double is faster by mma; with an H200's record Test_OuterPlan.cpp asks for this, too.
  if (sizeof(typename TypeParam::Input) < sizeof(double)) EXPECT_TRUE(is_outer(4049, 3599, 1));
  EXPECT_TRUE(is_outer(3001, 2999, 5));
  EXPECT_FALSE(is_outer(2048, 2048, 2048));
}

}  // namespace
}  // namespace Tegula::Test
