// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// Calls of gemm_backward with a layer below as users make them: networks, types and activations of their own, special
/// values, plans, and wrong arguments.

namespace Tegula::Test {
namespace {

template <class C>
class BelowCalls : public testing::Test {
 protected:
  using Space = typename C::Space;
  template <class Scalar>
  using MatrixOf = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;
  using Matrix   = MatrixOf<double>;

  static constexpr std::int64_t m = 150, n = 40, k = 70;

  Matrix drawn(std::int64_t rows, std::int64_t columns) { return Matrix(random_matrix(random_, rows, columns)); }

  /// What dA and its pass give, and what the layer below gives: alike but for the order of operations.
  template <class Scalar, class BelowScalar, class DBiasScalar, class ActivationType, class BelowType>
  void expect_the_same(const ActivationType& act, const BelowType& below, double tolerance) {
    const auto random = [&]<class T>(std::int64_t rows, std::int64_t columns, T) {
      return MatrixOf<T>(random_matrix(random_, rows, columns));
    };
    const auto dC = random(m, n, Scalar()), A = random(m, k, Scalar()), B = random(k, n, Scalar());
    const auto saved = random(m, n, Scalar()), dA = random(m, k, Scalar()), dZ = random(m, k, Scalar());
    const auto saved_below = random(m, k, BelowScalar());
    const auto dbias       = random(1, k, DBiasScalar());
    for (const char* family : chosen_and_portable) {
      const GemmBackwardOptions options{.plan = {.family = family}};
      gemm_backward(Space(), dC.view(), A.view(), B.view(), saved_in(saved.view(), act), dA.view(), none, none, act,
                    options);
      gemm_backward(Space(), dC.view(), A.view(), B.view(), saved_in(saved.view(), act),
                    Below(dZ.view(), below, saved_in(saved_below.view(), below), dbias.row()), none, none, act,
                    options);
      const HostMatrix gradient = dA.values(), at = saved_below.values(), actual = dZ.values(), sums = dbias.values();
      HostMatrix expected_sums(1, k);
      for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < k; ++j) {
          const double expected = gradient(i, j) * below.derivative(at(i, j));
          ASSERT_NEAR(actual(i, j), expected, tolerance * (1 + std::abs(expected))) << family << ' ' << i << ' ' << j;
          expected_sums(0, j) += expected;
        }
      }
      for (std::int64_t j = 0; j < k; ++j)
        ASSERT_NEAR(sums(0, j), expected_sums(0, j), 40 * tolerance * (1 + std::abs(expected_sums(0, j)))) << family;
    }
  }

  template <class Call>
  static void expect_error(const std::string& part, const Matrix& canary, const Call& call) {
    try {
      call();
      FAIL() << "no exception: " << part;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    ASSERT_TRUE(canary.untouched()) << part;
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(BelowCalls, SpaceCases, CaseName);

TYPED_TEST(BelowCalls, TakeActivationsOfAUsers) {
  constexpr double tolerance = 1e-13;
  this->template expect_the_same<double, double, double>(Identity(), Wave{-0.2}, tolerance);
  this->template expect_the_same<double, double, double>(Wave{0.3}, Softsign(), tolerance);
  this->template expect_the_same<double, double, double>(Wave{0.3}, Relu(), tolerance);
  this->template expect_the_same<double, double, double>(Relu(), Gain(), tolerance);
}

TYPED_TEST(BelowCalls, TakeElementsOfSeveralTypes) {
  const double in_16_bits = 3 * ScalarTraits<bhalf_t>::unit_roundoff + 1e-5;
  this->template expect_the_same<float, bhalf_t, half_t>(Tanh(), Sigmoid(), TEGULA_HAS_HALF ? 1e-2 : 1e-5);
  this->template expect_the_same<bhalf_t, bhalf_t, bhalf_t>(Tanh(), Sigmoid(), in_16_bits);
  this->template expect_the_same<bhalf_t, float, float>(Tanh(), Wave(), in_16_bits);
}

TYPED_TEST(BelowCalls, TakeElementsOfAUsers) {
  constexpr double tolerance = 3 * 0x1p-8;
  this->template expect_the_same<Bfloat16, Bfloat16, Bfloat16>(Tanh(), Sigmoid(), tolerance);
  this->template expect_the_same<float, Bfloat16, Bfloat16>(Identity(), Relu(), tolerance);
  this->template expect_the_same<Bfloat16, float, float>(Relu(), Softsign(), tolerance);
}

// Two layers, X -> C1 = tanh(X W1 + b1) -> C2 = gelu(C1 W2 + b2), with and without the argument.
TYPED_TEST(BelowCalls, ChainTheGradientsOfANetwork) {
  using Matrix = typename TestFixture::Matrix;
  using Space  = typename TestFixture::Space;
  const auto m = this->m, n = this->n, k = this->k, inputs = std::int64_t(33);
  const Matrix X = this->drawn(m, inputs), W1 = this->drawn(inputs, k), b1 = this->drawn(1, k);
  const Matrix W2 = this->drawn(k, n), b2 = this->drawn(1, n), dC2 = this->drawn(m, n);
  const Matrix C1(m, k), C2(m, n), Z2(m, n);
  gemm(Space(), X.view(), W1.view(), C1.view(), Epilogue(Tanh(), b1.row()));
  gemm(Space(), C1.view(), W2.view(), C2.view(), Epilogue(GeluErf(), b2.row(), Z2.view()));
  struct Gradients {
    Matrix dW1, db1, dX, dW2, db2;
  };
  const auto poisoned = [&] {
    return Gradients{Matrix(inputs, k), Matrix(1, k), Matrix(m, inputs), Matrix(k, n), Matrix(1, n)};
  };
  const Gradients apart = poisoned(), chained = poisoned();
  const Matrix dC1(m, k), dZ1(m, k);
  gemm_backward(Space(), dC2.view(), C1.view(), W2.view(), PreActivation(Z2.view()), dC1.view(), apart.dW2.view(),
                apart.db2.row(), GeluErf());
  gemm_backward(Space(), dC1.view(), X.view(), W1.view(), Output(C1.view()), apart.dX.view(), apart.dW1.view(),
                apart.db1.row(), Tanh());
  gemm_backward(Space(), dC2.view(), C1.view(), W2.view(), PreActivation(Z2.view()),
                Below(dZ1.view(), Tanh(), Output(C1.view()), chained.db1.row()), chained.dW2.view(), chained.db2.row(),
                GeluErf());
  gemm_backward(Space(), dZ1.view(), X.view(), W1.view(), none, chained.dX.view(), chained.dW1.view(), none);
  for (const auto member : {&Gradients::dW1, &Gradients::db1, &Gradients::dX, &Gradients::dW2, &Gradients::db2}) {
    const HostMatrix expected = (apart.*member).values(), actual = (chained.*member).values();
    for (std::size_t e = 0; e < expected.values.size(); ++e)
      ASSERT_NEAR(actual.values[e], expected.values[e], 1e-11 * (1 + std::abs(expected.values[e])));
  }
}

TYPED_TEST(BelowCalls, PropagateSpecialValues) {
  using Matrix       = typename TestFixture::Matrix;
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const char* family : chosen_and_portable) {
    HostMatrix saved(5, 4, 1), gradient(5, 6, 1);
    saved(1, 2)    = nan;
    gradient(3, 0) = inf;
    const Matrix dC(gradient), A(HostMatrix(5, 4, 1)), B(HostMatrix(4, 6, 1)), below(saved), dZ(5, 4), dbias(1, 4);
    gemm_backward(typename TestFixture::Space(), dC.view(), A.view(), B.view(), none,
                  Below(dZ.view(), Relu(), Output(below.view()), dbias.row()), none, none, Identity(),
                  {.plan = {.family = family}});
    const HostMatrix result = dZ.values(), sums = dbias.values();
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (i == 1 && j == 2) {
          EXPECT_TRUE(std::isnan(result(i, j))) << family;
        } else {
          EXPECT_EQ(result(i, j), i == 3 ? inf : 6) << family;
        }
      }
    }
    for (int j = 0; j < 4; ++j) EXPECT_TRUE(j == 2 ? std::isnan(sums(0, j)) : sums(0, j) == inf) << family << ' ' << j;
  }
}

TYPED_TEST(BelowCalls, RunByPlansInAGivenWorkspace) {
  using Matrix    = typename TestFixture::Matrix;
  using Space     = typename TestFixture::Space;
  const Matrix dC = this->drawn(3000, 8), A = this->drawn(3000, 8), B = this->drawn(8, 8);
  for (const char* family : chosen_and_portable) {
    const GemmBackwardOptions options{.plan = {.family = family, .split_k = 2}};
    const auto call = [&](const Matrix& dZ, const Matrix& dbias, const auto& function) {
      return function(dC.view(), A.view(), B.view(), none, Below(dZ.view(), Tanh(), Output(A.view()), dbias.row()),
                      none, none, Identity(), options);
    };
    const Matrix dZ(3000, 8), dbias(1, 8), other(3000, 8), other_dbias(1, 8);
    const Plan plan = call(dZ, dbias, [](const auto&... a) { return make_plan(Space(), a...); });
    EXPECT_EQ(call(dZ, dbias, [](const auto&... a) { return describe(Space(), a...); }), plan.text());
    EXPECT_EQ(call(dZ, dbias, [](const auto&... a) { return workspace_bytes(Space(), a...); }), plan.workspace_bytes());
    EXPECT_NE(plan.text().find("of the layer below last"), std::string::npos) << plan.text();
    const std::size_t guard = 256;
    const Kokkos::View<unsigned char*, typename Space::memory_space> memory("memory", plan.workspace_bytes() + guard);
    Kokkos::deep_copy(memory, static_cast<unsigned char>(0xff));
    const Workspace<Space> workspace(reinterpret_cast<char*>(memory.data()), plan.workspace_bytes());
    call(dZ, dbias, [&](const auto&... a) { gemm_backward(Space(), a..., workspace); });
    call(other, other_dbias, [&](const auto&... a) { gemm_backward(Space(), plan, a...); });
    EXPECT_EQ(dZ.values().values, other.values().values);
    EXPECT_EQ(dbias.values().values, other_dbias.values().values);
    const auto after = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), memory);
    for (std::size_t e = plan.workspace_bytes(); e < after.extent(0); ++e) ASSERT_EQ(after(e), 0xff);

    // A plan is for the layer below, too.
    const auto refused = [&](const std::string& part, const auto& dA, const GemmBackwardOptions& asked) {
      this->expect_error(part, A, [&] {
        gemm_backward(Space(), plan, dC.view(), A.view(), B.view(), none, dA, none, none, Identity(), asked);
      });
    };
    refused("the layer below was given, and is left out", dZ.view(), options);
    refused("the activation of the layer below was tanh, and is sigmoid",
            Below(dZ.view(), Sigmoid(), Output(A.view()), dbias.row()), options);
    refused("dbias of the layer below was f64 1x8", Below(dZ.view(), Tanh(), Output(A.view())), options);
    GemmBackwardOptions adds = options;
    adds.dbias_below         = Update::accumulate;
    refused("the update of dbias of the layer below was overwrite, and is accumulate",
            Below(dZ.view(), Tanh(), Output(A.view()), dbias.row()), adds);
  }
}

TYPED_TEST(BelowCalls, AreMeasured) {
  using Matrix    = typename TestFixture::Matrix;
  const Matrix dC = this->drawn(300, 60), A = this->drawn(300, 80), B = this->drawn(80, 60);
  const Matrix dZ(300, 80), dbias(1, 80);
  const Measurement measured = measure(typename TestFixture::Space(), dC.view(), A.view(), B.view(), none,
                                       Below(dZ.view(), Tanh(), Output(A.view()), dbias.row()), none, none, Identity(),
                                       {.dA = Update::accumulate, .dbias_below = Update::accumulate});
  const auto is_of_below     = [](const MeasuredStep& step) { return step.step.label.ends_with(Impl::below_step); };
  EXPECT_TRUE(std::any_of(measured.steps.begin(), measured.steps.end(), is_of_below)) << measured.text();
  EXPECT_TRUE(dZ.untouched() && dbias.untouched() && A.untouched());
}

TYPED_TEST(BelowCalls, RefuseWrongArguments) {
  using Matrix = typename TestFixture::Matrix;
  using Space  = typename TestFixture::Space;
  const auto m = this->m, n = this->n, k = this->k;
  const Matrix dC = this->drawn(m, n), A = this->drawn(m, k), B = this->drawn(k, n);
  const Matrix dZ(m, k), turned(k, m), dbias(1, k), wrong(1, k + 1);
  const auto call = [&](const auto& dA, const GemmBackwardOptions& options = {}) {
    gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA, none, none, Identity(), options);
  };
  const auto refused = [&](const std::string& part, const auto& dA) {
    this->expect_error(part, dZ, [&] { call(dA); });
  };
  refused("op(saved of the layer below) is 70x150, op(A) is 150x70",
          Below(dZ.view(), Relu(), Output(turned.view()), dbias.row()));
  refused("op(dA) is 70x150, op(A) is 150x70", Below(turned.view(), Relu(), Output(A.view()), dbias.row()));
  refused("dbias of the layer below has 71 entries for 70 columns",
          Below(dZ.view(), Relu(), Output(A.view()), wrong.row()));
  refused("dA and saved of the layer below overlap", Below(dZ.view(), Relu(), Output(dZ.view()), dbias.row()));
  refused("A and dbias of the layer below overlap", Below(dZ.view(), Relu(), Output(A.view()), A.row()));
  refused("saved of the layer below = \"\": f64 150x70", Below(turned.view(), Relu(), Output(A.view()), dbias.row()));
}

}  // namespace
}  // namespace Tegula::Test
