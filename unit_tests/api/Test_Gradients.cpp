// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// gemm_backward is the derivative of gemm: its gradients against central differences of a loss computed through gemm,
/// in double. Neither side uses a formula of the other.

namespace Tegula::Test {
namespace {

template <class C>
class Gradients : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, double>;

  // loss = sum of weight * act(alpha op(A) op(B) + bias)
  struct Point {
    HostMatrix A, B, bias;
  };

  template <class ActivationType>
  static double loss(const Point& at, const HostMatrix& weight, const ActivationType& act, const GemmOptions& options) {
    const Matrix A(at.A), B(at.B), bias(at.bias), C_(weight.rows, weight.columns);
    gemm(Space(), A.view(), B.view(), C_.view(), Epilogue(act, bias.row()), options);
    const HostMatrix c = C_.values();
    double sum         = 0;
    for (std::size_t e = 0; e < c.values.size(); ++e) sum += weight.values[e] * c.values[e];
    return sum;
  }

  template <class ActivationType>
  static void expect_slope(const Point& at, HostMatrix Point::*which, const HostMatrix& gradient,
                           const HostMatrix& weight, const ActivationType& act, const GemmOptions& options,
                           const char* name) {
    constexpr double h = 1e-5;
    for (std::size_t e = 0; e < gradient.values.size(); ++e) {
      Point above = at, below = at;
      (above.*which).values[e] += h;
      (below.*which).values[e] -= h;
      const double slope = (loss(above, weight, act, options) - loss(below, weight, act, options)) / (2 * h);
      ASSERT_NEAR(gradient.values[e], slope, 2e-7) << act.name << ' ' << name << " entry " << e;
    }
  }

  // A kink within h of a pre-activation would spoil the difference; such points are drawn again.
  template <class ActivationType>
  Point smooth_point(const ActivationType& act, const GemmOptions& options, std::int64_t m, std::int64_t n,
                     std::int64_t k) {
    for (;;) {
      const Point at{apply(options.op_a, random_matrix(random_, m, k)),
                     apply(options.op_b, random_matrix(random_, k, n)), random_matrix(random_, 1, n)};
      Reference z = reference_product(options.alpha, apply(options.op_a, at.A), apply(options.op_b, at.B));
      add_row(z, at.bias);
      const bool smooth =
          std::all_of(z.value.values.begin(), z.value.values.end(), [](double v) { return std::abs(v) > 1e-3; });
      if (smooth || act.saved == Saved::pre_activation) return at;
    }
  }

  template <class ActivationType>
  void expect_derivative(const ActivationType& act, Op op_a, Op op_b) {
    const std::int64_t m = 4, n = 3, k = 5;
    const GemmOptions options{.op_a = op_a, .op_b = op_b, .alpha = 0.75};
    const Point at          = smooth_point(act, options, m, n, k);
    const HostMatrix weight = random_matrix(random_, m, n);

    const Matrix A(at.A), B(at.B), bias(at.bias), C_(m, n), Z(m, n), dC(weight);
    gemm(Space(), A.view(), B.view(), C_.view(), Epilogue(act, bias.row(), Z.view()), options);
    const Matrix dA(at.A.rows, at.A.columns), dB(at.B.rows, at.B.columns), dbias(1, n);
    gemm_backward(Space(), dC.view(), A.view(), B.view(), saved_for(act, C_.view(), Z.view()), dA.view(), dB.view(),
                  dbias.row(), act, {.op_a = op_a, .op_b = op_b, .alpha = options.alpha});

    expect_slope(at, &Point::A, dA.values(), weight, act, options, "dA");
    expect_slope(at, &Point::B, dB.values(), weight, act, options, "dB");
    expect_slope(at, &Point::bias, dbias.values(), weight, act, options, "dbias");
  }

  template <class ActivationType>
  void expect_derivatives(const ActivationType& act) {
    for (const Op op_a : {Op::none, Op::transpose}) {
      for (const Op op_b : {Op::none, Op::transpose}) expect_derivative(act, op_a, op_b);
    }
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(Gradients, SpaceCases, CaseName);

TYPED_TEST(Gradients, OfIdentity) { this->expect_derivatives(Identity()); }
TYPED_TEST(Gradients, OfRelu) { this->expect_derivatives(Relu()); }
TYPED_TEST(Gradients, OfLeakyRelu) { this->expect_derivatives(LeakyRelu(0.3)); }
TYPED_TEST(Gradients, OfTanh) { this->expect_derivatives(Tanh()); }
TYPED_TEST(Gradients, OfSigmoid) { this->expect_derivatives(Sigmoid()); }
TYPED_TEST(Gradients, OfSilu) { this->expect_derivatives(Silu()); }
TYPED_TEST(Gradients, OfGeluTanh) { this->expect_derivatives(GeluTanh()); }
TYPED_TEST(Gradients, OfGeluErf) { this->expect_derivatives(GeluErf()); }
TYPED_TEST(Gradients, OfUsersActivations) {
  this->expect_derivatives(Wave());
  this->expect_derivatives(Softsign());
  this->expect_derivatives(Gain());
}

}  // namespace
}  // namespace Tegula::Test
