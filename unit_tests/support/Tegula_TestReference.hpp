// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_REFERENCE_HPP
#define TEGULA_TEST_REFERENCE_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "Tegula_TestMatrix.hpp"

/// References in double, and how far a result may lie from them.

namespace Tegula::Test {

/// The error gauge of the contract: |error| <= c u (|alpha| |A||B| + |beta||C| + |bias|), u the unit roundoff of the
/// accumulator. This is the c of Compute::native; BLAS' own tests allow 32.
constexpr double native_error_constant = 8;

/// Roundings of random numbers seldom add up, but of 10^8 elements one does exceed what is allowed: so much of it is
/// left to a single element of a matrix.
constexpr double rare_excess = 1.5;

/// A product before it is rounded: its value, and the gauge that its error is measured by.
struct Reference {
  HostMatrix value;
  HostMatrix gauge;
};

/// alpha A B, with gauge |alpha| |A||B|. Summed in long double, so that it is a reference for double too.
Reference reference_product(double alpha, const HostMatrix& A, const HostMatrix& B);

/// Adds factor * matrix to a reference.
void add(Reference& reference, double factor, const HostMatrix& matrix);

/// Adds a row vector (1 x n) to every row.
void add_row(Reference& reference, const HostMatrix& row);

/// Sums of the columns, 1 x n.
Reference reference_column_sums(const HostMatrix& matrix);

/// Distance between the smallest numbers of a storage type. Of all of them only half_t's exponent is so short that sums
/// of ordinary numbers come down there.
template <class Scalar>
constexpr double smallest_step() {
  return TEGULA_HAS_HALF && std::is_same_v<Scalar, half_t> ? 0x1p-24 : 0;
}

/// Largest error of rounding a value to its storage type.
template <class Scalar>
double storage_error(double value) {
  return 2 * ScalarTraits<Scalar>::unit_roundoff * std::abs(value) + smallest_step<Scalar>();
}

/// A number rounded to nearest, ties to even, as Scalar stores it; of denormal numbers those of half_t alone.
template <class Scalar>
double nearest(double value) {
  if (value == 0) return value;
  const int digits  = -std::ilogb(ScalarTraits<Scalar>::unit_roundoff);
  const double step = std::max(std::ldexp(1, std::ilogb(value) - digits + 1), smallest_step<Scalar>());
  return step * std::nearbyint(value / step);
}

/// Largest error that the contract allows an element stored as Scalar.
template <class Scalar>
double allowed_error(double value, double gauge) {
  const double accumulate = ScalarTraits<accumulator_t<Scalar>>::unit_roundoff;
  return native_error_constant * accumulate * gauge + storage_error<Scalar>(value);
}

/// Where dZ waits in memory it was rounded to the elements of dC: errors that a gradient may have, then. The gauge is
/// in multiples of the sums' errors.
template <class Scalar>
void allow_rounded_dZ(Reference& gradient) {
  const double sums = native_error_constant * ScalarTraits<accumulator_t<Scalar>>::unit_roundoff;
  for (double& gauge : gradient.gauge.values) gauge *= 1 + ScalarTraits<Scalar>::unit_roundoff / sums;
}

/// What two correct results may differ by: each its own error.
template <class Scalar>
HostMatrix twice_allowed(const HostMatrix& value, const HostMatrix& gauge, double factor) {
  HostMatrix allowed(value.rows, value.columns);
  for (std::size_t e = 0; e < allowed.values.size(); ++e)
    allowed.values[e] = 2 * allowed_error<Scalar>(value.values[e], factor * gauge.values[e]);
  return allowed;
}

/// Compares element by element; the message has the first bad entries. One may be off by rare_excess of what is
/// allowed.
testing::AssertionResult compare(const HostMatrix& actual, const HostMatrix& expected, const HostMatrix& allowed);

/// Whether a result stored as Scalar meets the contract's error bound.
template <class Scalar>
testing::AssertionResult matches(const HostMatrix& actual, const Reference& expected) {
  HostMatrix allowed(actual.rows, actual.columns);
  for (std::size_t e = 0; e < allowed.values.size(); ++e) {
    allowed.values[e] = allowed_error<Scalar>(expected.value.values[e], expected.gauge.values[e]);
  }
  return compare(actual, expected.value, allowed);
}

/// The same after an activation, whose slope is at most 1.2 and whose own error is a few roundings of what it is given.
template <class Scalar, class ActivationType>
testing::AssertionResult matches_activated(const HostMatrix& actual, const Reference& z, const ActivationType& act) {
  constexpr double steepest = 1.2, activation_roundings = 16;
  const double accumulate = ScalarTraits<accumulator_t<Scalar>>::unit_roundoff;
  HostMatrix expected(actual.rows, actual.columns), allowed(actual.rows, actual.columns);
  for (std::size_t e = 0; e < allowed.values.size(); ++e) {
    const double value  = z.value.values[e];
    expected.values[e]  = act(value);
    const double before = native_error_constant * accumulate * z.gauge.values[e];
    const double within = activation_roundings * accumulate * (std::abs(value) + std::abs(expected.values[e]));
    allowed.values[e]   = steepest * before + within + storage_error<Scalar>(expected.values[e]);
  }
  return compare(actual, expected, allowed);
}

}  // namespace Tegula::Test

#endif
