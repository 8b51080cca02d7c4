// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/shallow/Tegula_ShallowConfig.hpp"

/// The shallow family gives what the portable family gives, whatever the types, the shape, the layouts, the transposes,
/// the gradients that are wanted and the tile: all are drawn. Needs a GPU of compute capability 8.0 or newer, and is
/// skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

template <class Input>
struct ShallowFacts {
  static constexpr const char* name           = "shallow";
  static constexpr bool leaves_empty_sums     = true;
  static constexpr bool gradients_lie_in_runs = sizeof(Input) == 2;

  // Where rows of dC are contiguous; the planner lays them as dC lies.
  static std::vector<TileShape> tiles() {
    std::vector<TileShape> tiles;
    for (const Impl::ShallowTile& tile : Impl::shallow_tiles<Impl::bits_t<Input>>) tiles.push_back(tile.choice.tile);
    return tiles;
  }
  // Of warps, teams and parts of teams.
  static std::vector<std::int64_t> edges() { return {4, 16, 32, 64, 128, 256, 512, 600, 1100, 2048}; }
};

template <class T>
class Shallow : public CudaFamily<T, ShallowFacts<typename T::Input>> {
 protected:
  using Element = typename T::Input;
  using Result  = typename T::Output;

  std::int64_t draw_depth() {
    const std::int64_t edge =
        pick(this->random_, sizeof(Element) > 2 ? std::vector<std::int64_t>{2, 8, 16, 24, 32, 48, 64, 127}
                                                : std::vector<std::int64_t>{2, 4, 8, 16, 24, 32, 40, 47});
    return edge + static_cast<std::int64_t>(this->random_() % 3) - 1;
  }
  // Tiles that take all of the depth, or where sums are cut as large a part of it as any.
  static bool takes(const TileShape& tile, std::int64_t depth) {
    const auto parts = [&](const TileShape& of) { return (depth + of.k - 1) / of.k; };
    return sizeof(Element) > 2 ? parts(tile) == parts(ShallowFacts<Element>::tiles().back()) : depth <= tile.k;
  }
  static bool needs_words(const TileShape& tile, std::int64_t depth) {
    if (depth > Impl::shallow_deepest<Impl::bits_t<Element>>(false)) return true;
    for (const Impl::ShallowTile& own : Impl::shallow_tiles<Impl::bits_t<Element>>)
      if (own.choice.tile == tile) return own.needs_words();
    return false;
  }
  GemmBackwardOptions draw_options(std::int64_t depth) {
    PlanOptions plan{.family = "shallow"};
    const TileShape tile = pick(this->random_, ShallowFacts<Element>::tiles());
    if (takes(tile, depth) && this->random_() % 4 != 0) plan.tile = tile;
    if (this->random_() % 4 == 0) plan.split_k = static_cast<int>(1 + this->random_() % 9);
    return this->taken(this->draw_backward_options(plan));
  }
  // Where the tile needs it, dC is one of whole words.
  testing::AssertionResult agrees_with_portable(int number, GemmShape shape, const GemmBackwardOptions& options) {
    const auto whole_words    = [](std::int64_t extent) { return (extent + 7) / 8 * 8; };
    this->gradients_in_words_ = needs_words(options.plan.tile, shape.k);
    if (this->gradients_in_words_) shape = {whole_words(shape.m), whole_words(shape.n), shape.k};
    return this->backward_agrees_with_portable(with_products(number), shape, options);
  }
  // dbias alone is for others.
  static int with_products(int number) { return number % 5 == 2 ? number + 1 : number; }

  template <class Layout>
  static Plan plan_of(std::int64_t m, std::int64_t n, std::int64_t k, const PlanOptions& options = {}) {
    const Kokkos::View<Element**, Layout, Space> dC("dC", m, n), A("A", m, k), B("B", k, n), saved("saved", m, n);
    const Kokkos::View<Result**, Layout, Space> dA("dA", m, k), dB("dB", k, n);
    return make_plan(Space(), dC, A, B, Output(saved), dA, dB, none, Relu(), {.plan = options});
  }
};

using ShallowTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>, CudaTypes<bhalf_t, float>,
                                    CudaTypes<float, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Shallow, ShallowTypes, CudaTypesName);

TYPED_TEST(Shallow, GradientsAreWhatThePortableFamilyComputes) {
  for (int number = 0; number < 300; ++number) {
    const GemmShape shape{this->draw_extent(), this->draw_extent(), this->draw_depth()};
    ASSERT_TRUE(this->agrees_with_portable(number, shape, this->draw_options(shape.k)));
  }
}

// Every tile goes down many steps, in many parts, of which the last is shorter.
TYPED_TEST(Shallow, GoesOnFromStepToStep) {
  int number = 3;  // all gradients
  for (const TileShape& tile : ShallowFacts<typename TypeParam::Input>::tiles()) {
    const GemmShape shape{2001, tile.n + 9, tile.k - number % 3};
    GemmBackwardOptions options = this->draw_options(shape.k);
    options.plan.tile           = tile;
    ASSERT_TRUE(this->agrees_with_portable(number, shape, options)) << text(tile);
    number += 5;
  }
}

// What pads a tile, beyond the rows, the columns and the depth, does not spread NaN: of the shortest sums, of longer
// ones and of those that teams share.
TYPED_TEST(Shallow, KeepsNaNWhereItBelongs) {
  using Element    = typename TypeParam::Input;
  using Rows       = DeviceMatrix<Space, Kokkos::LayoutRight, Element>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int k : {5, 20, Impl::shallow_deepest<Impl::bits_t<Element>>(true) - 5}) {
    const int m = 70, n = k > Impl::shallow_deepest<Impl::bits_t<Element>>(false) ? 80 : 77;
    HostMatrix host_dC = random_matrix(this->random_, m, n), host_A = random_matrix(this->random_, m, k),
               host_B = random_matrix(this->random_, k, n);
    host_dC(10, 3) = host_A(33, 1) = host_B(2, 76) = nan;
    const Rows A(host_A), dC(host_dC, Rows::even_margin), B(host_B);
    Rows dA(m, k), dB(k, n);
    gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), none, Identity(),
                  {.plan = {.family = "shallow"}});
    const HostMatrix actual_dA = dA.values(), actual_dB = dB.values();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j) ASSERT_EQ(std::isnan(actual_dA(i, j)), i == 10 || j == 2) << i << ' ' << j;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < n; ++j) ASSERT_EQ(std::isnan(actual_dB(i, j)), j == 3 || i == 1) << i << ' ' << j;
  }
}

TYPED_TEST(Shallow, IsForShortSumsOfLargeGradients) {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  for (const int k : {1, 8}) {
    EXPECT_STREQ(this->template plan_of<LayoutRight>(4000, 3600, k).family, "shallow") << k;
    EXPECT_STREQ(this->template plan_of<LayoutLeft>(4000, 3600, k).family, "shallow") << k;
  }
  EXPECT_STRNE(this->template plan_of<LayoutRight>(4000, 3600, 300).family, "shallow");
}

TYPED_TEST(Shallow, RefusesWhatItDoesNotTake) {
  using Kokkos::LayoutRight;
  const auto plan = [&](std::int64_t k, const TileShape& tile) {
    return this->template plan_of<LayoutRight>(100, 100, k, {.family = "shallow", .tile = tile});
  };
  const TileShape tile = ShallowFacts<typename TypeParam::Input>::tiles().front();
  EXPECT_NO_THROW(plan(8, tile));
  EXPECT_THROW(plan(9, tile), std::invalid_argument) << "which is deeper";
  EXPECT_THROW(plan(Impl::shallow_deepest<Impl::bits_t<typename TypeParam::Input>>(true) + 1, {}),
               std::invalid_argument);
  EXPECT_THROW(plan(8, {96, 8, 8}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
