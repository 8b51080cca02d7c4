// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_GRADIENT_CALLS_HPP
#define TEGULA_TEST_GRADIENT_CALLS_HPP

#include <portable/Tegula_PortableMachineOf.hpp>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestBackward.hpp"
#include "Tegula_TestTypes.hpp"

/// Calls of gemm_backward for every execution space, layout and scalar.

namespace Tegula::Test {

/// Which gradients a call asks for.
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

/// A fixture: draws the operands of a call of gemm_backward, and compares all that it writes with references.
template <class C>
class GradientTest : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, typename C::Layout, Scalar>;

  static constexpr auto& tiles = Impl::portable_tiles<Space, accumulator_t<Scalar>>;

  static Impl::Extents stored(Op op, std::int64_t rows, std::int64_t columns) {
    return op == Op::none ? Impl::Extents{rows, columns} : Impl::Extents{columns, rows};
  }
  Matrix random_device(const Impl::Extents& extents) {
    return Matrix(random_matrix(random_, extents.rows, extents.columns), margin_);
  }

  // A gradient's View before the call: random if it is to be added to, poisoned if it is to be overwritten.
  Matrix output(const Impl::Extents& extents, Update update) {
    return update == Update::accumulate ? random_device(extents) : Matrix(extents.rows, extents.columns, margin_);
  }

  // `none` is a type, so every choice of gradients is a call of its own; most tests do with one.
  template <class ActivationType, class Call = AllGradients>
  void expect_gradients(const GemmShape& shape, const ActivationType& act, const GemmBackwardOptions& options,
                        const Wanted& wanted = {}, const Call& call = {}) {
    const Impl::Extents a = stored(options.op_a, shape.m, shape.k), b = stored(options.op_b, shape.k, shape.n);
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

    bool stores_dZ = false;
    call(wanted, dA, dB, dbias, [&](const auto& dA_view, const auto& dB_view, const auto& dbias_view) {
      stores_dZ = make_plan(Space(), dC.const_view(), A.const_view(), B.const_view(), saved_in(saved.const_view(), act),
                            dA_view, dB_view, dbias_view, act, options)
                      .gradient.stores_dZ;
      gemm_backward(Space(), dC.const_view(), A.const_view(), B.const_view(), saved_in(saved.const_view(), act),
                    dA_view, dB_view, dbias_view, act, options);
    });

    if (stores_dZ && sizeof(Scalar) == 2) {
      allow_rounded_dZ<Scalar>(expected.dA);
      allow_rounded_dZ<Scalar>(expected.dB);
    }
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

}  // namespace Tegula::Test

#endif
