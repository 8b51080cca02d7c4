// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_Activation.hpp>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "Tegula_TestBackward.hpp"

/// The functors by themselves, on the host: values, derivatives, limits. Test_Epilogue runs them in kernels.

namespace Tegula::Test {
namespace {

template <class F>
class Activations : public testing::Test {
 protected:
  // What the forward pass saves for the argument z.
  static double saved(double z) { return F::saved == Saved::output ? F()(z) : z; }
};

using All = testing::Types<Identity, Relu, LeakyRelu, Tanh, Sigmoid, Silu, GeluTanh, GeluErf>;
TYPED_TEST_SUITE(Activations, All);

// The definitions, written another way than in the library.
double definition(const Identity&, double z) { return z; }
double definition(const Relu&, double z) { return std::fmax(z, 0); }
double definition(const LeakyRelu& f, double z) { return std::fmax(z, 0) + f.slope * std::fmin(z, 0); }
double definition(const Tanh&, double z) { return 1 - 2 / (std::exp(2 * z) + 1); }
double definition(const Sigmoid&, double z) { return 0.5 * (1 + std::tanh(z / 2)); }
double definition(const Silu&, double z) { return z * 0.5 * (1 + std::tanh(z / 2)); }
double definition(const GeluTanh&, double z) {
  return 0.5 * z * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (z + 0.044715 * std::pow(z, 3))));
}
double definition(const GeluErf&, double z) { return 0.5 * z * (1 + std::erf(z / std::sqrt(2.0))); }

TYPED_TEST(Activations, AreOfTheOutputOrNot) {
  constexpr bool takes_exponential = TypeParam::saved == Saved::pre_activation;
  EXPECT_EQ(Impl::OutputActivations::position<TypeParam>() < 0, takes_exponential);
}

// Kernels find one by where it stands.
TYPED_TEST(Activations, StandAtTheirPosition) {
  using List             = Impl::BuiltInActivations;
  constexpr int position = List::position<TypeParam>();
  EXPECT_LT(position, List::count);
  EXPECT_TRUE((std::is_same_v<List::at<position>, TypeParam>));
}

TYPED_TEST(Activations, HaveTheValuesOfTheirDefinitions) {
  Random random = make_random();
  for (int trial = 0; trial < 1000; ++trial) {
    const double z = uniform(random, -6, 6);
    ASSERT_NEAR(TypeParam()(z), definition(TypeParam(), z), 1e-14 * (1 + std::abs(z))) << z;
    ASSERT_NEAR(TypeParam()(static_cast<float>(z)), definition(TypeParam(), z), 4e-6) << z;
  }
}

TYPED_TEST(Activations, HaveTheDerivativeOfTheirValue) {
  Random random = make_random();
  for (int trial = 0; trial < 1000; ++trial) {
    const double z = uniform(random, -6, 6), h = 1e-5;
    if (std::abs(z) < 2 * h) continue;  // some have a kink at 0
    const double difference = (TypeParam()(z + h) - TypeParam()(z - h)) / (2 * h);
    ASSERT_NEAR(TypeParam().derivative(TestFixture::saved(z)), difference, 1e-8) << z;
  }
}

// The derivative errs by few roundings of 1, as the bound of gradients needs. If it were formed as 1 minus a number
// near 1, times a large argument, it would err by more.
template <class T, class F>
void expect_derivative_within(double roundings, const F& act) {
  Random random        = make_random();
  const double allowed = roundings * ScalarTraits<T>::unit_roundoff;
  for (int trial = 0; trial < 200000; ++trial) {
    const T z = static_cast<T>(trial % 2 == 0 ? uniform(random, -3, 3) : uniform(random, -45, 45));
    ASSERT_NEAR(act.derivative(z), exact_derivative(act, z), allowed) << F::name << ' ' << z;
  }
}

TEST(ActivationDerivatives, AreExactToFewRoundingsOfOne) {
  expect_derivative_within<float>(5, Silu());
  expect_derivative_within<float>(5, GeluTanh());
  expect_derivative_within<float>(5, GeluErf());
  expect_derivative_within<double>(5, Silu());
  expect_derivative_within<double>(5, GeluTanh());
  expect_derivative_within<double>(5, GeluErf());
}

template <class F, class T>
void expect_nan_stays() {
  for (const T nan : {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(F()(nan)));
    EXPECT_TRUE(F::saved == Saved::nothing || std::isnan(F().derivative(nan)));
  }
}

TYPED_TEST(Activations, PropagateNaN) {
  expect_nan_stays<TypeParam, float>();
  expect_nan_stays<TypeParam, double>();
}

// Far out, where exponentials overflow and infinity meets zero, values and derivatives are those of the limits.
TYPED_TEST(Activations, ReachTheirLimits) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float z : {50.0f, 1e10f, 1e30f, infinity, -50.0f, -1e10f, -1e30f, -infinity}) {
    const double near = z > 0 ? 40 : -40;  // where the limit is already reached in double
    const TypeParam f;
    const float y = f(z);
    ASSERT_FALSE(std::isnan(y)) << z;
    const bool saturates = std::abs(f(2 * near) - f(near)) < 1e-6;
    if (saturates) {
      EXPECT_NEAR(y, f(near), 1e-6) << z;
    } else {
      EXPECT_FLOAT_EQ(y, z * static_cast<float>(f(near) / near)) << z;
    }
    const float derivative = f.derivative(TypeParam::saved == Saved::output ? y : z);
    EXPECT_NEAR(derivative, f.derivative(this->saved(near)), 1e-6) << z;
  }
}

// At a bias far below zero act(z) is small, but its digits are right: of act(z) = z exp(w) the error is that of w, a
// few units of its last place.
template <class F, class T, class W>
void expect_accurate_tail(const F& act, double lowest, const W& exponent) {
  Random random = make_random();
  for (int trial = 0; trial < 1000; ++trial) {
    const T z           = static_cast<T>(uniform(random, lowest, -6));
    const long double w = exponent(static_cast<long double>(z)), exact = z * std::exp(w);
    ASSERT_NEAR(act(z) / exact, 1, std::numeric_limits<T>::epsilon() * (12 - 3 * w)) << z;
  }
}

template <class T>
void expect_accurate_tails() {
  constexpr bool is_float = sizeof(T) == sizeof(float);
  const auto log_sigmoid  = [](long double x) { return x - std::log1p(std::exp(x)); };
  expect_accurate_tail<Silu, T>(Silu(), is_float ? -85 : -700, log_sigmoid);
  expect_accurate_tail<GeluTanh, T>(GeluTanh(), is_float ? -9.5 : -20.5, [&](long double z) {
    return log_sigmoid(2 * std::sqrt(2 / std::acos(-1.0L)) * (z + 0.044715L * z * z * z));
  });
  expect_accurate_tail<GeluErf, T>(GeluErf(), is_float ? -12.5 : -37,
                                   [](long double z) { return std::log(0.5L * std::erfc(-z * std::sqrt(0.5L))); });
}

TEST(SigmoidLinearUnits, KeepTheirDigitsInTheNegativeTail) {
  expect_accurate_tails<float>();
  expect_accurate_tails<double>();
}

TEST(Relu, HasNoSlopeAtZero) {
  EXPECT_EQ(Relu().derivative(0.0), 0.0);
  EXPECT_EQ(Relu().derivative(std::numeric_limits<double>::denorm_min()), 1.0);
  EXPECT_FALSE(std::signbit(Relu()(-0.0)));
}

TEST(LeakyRelu, TakesItsSlope) {
  EXPECT_EQ(LeakyRelu(0.25)(-2.0), -0.5);
  EXPECT_EQ(LeakyRelu(0.25).derivative(-0.5), 0.25);
  EXPECT_EQ(LeakyRelu(0).derivative(0.0), 0.0);
}

TEST(LeakyRelu, RefusesASlopeThatTheOutputCannotShow) {
  EXPECT_THROW(LeakyRelu(-0.1), std::invalid_argument);
  EXPECT_THROW(LeakyRelu(std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
