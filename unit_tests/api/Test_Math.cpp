// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_Math.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "Tegula_TestRandom.hpp"

/// The functions that activations are made of, on the host, against those of the standard library in long double. They
/// are called in plain loops, as kernels do, so that the compiler's vectorised code is tested.

namespace Tegula::Test {
namespace {

template <class T>
class MathOf : public testing::Test {
 protected:
  using Limits = std::numeric_limits<T>;
  using Block  = std::array<T, 256>;

  static constexpr bool is_float = std::is_same_v<T, float>;
  static constexpr T infinity = Limits::infinity(), nan = Limits::quiet_NaN();

  // Where exp overflows, where its results become denormal, and where they round to 0.
  static constexpr double exp_overflow = is_float ? 88.7228 : 709.7827;
  static constexpr double exp_denormal = is_float ? -87.33 : -708.39;
  static constexpr double exp_zero     = is_float ? -103.97 : -745.13;
  // Where erfc's results become denormal, and where they round to 0.
  static constexpr double erfc_denormal = is_float ? 9.19 : 26.54;
  static constexpr double erfc_zero     = is_float ? 10.05 : 27.22;

  // In steps between the numbers of T that surround the exact value.
  static long double ulp_error(T actual, long double exact) {
    if (std::isnan(actual)) return std::numeric_limits<long double>::infinity();
    int exponent;
    std::frexp(exact, &exponent);
    const long double step = std::ldexp(1.0L, std::max(exponent, Limits::min_exponent) - Limits::digits);
    return std::fabs(actual - exact) / step;
  }

  template <class Function, class Exact, class Draw>
  void expect_accuracy(const Function& function, const Exact& exact, double bound, const Draw& draw) {
    Block x, y;
    for (int block = 0; block < 200; ++block) {
      for (T& value : x) value = static_cast<T>(draw());
      for (std::size_t j = 0; j < x.size(); ++j) y[j] = function(x[j]);
      for (std::size_t j = 0; j < x.size(); ++j) {
        ASSERT_LE(ulp_error(y[j], exact(static_cast<long double>(x[j]))), bound) << "x = " << x[j] << ", y = " << y[j];
      }
    }
  }

  template <class Function, class Exact>
  void expect_accuracy_within(double low, double high, const Function& function, const Exact& exact, double bound) {
    expect_accuracy(function, exact, bound, [&] { return uniform(random_, low, high); });
  }

  // Of every magnitude from denormal numbers up, both signs.
  template <class Function, class Exact>
  void expect_accuracy_below(double high, const Function& function, const Exact& exact, double bound) {
    const double smallest = std::log(static_cast<double>(Limits::denorm_min()));
    expect_accuracy(function, exact, bound, [&] {
      const double size = std::exp(uniform(random_, smallest, std::log(high)));
      return random_() % 2 == 0 ? size : -size;
    });
  }

  // At x, 1.01 x, ... up to infinity, but for rounding; and never past the limit.
  template <class Function>
  void expect_monotone_to(T limit, T x, const Function& function) {
    const bool rises = limit >= function(x);
    for (T next; x < infinity; x = next) {
      next      = x * T(1.01);
      const T y = function(x), y_next = function(next), rounding = Limits::epsilon() * y;
      ASSERT_TRUE(rises ? y_next >= y - rounding && y_next <= limit : y_next <= y + rounding && y_next >= limit)
          << "x = " << next;
    }
    EXPECT_EQ(function(x), limit);
  }

  template <class Function>
  static void expect_nan_for_nan(const Function& function) {
    Block x, y;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = j % 3 == 0 ? nan : (j % 3 == 1 ? -nan : T(j));
    for (std::size_t j = 0; j < x.size(); ++j) y[j] = function(x[j]);
    for (std::size_t j = 0; j < x.size(); ++j) ASSERT_EQ(std::isnan(y[j]), j % 3 != 2) << j;
  }

  Random random_ = make_random();
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(MathOf, Types);

// Generic, so that a test calls a function as it calls any functor. A bound is what was measured, rounded up: on 2^25
// random numbers or, in float, on all of them.
constexpr auto exp_of      = [](auto x) { return Impl::exp(x); };
constexpr auto sigmoid_of  = [](auto x) { return Impl::sigmoid(x); };
constexpr auto tanh_of     = [](auto x) { return Impl::tanh(x); };
constexpr auto gaussian_of = [](auto x) { return Impl::gaussian(x); };
constexpr auto erfc_of     = [](auto x) { return Impl::erfc(x); };

constexpr double exp_bound = 1.1, sigmoid_bound = 2.5, tanh_bound = 2.8, gaussian_bound = 1.25, erfc_bound = 12;

constexpr auto exact_exp      = [](long double x) { return std::exp(x); };
constexpr auto exact_sigmoid  = [](long double x) { return 1 / (1 + std::exp(-x)); };
constexpr auto exact_tanh     = [](long double x) { return std::tanh(x); };
constexpr auto exact_gaussian = [](long double x) { return std::exp(-x * x); };
constexpr auto exact_erfc     = [](long double x) { return std::erfc(x); };

TYPED_TEST(MathOf, ExpIsAccurate) {
  this->expect_accuracy_within(this->exp_denormal, this->exp_overflow, exp_of, exact_exp, exp_bound);
  this->expect_accuracy_within(-1, 1, exp_of, exact_exp, exp_bound);
  this->expect_accuracy_below(1, exp_of, exact_exp, exp_bound);
}

TYPED_TEST(MathOf, ExpRoundsToDenormalNumbers) {
  this->expect_accuracy_within(this->exp_zero, this->exp_denormal, exp_of, exact_exp, exp_bound);
}

TYPED_TEST(MathOf, ExpOverflowsAndVanishesWhereItMust) {
  using T = TypeParam;
  for (const T x : {T(this->exp_overflow), std::nextafter(std::log(std::numeric_limits<T>::max()), T(0))}) {
    EXPECT_TRUE(std::isfinite(Impl::exp(x)) && Impl::exp(x) > std::numeric_limits<T>::max() / 2) << x;
  }
  EXPECT_EQ(Impl::exp(T(this->exp_overflow * 1.00001)), this->infinity);
  EXPECT_EQ(Impl::exp(T(this->exp_zero)), std::numeric_limits<T>::denorm_min());
  EXPECT_EQ(Impl::exp(T(this->exp_zero * 1.0001)), 0);
  for (T x = T(-this->exp_zero) * T(1.0001); x < this->infinity; x *= T(1.01)) {
    ASSERT_EQ(Impl::exp(x), this->infinity) << x;
    ASSERT_EQ(Impl::exp(-x), 0) << x;
  }
  EXPECT_EQ(Impl::exp(this->infinity), this->infinity);
  EXPECT_EQ(Impl::exp(-this->infinity), 0);
  EXPECT_EQ(Impl::exp(T(0)), 1);
  EXPECT_EQ(Impl::exp(T(-0.0)), 1);
}

TYPED_TEST(MathOf, SigmoidIsAccurate) {
  this->expect_accuracy_within(this->exp_denormal, -this->exp_denormal, sigmoid_of, exact_sigmoid, sigmoid_bound);
  this->expect_accuracy_within(-6, 6, sigmoid_of, exact_sigmoid, sigmoid_bound);
  this->expect_accuracy_below(1, sigmoid_of, exact_sigmoid, sigmoid_bound);
}

TYPED_TEST(MathOf, SigmoidReachesItsLimits) {
  using T = TypeParam;
  this->expect_monotone_to(1, 1, sigmoid_of);
  this->expect_monotone_to(0, 1, [](T x) { return Impl::sigmoid(-x); });
  EXPECT_EQ(Impl::sigmoid(T(0)), T(0.5));
  EXPECT_EQ(Impl::sigmoid(T(-0.0)), T(0.5));
}

TYPED_TEST(MathOf, TanhIsAccurate) {
  this->expect_accuracy_within(-20, 20, tanh_of, exact_tanh, tanh_bound);
  this->expect_accuracy_within(-1, 1, tanh_of, exact_tanh, tanh_bound);
  this->expect_accuracy_below(1, tanh_of, exact_tanh, tanh_bound);
}

TYPED_TEST(MathOf, TanhIsOddAndReachesItsLimits) {
  using T = TypeParam;
  this->expect_monotone_to(1, T(0.01), tanh_of);
  EXPECT_EQ(Impl::tanh(-this->infinity), -1);
  EXPECT_FALSE(std::signbit(Impl::tanh(T(0))));
  EXPECT_TRUE(std::signbit(Impl::tanh(T(-0.0))));
  for (int trial = 0; trial < 1000; ++trial) {
    const T x = static_cast<T>(uniform(this->random_, -12, 12));
    ASSERT_EQ(Impl::tanh(-x), -Impl::tanh(x)) << x;
  }
}

TYPED_TEST(MathOf, GaussianIsAccurate) {
  const double normal = std::sqrt(-this->exp_denormal), zero = std::sqrt(-this->exp_zero);
  this->expect_accuracy_within(-normal, normal, gaussian_of, exact_gaussian, gaussian_bound);
  this->expect_accuracy_within(normal, zero, gaussian_of, exact_gaussian, gaussian_bound);
  this->expect_accuracy_below(1, gaussian_of, exact_gaussian, gaussian_bound);
  this->expect_monotone_to(0, TypeParam(0.1), gaussian_of);
}

TYPED_TEST(MathOf, ErfcIsAccurate) {
  this->expect_accuracy_within(0, this->erfc_denormal, erfc_of, exact_erfc, erfc_bound);
  this->expect_accuracy_within(-7, 2, erfc_of, exact_erfc, erfc_bound);
  this->expect_accuracy_within(this->erfc_denormal, this->erfc_zero, erfc_of, exact_erfc, erfc_bound);
  this->expect_accuracy_below(1, erfc_of, exact_erfc, erfc_bound);
}

TYPED_TEST(MathOf, ErfcReachesItsLimits) {
  using T = TypeParam;
  this->expect_monotone_to(0, T(0.1), erfc_of);
  this->expect_monotone_to(2, T(0.1), [](T x) { return Impl::erfc(-x); });
  EXPECT_EQ(Impl::erfc(T(0)), 1);
  EXPECT_EQ(Impl::erfc(T(-0.0)), 1);
}

TYPED_TEST(MathOf, NaNStaysNaN) {
  this->expect_nan_for_nan(exp_of);
  this->expect_nan_for_nan(sigmoid_of);
  this->expect_nan_for_nan(tanh_of);
  this->expect_nan_for_nan(gaussian_of);
  this->expect_nan_for_nan(erfc_of);
}

TYPED_TEST(MathOf, SelectsAreConditionalExpressions) {
  using T          = TypeParam;
  using Limits     = std::numeric_limits<T>;
  const T values[] = {-Limits::infinity(),
                      Limits::lowest(),
                      T(-1),
                      -Limits::min(),
                      -Limits::denorm_min(),
                      T(-0.0),
                      T(0),
                      Limits::denorm_min(),
                      Limits::min(),
                      T(1),
                      std::nextafter(T(1), T(2)),
                      Limits::max(),
                      Limits::infinity(),
                      Limits::quiet_NaN(),
                      -Limits::quiet_NaN()};
  const auto same  = [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (const T a : values) {
    EXPECT_EQ(Impl::select_by_sign(a, T(1), T(2)), std::signbit(a) ? 1 : 2) << a;
    for (const T b : values) {
      const bool greater = a > b || (a == 0 && b == 0 && std::signbit(a) < std::signbit(b));
      EXPECT_EQ(Impl::select_greater(a, b, T(1), T(2)), greater ? 1 : 2) << a << ' ' << b;
      if (std::isnan(b)) continue;
      EXPECT_TRUE(same(Impl::clamp_below(a, b), std::isnan(a) ? a : std::max(a, b))) << a << ' ' << b;
      const T limit = std::abs(b);
      EXPECT_TRUE(same(Impl::clamp_both(a, limit), std::isnan(a) ? a : std::clamp(a, -limit, limit))) << a << ' ' << b;
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
