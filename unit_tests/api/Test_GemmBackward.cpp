// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestBackward.hpp"
#include "Tegula_TestTypes.hpp"

/// dA, dB and dbias for every execution space, layout and scalar: sizes, transposes, activations, updates, omissions.

namespace Tegula::Test {
namespace {

using Impl::Extents;

// Which gradients a call asks for.
struct Wanted {
  bool dA = true, dB = true, dbias = true;
};

/// Calls run(dA, dB, dbias) with all Views.
struct AllGradients {
  template <class Matrix, class Run>
  void operator()(const Wanted&, const Matrix& dA, const Matrix& dB, const Matrix& dbias, const Run& run) const {
    run(dA.view(), dB.view(), dbias.row());
  }
};

/// The same, with `none` in the place of what is not wanted.
struct WantedGradients {
  template <class Matrix, class Run>
  void operator()(const Wanted& wanted, const Matrix& dA, const Matrix& dB, const Matrix& dbias, const Run& run) const {
    const auto with_bias = [&](const auto& dA_view, const auto& dB_view) {
      wanted.dbias ? run(dA_view, dB_view, dbias.row()) : run(dA_view, dB_view, none);
    };
    const auto with_b = [&](const auto& dA_view) {
      wanted.dB ? with_bias(dA_view, dB.view()) : with_bias(dA_view, none);
    };
    wanted.dA ? with_b(dA.view()) : with_b(none);
  }
};

template <class C>
class GemmBackward : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, typename C::Layout, Scalar>;

  static constexpr auto& tiles = Impl::portable_tiles<Space, accumulator_t<Scalar>>;

  static Extents stored(Op op, std::int64_t rows, std::int64_t columns) {
    return op == Op::none ? Extents{rows, columns} : Extents{columns, rows};
  }
  Matrix random_device(const Extents& extents) {
    return Matrix(random_matrix(random_, extents.rows, extents.columns), margin_);
  }

  // A gradient's View before the call: random if it is to be added to, poisoned if it is to be overwritten.
  Matrix output(const Extents& extents, Update update) {
    return update == Update::accumulate ? random_device(extents) : Matrix(extents.rows, extents.columns, margin_);
  }

  // What the planner chooses, and the family that takes everything.
  static constexpr const char* families[] = {"", "portable"};

  // `none` is a type, so every choice of gradients is a call of its own; most tests do with one.
  template <class ActivationType, class Call = AllGradients>
  void expect_gradients(const GemmShape& shape, const ActivationType& act, const GemmBackwardOptions& options,
                        const Wanted& wanted = {}, const Call& call = {}) {
    const Extents a = stored(options.op_a, shape.m, shape.k), b = stored(options.op_b, shape.k, shape.n);
    const Matrix A = random_device(a), B = random_device(b);
    const Matrix dC = random_device({shape.m, shape.n});
    const Matrix saved(draw_saved(shape.m, shape.n), margin_);
    const Matrix dA = output(a, options.dA), dB = output(b, options.dB), dbias = output({1, shape.n}, options.dbias);

    const Reference dZ = reference_dZ(dC.values(), saved.values(), act);
    auto expected =
        reference_gradients(dZ, apply(options.op_a, A.values()), apply(options.op_b, B.values()), options.alpha);
    if (options.dA == Update::accumulate) add(expected.dA, 1, apply(options.op_a, dA.values()));
    if (options.dB == Update::accumulate) add(expected.dB, 1, apply(options.op_b, dB.values()));
    if (options.dbias == Update::accumulate) add(expected.dbias, 1, dbias.values());

    call(wanted, dA, dB, dbias, [&](const auto& dA_view, const auto& dB_view, const auto& dbias_view) {
      gemm_backward(Space(), dC.const_view(), A.const_view(), B.const_view(), saved.const_view(), dA_view, dB_view,
                    dbias_view, act, options);
    });

    const auto what = [&] {
      return testing::Message() << shape.m << 'x' << shape.n << 'x' << shape.k << ' ' << act.name << " tile "
                                << text(options.plan.tile) << " ops " << static_cast<int>(options.op_a)
                                << static_cast<int>(options.op_b) << " split " << options.plan.split_k;
    };
    expect_one(dA, expected.dA, options.op_a, wanted.dA, what);
    expect_one(dB, expected.dB, options.op_b, wanted.dB, what);
    expect_one(dbias, expected.dbias, Op::none, wanted.dbias, what);
    ASSERT_TRUE(A.untouched() && B.untouched() && dC.untouched() && saved.untouched()) << what();
  }

  Op random_op() { return random_() % 2 == 0 ? Op::none : Op::transpose; }
  Update random_update() { return random_() % 2 == 0 ? Update::overwrite : Update::accumulate; }

  Random random_       = make_random();
  std::int64_t margin_ = Matrix::odd_margin;
  double saved_near_ = 0, saved_within_ = 1;  // what saved values are drawn around

 private:
  HostMatrix draw_saved(std::int64_t rows, std::int64_t columns) {
    HostMatrix matrix(rows, columns);
    for (double& value : matrix.values)
      value = uniform(random_, saved_near_ - saved_within_, saved_near_ + saved_within_);
    return matrix;
  }

  template <class What>
  static void expect_one(const Matrix& actual, const Reference& expected, Op op, bool wanted, const What& what) {
    if (!wanted) {
      ASSERT_TRUE(actual.untouched()) << what();
      return;
    }
    ASSERT_TRUE(matches<Scalar>(apply(op, actual.values()), expected)) << what();
    ASSERT_TRUE(actual.surroundings_untouched()) << what();
  }
};

TYPED_TEST_SUITE(GemmBackward, AllCases, CaseName);

TYPED_TEST(GemmBackward, IsRightAroundEveryTileEdge) {
  for (const auto& choice : this->tiles) {
    const TileShape& tile = choice.tile;
    for (const int m : {1, tile.k - 1, tile.m, tile.m + 1, 2 * tile.m + 7}) {
      for (const int n : {1, tile.n - 1, tile.n, tile.n + 1}) {
        for (const int k : {1, tile.k - 1, tile.n, tile.n + 1, 2 * tile.n + 3}) {
          const GemmBackwardOptions options{.op_a  = this->random_op(),
                                            .op_b  = this->random_op(),
                                            .alpha = uniform(this->random_, -2, 2),
                                            .dA    = this->random_update(),
                                            .dB    = this->random_update(),
                                            .dbias = this->random_update(),
                                            .plan  = {.family = "portable", .tile = tile}};
          this->expect_gradients({m, n, k}, Relu(), options);
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(GemmBackward, IsRightWhereAddressesAreAligned) {
  this->margin_ = TestFixture::Matrix::even_margin;
  for (const auto& choice : this->tiles) {
    const TileShape& tile = choice.tile;
    for (const GemmShape& shape : {GemmShape{8, 8, 8}, GemmShape{tile.m, tile.m, tile.n},
                                   GemmShape{2 * tile.m + 8, tile.n + 8, 2 * tile.n + 8}}) {
      this->expect_gradients(
          shape, Tanh(),
          {.op_a = this->random_op(), .op_b = this->random_op(), .plan = {.family = "portable", .tile = tile}});
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(GemmBackward, IsRightForEveryTranspose) {
  for (const Op op_a : {Op::none, Op::transpose}) {
    for (const Op op_b : {Op::none, Op::transpose}) {
      this->expect_gradients({70, 67, 75}, Tanh(), {.op_a = op_a, .op_b = op_b, .alpha = 0.5});
    }
  }
}

TYPED_TEST(GemmBackward, AppliesEveryDerivative) {
  const GemmShape shape{66, 65, 33};
  for (const char* family : this->families) {
    const GemmBackwardOptions options{.plan = {.family = family}};
    this->expect_gradients(shape, Identity(), options);
    this->expect_gradients(shape, Relu(), options);
    this->expect_gradients(shape, LeakyRelu(0.2), options);
    this->expect_gradients(shape, Tanh(), options);
    this->expect_gradients(shape, Sigmoid(), options);
    this->expect_gradients(shape, Silu(), options);
    this->expect_gradients(shape, GeluTanh(), options);
    this->expect_gradients(shape, GeluErf(), options);
  }
}

TYPED_TEST(GemmBackward, AppliesTheDerivativeOfAUsersActivation) {
  for (const char* family : this->families) {
    for (const int split_k : {1, 3}) {
      const GemmBackwardOptions options{.plan = {.family = family, .split_k = split_k}};
      this->expect_gradients({140, 65, 133}, Wave{-0.2}, options);
      this->expect_gradients({140, 65, 133}, Softsign(), options);
      this->expect_gradients({140, 65, 133}, Gain(), options);
    }
  }
}

// Where act' is a difference of which next to nothing is left, dZ keeps few digits of its own: the error is one of dC.
// For large arguments act' is 1 and nothing of that kind.
TYPED_TEST(GemmBackward, MeetsItsBoundAtRootsOfTheDerivativeAndFarOut) {
  const GemmShape shape{66, 65, 33};
  const double few_digits = 64 * ScalarTraits<accumulator_t<typename TestFixture::Scalar>>::unit_roundoff;
  this->saved_within_     = few_digits;
  this->saved_near_       = -1.2784645427610738;
  this->expect_gradients(shape, Silu(), {});
  this->saved_near_ = -0.7524614220710162;
  this->expect_gradients(shape, GeluTanh(), {});
  this->saved_near_ = -0.7517915246935645;
  this->expect_gradients(shape, GeluErf(), {});
  this->saved_near_   = 0;
  this->saved_within_ = 40;
  this->expect_gradients(shape, Silu(), {});
  this->saved_within_ = 10;
  this->expect_gradients(shape, GeluTanh(), {});
  this->expect_gradients(shape, GeluErf(), {});
}

TYPED_TEST(GemmBackward, LeavesOutWhatIsNotAskedFor) {
  for (int subset = 0; subset < 8; ++subset) {
    const Wanted wanted{(subset & 1) != 0, (subset & 2) != 0, (subset & 4) != 0};
    for (const int split_k : {1, 3})
      this->expect_gradients({70, 66, 300}, Sigmoid(), {.dB = Update::accumulate, .plan = {.split_k = split_k}}, wanted,
                             WantedGradients());
  }
}

TYPED_TEST(GemmBackward, OverwritesOrAccumulatesEachGradient) {
  const Update both[] = {Update::overwrite, Update::accumulate};
  for (const Update dA : both) {
    for (const Update dB : both) {
      for (const Update dbias : both) {
        this->expect_gradients({65, 7, 130}, Identity(), {.dA = dA, .dB = dB, .dbias = dbias});
      }
    }
  }
}

TYPED_TEST(GemmBackward, IsRightForVeryTallVeryWideAndVeryDeep) {
  for (const GemmShape& shape : {GemmShape{3001, 3, 5}, GemmShape{3, 3001, 5}, GemmShape{3, 5, 3001},
                                 GemmShape{1, 1, 1}, GemmShape{997, 1, 1}}) {
    this->expect_gradients(shape, Relu(), {});
  }
}

// Of the portable family both products of gemm_backward are split on a host as on a device.
TYPED_TEST(GemmBackward, IsRightForEverySplit) {
  for (const char* family : this->families) {
    for (const int split : {2, 3, 1000}) {
      this->expect_gradients({300, 200, 70}, Relu(),
                             {.alpha = 2,
                              .dA    = Update::accumulate,
                              .dbias = Update::accumulate,
                              .plan  = {.family = family, .split_k = split}});
    }
  }
}

// Zero is added: what a gradient held stays, whatever the operands are.
TYPED_TEST(GemmBackward, AddsNothingWithAlphaZero) {
  for (const char* family : this->families) {
    for (const int split : {1, 3}) {
      this->expect_gradients({70, 66, 130}, Relu(),
                             {.alpha = 0,
                              .dA    = Update::accumulate,
                              .dB    = Update::accumulate,
                              .dbias = Update::accumulate,
                              .plan  = {.family = family, .split_k = split}});
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
