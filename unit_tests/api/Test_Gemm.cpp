// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <portable/Tegula_PortableMachineOf.hpp>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// C = alpha op(A) op(B) + beta C for every execution space, layout and scalar, at sizes around the edges of the tiles.

namespace Tegula::Test {
namespace {

template <class C>
class Gemm : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Layout = typename C::Layout;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, Layout, Scalar>;

  // Draws operands and compares C, and everything around it, with the reference.
  void expect_product(const GemmShape& shape, GemmOptions options, std::int64_t margin = Matrix::odd_margin) {
    const auto extents = [](Op op, std::int64_t rows, std::int64_t columns) {
      return op == Op::none ? Extents{rows, columns} : Extents{columns, rows};
    };
    const Extents a_extents = extents(options.op_a, shape.m, shape.k),
                  b_extents = extents(options.op_b, shape.k, shape.n);
    const Matrix A(random_matrix(random_, a_extents.rows, a_extents.columns), margin);
    const Matrix B(random_matrix(random_, b_extents.rows, b_extents.columns), margin);
    const Matrix C_ =
        options.beta == 0 ? Matrix(shape.m, shape.n, margin) : Matrix(random_matrix(random_, shape.m, shape.n), margin);

    Reference expected =
        reference_product(options.alpha, apply(options.op_a, A.values()), apply(options.op_b, B.values()));
    if (options.beta != 0) add(expected, options.beta, C_.values());

    gemm(Space(), A.const_view(), B.const_view(), C_.view(), {}, options);

    const auto what = [&] {
      return testing::Message() << shape.m << 'x' << shape.n << 'x' << shape.k << " tile " << text(options.plan.tile)
                                << " ops " << static_cast<int>(options.op_a) << static_cast<int>(options.op_b)
                                << " alpha " << options.alpha << " beta " << options.beta << " split "
                                << options.plan.split_k << " group " << options.plan.group;
    };
    ASSERT_TRUE(matches<Scalar>(C_.values(), expected)) << what();
    ASSERT_TRUE(C_.surroundings_untouched()) << what();
    ASSERT_TRUE(A.untouched() && B.untouched()) << what();
  }

  using Extents                = Impl::Extents;
  static constexpr auto& tiles = Impl::portable_tiles<Space, accumulator_t<Scalar>>;
  static constexpr Op ops[]    = {Op::none, Op::transpose};

  Op random_op() { return ops[random_() % 2]; }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(Gemm, AllCases, CaseName);

// One less than a tile, a tile, one more, two tiles and some: every edge of every tile shape, k shorter than a step
// included. Transposes, alpha and beta are drawn.
TYPED_TEST(Gemm, IsRightAroundEveryTileEdge) {
  const std::vector<double> alphas{1, -0.5, 2.25}, betas{0, 1, -1.5};
  for (const auto& choice : this->tiles) {
    const TileShape& tile = choice.tile;
    for (const int m : {1, tile.m - 1, tile.m, tile.m + 1, 2 * tile.m + 7}) {
      for (const int n : {1, tile.n - 1, tile.n, tile.n + 1, 2 * tile.n + 5}) {
        for (const int k : {1, tile.k - 1, tile.k, tile.k + 1, 2 * tile.k + 3}) {
          GemmOptions options{.op_a  = this->random_op(),
                              .op_b  = this->random_op(),
                              .alpha = pick(this->random_, alphas),
                              .beta  = pick(this->random_, betas),
                              .plan  = {.family = "portable", .tile = tile}};
          this->expect_product({m, n, k}, options);
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

// Extents and addresses that let kernels read several elements at once, with tiles and steps that end inside and out.
TYPED_TEST(Gemm, IsRightWhereAddressesAreAligned) {
  for (const auto& choice : this->tiles) {
    const TileShape& tile = choice.tile;
    for (const int m : {8, tile.m, 2 * tile.m + 8}) {
      for (const int n : {8, tile.n, 2 * tile.n + 8}) {
        for (const int k : {8, tile.k, 3 * tile.k + 8}) {
          this->expect_product(
              {m, n, k},
              {.op_a = this->random_op(), .op_b = this->random_op(), .plan = {.family = "portable", .tile = tile}},
              TestFixture::Matrix::even_margin);
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(Gemm, IsRightForEveryTranspose) {
  for (const Op op_a : this->ops) {
    for (const Op op_b : this->ops) {
      for (const GemmShape& shape : {GemmShape{5, 3, 2}, GemmShape{67, 71, 73}, GemmShape{130, 1, 64}}) {
        this->expect_product(shape, {.op_a = op_a, .op_b = op_b, .alpha = 0.75, .beta = 0.5});
      }
    }
  }
}

TYPED_TEST(Gemm, IsRightForPrimeSizes) {
  for (const GemmShape& shape : {GemmShape{2, 3, 5}, GemmShape{13, 17, 11}, GemmShape{127, 131, 137}}) {
    this->expect_product(shape, {.beta = 1});
  }
}

TYPED_TEST(Gemm, IsRightForVeryTallVeryWideAndVeryDeep) {
  for (const GemmShape& shape : {GemmShape{3001, 3, 5}, GemmShape{3, 3001, 5}, GemmShape{3, 5, 3001},
                                 GemmShape{1, 1, 5003}, GemmShape{1, 997, 1}, GemmShape{997, 1, 1}}) {
    this->expect_product(shape, {.alpha = -1});
  }
}

TYPED_TEST(Gemm, IsRightForEveryGroupSize) {
  const TileShape tile = this->tiles.back().tile;
  for (const int group : {1, 2, 3, 4, 7, 100}) {
    this->expect_product({5 * tile.m - 3, 4 * tile.n + 1, 9},
                         {.plan = {.family = "portable", .tile = tile, .group = group}});
  }
}

TYPED_TEST(Gemm, IsRightForEverySplit) {
  const int k_step = this->tiles.back().tile.k;
  for (const int split : {1, 2, 3, 5, 1000}) {
    for (const int k : {k_step - 1, 2 * k_step, 5 * k_step + 1}) {
      this->expect_product(
          {33, 70, k},
          {.alpha = 0.5, .beta = 2, .plan = {.family = "portable", .tile = this->tiles.back().tile, .split_k = split}});
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
