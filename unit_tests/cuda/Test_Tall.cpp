// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"

/// The tall family gives what the portable family gives, whichever way the long matrices lie, in aligned runs or not,
/// whatever the transposes, the gradients that are wanted and the tile: all are drawn. Needs a GPU of compute
/// capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct TallFacts {
  static constexpr const char* name = "tall";
};

/// All built-in activations.
template <class... Activations, class Function>
void for_each_activation(Impl::ActivationList<Activations...>, const Function& function) {
  (function(Activations()), ...);
}

template <class T>
class Tall : public CudaFamily<T, TallFacts> {
 protected:
  using Base    = CudaFamily<T, TallFacts>;
  using Element = typename T::Input;
  using Matrix  = typename Base::InputMatrix;

  static std::vector<TileShape> tiles() {
    if (sizeof(Element) == 4) return {{512, 8, 8}, {256, 16, 16}, {128, 32, 32}};
    return {{256, 8, 8}, {128, 16, 16}, {64, 32, 32}};
  }

  // A matrix whose op() has contiguous rows, or else contiguous columns, in whole runs of 16 bytes.
  Matrix along(bool rows, Op op, std::int64_t m, std::int64_t n, bool poisoned = false) {
    constexpr std::int64_t run = 16 / sizeof(Element);
    const bool is_straight     = op == Op::none;
    for (;;) {
      const Matrix matrix =
          is_straight ? Matrix(this->random_, m, n, poisoned, run) : Matrix(this->random_, n, m, poisoned, run);
      if (matrix.view().stride(rows == is_straight ? 1 : 0) == 1) return matrix;
    }
  }

  std::int64_t draw_columns(const TileShape& tile) {
    const std::int64_t edge = pick(this->random_, std::vector<std::int64_t>{2, 4, 8, 12, 16, 24, 32});
    return std::min<std::int64_t>(tile.n, edge + static_cast<std::int64_t>(this->random_() % 3) - 1);
  }
  // A little more than one team's tile, and up to several of a team.
  std::int64_t draw_rows(const TileShape& tile) {
    const std::int64_t tiles = pick(this->random_, std::vector<std::int64_t>{1, 2, 7, 60});
    return tiles * tile.m + 1 + static_cast<std::int64_t>(this->random_() % (this->random_() % 2 == 0 ? 4 : tile.m));
  }

  // The long matrices lie alike, or each any way; dA as they do, or any way.
  testing::AssertionResult agrees_with_portable(int number, const GemmShape& shape, const TileShape& tile) {
    GemmBackwardOptions options = this->draw_backward_options({.family = TallFacts::name});
    if (this->random_() % 4 != 0) options.plan.tile = tile;
    if (options.alpha == 0) options.alpha = 1;  // alpha = 0 is for other families
    const bool rows = this->random_() % 2 == 0, alike = this->random_() % 2 == 0;
    const auto [m, n, k] = shape;
    const bool adds_dA   = options.dA == Update::accumulate;
    const auto any       = [&](Op op, std::int64_t i, std::int64_t j, bool poisoned) {
      return op == Op::none ? Matrix(this->random_, i, j, poisoned) : Matrix(this->random_, j, i, poisoned);
    };
    const auto operand = [&](Op op, std::int64_t i, std::int64_t j) {
      return alike ? along(rows, op, i, j) : any(op, i, j, false);
    };
    const CudaBackwardTrial<Element, Element> trial{
        number,
        shape,
        options,
        operand(options.op_a, m, k),
        any(options.op_b, k, n, false),
        operand(Op::none, m, n),
        operand(Op::none, m, n),
        this->random_() % 3 == 0 ? any(options.op_a, m, k, !adds_dA) : along(rows, options.op_a, m, k, !adds_dA),
        any(options.op_b, k, n, options.dB == Update::overwrite),
        Matrix(this->random_, 1, n, options.dbias == Update::overwrite)};
    const double dZ_error = run_cuda_backward(trial);
    return trial.agrees(1, dZ_error);
  }

  // What the planner chooses for dense matrices.
  template <class Layout>
  static std::string family_of(std::int64_t m, std::int64_t n, std::int64_t k) {
    const Kokkos::View<Element**, Layout, Space> dC("dC", m, n), A("A", m, k), B("B", k, n);
    const Kokkos::View<Element**, Layout, Space> dA("dA", m, k), dB("dB", k, n);
    const Kokkos::View<Element**, Layout, Space> saved("saved", m, n);
    return make_plan(Space(), dC, A, B, Output(saved), dA, dB, none, Relu()).family;
  }
};

using TallTypes = testing::Types<CudaTypes<float, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Tall, TallTypes, CudaTypesName);

TYPED_TEST(Tall, GradientsAreWhatThePortableFamilyComputes) {
  for (int number = 0; number < 300; ++number) {
    const TileShape tile = pick(this->random_, this->tiles());
    const GemmShape shape{this->draw_rows(tile), this->draw_columns(tile), this->draw_columns(tile)};
    ASSERT_TRUE(this->agrees_with_portable(number, shape, tile));
  }
}

// So many rows that every warp has several tiles, in two stages that take turns.
TYPED_TEST(Tall, GoesOnFromTileToTile) {
  int number = 3;  // all gradients
  for (const TileShape& tile : this->tiles())
    for (int trial = 0; trial < 3; ++trial, number += 5)
      ASSERT_TRUE(this->agrees_with_portable(number, {1200 * tile.m + 77, tile.n, tile.n - trial}, tile));
}

TYPED_TEST(Tall, TakesEveryActivation) {
  using Element        = typename TypeParam::Input;
  using Aligned        = DeviceMatrix<Space, Kokkos::LayoutRight, Element>;
  const std::int64_t m = 1000, n = 12, k = 20;
  const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
    return Aligned(random_matrix(this->random_, rows, columns), Aligned::even_margin);
  };
  const auto dC = matrix(m, n), A = matrix(m, k), B = matrix(k, n), saved = matrix(m, n);
  for_each_activation(Impl::BuiltInActivations(), [&](const auto& activation) {
    const auto gradients = [&](const char* family) {
      Aligned dA(m, k), dB(k, n);
      gemm_backward(Space(), dC.view(), A.view(), B.view(), saved_in(saved.view(), activation), dA.view(), dB.view(),
                    none, activation, {.plan = {.family = family}});
      return std::pair(dA.values(), dB.values());
    };
    const auto [dA, dB]                   = gradients("tall");
    const auto [expected_dA, expected_dB] = gradients("portable");
    const double u                        = ScalarTraits<Element>::unit_roundoff;
    const auto allowed                    = [&](const HostMatrix& like, double sums) {
      HostMatrix bound = like;
      for (double& value : bound.values) value = 64 * u * sums;
      return bound;
    };
    EXPECT_TRUE(compare(dA, expected_dA, allowed(dA, n))) << activation.name;
    EXPECT_TRUE(compare(dB, expected_dB, allowed(dB, m))) << activation.name;
  });
}

// The columns that pad a tile do not spread NaN.
TYPED_TEST(Tall, KeepsNaNWhereItBelongs) {
  using Element      = typename TypeParam::Input;
  using Aligned      = DeviceMatrix<Space, Kokkos::LayoutLeft, Element>;
  const double nan   = std::numeric_limits<double>::quiet_NaN();
  HostMatrix host_dC = random_matrix(this->random_, 700, 7), host_B = random_matrix(this->random_, 5, 7);
  host_dC(10, 3) = nan;
  host_B(2, 6)   = nan;
  const Aligned A(random_matrix(this->random_, 700, 5), Aligned::even_margin), dC(host_dC, Aligned::even_margin),
      B(host_B);
  Aligned dA(700, 5), dB(5, 7);
  gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), none, Identity(),
                {.plan = {.family = "tall"}});
  const HostMatrix actual_dA = dA.values(), actual_dB = dB.values();
  for (int i = 0; i < 700; ++i)
    for (int j = 0; j < 5; ++j) ASSERT_EQ(std::isnan(actual_dA(i, j)), i == 10 || j == 2) << i << ' ' << j;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j) ASSERT_EQ(std::isnan(actual_dB(i, j)), j == 3) << i << ' ' << j;
}

TYPED_TEST(Tall, IsForLongMatrices) {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  EXPECT_EQ((this->template family_of<LayoutRight>(1000000, 16, 8)), "tall");
  EXPECT_EQ((this->template family_of<LayoutLeft>(1000000, 32, 32)), "tall");
  EXPECT_EQ((this->template family_of<LayoutLeft>(1000000, 7, 3)), "tall") << "whose columns are long runs";
  EXPECT_NE((this->template family_of<LayoutRight>(1000000, 33, 8)), "tall");
}

TYPED_TEST(Tall, RefusesWhatItDoesNotTake) {
  using Element = typename TypeParam::Input;
  const Kokkos::View<Element**, Kokkos::LayoutRight, Space> dC("dC", 1024, 8), A("A", 1024, 8), B("B", 8, 8),
      dA("dA", 1024, 8), dB("dB", 8, 8);
  const auto run = [&](const GemmBackwardOptions& options) {
    gemm_backward(Space(), dC, A, B, none, dA, dB, none, Identity(), options);
  };
  const auto plan = [](const TileShape& tile, int split_k) {
    return PlanOptions{.family = "tall", .tile = tile, .split_k = split_k};
  };
  EXPECT_NO_THROW(run({.plan = plan({}, 0)}));
  EXPECT_THROW(run({.plan = plan({96, 8, 8}, 0)}), std::invalid_argument);
  EXPECT_THROW(run({.plan = plan({}, 2)}), std::invalid_argument);
  EXPECT_THROW(run({.alpha = 0, .plan = plan({}, 0)}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
