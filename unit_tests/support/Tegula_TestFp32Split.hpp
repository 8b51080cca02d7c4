// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_FP32_SPLIT_HPP
#define TEGULA_TEST_FP32_SPLIT_HPP

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "Tegula_TestCudaFamily.hpp"

/// What the tests of families share that form products of floats from parts of them: errors on data of all kinds.

namespace Tegula::Test {

/// Values of an operand as a function of the line (row of A, column of B) and the step.
using SplitValues = std::function<double(std::int64_t line, std::int64_t step)>;

/// The base of a fixture; the family is as CudaFamily takes it.
template <class Family>
class Fp32SplitData : public CudaFamily<CudaTypes<float, float>, Family> {
 protected:
  using Space  = Kokkos::Cuda;
  using Values = SplitValues;

  static constexpr std::int64_t m = 200, n = 150, k = 700;

  // Errors are in units of u sum |a b|: the largest, all.
  struct Outcome {
    HostMatrix values;
    Reference reference;
    double error = 0, sum_of_squares = 0, chains_sum_of_squares = 0;
  };

  double normal() { return distribution_(this->random_); }
  Values normals() {
    return [this](std::int64_t, std::int64_t) { return normal(); };
  }
  Values positive() {
    return [this](std::int64_t, std::int64_t) { return uniform(this->random_, 0, 1); };
  }
  Values rectified() {
    return [this](std::int64_t, std::int64_t) { return std::max(0.0, normal()); };
  }
  double power(int low, int high) { return std::ldexp(1, low + static_cast<int>(this->random_() % (high - low))); }
  Values wide() {
    return [this](std::int64_t, std::int64_t) { return power(-20, 20) * normal(); };
  }
  Values along_k() {
    return [this](std::int64_t, std::int64_t step) { return std::ldexp(normal(), int(step % 41) - 20); };
  }
  Values decaying() {
    return [this](std::int64_t, std::int64_t) { return std::exp(-40 * uniform(this->random_, 0, 1)); };
  }
  // Large at every other step.
  Values alternating(int large) {
    return [this, large](std::int64_t, std::int64_t step) { return normal() * (step % 2 == large ? 1 : 0x1p-30); };
  }
  Values times(double scale) {
    return [this, scale](std::int64_t, std::int64_t) { return scale * uniform(this->random_, -1, 1); };
  }
  // A value that samples of a line do not show.
  Values hidden() {
    return [this](std::int64_t, std::int64_t step) { return step % 80 == 9 ? 0x1p100 : 0x1p-20 * normal(); };
  }

  Outcome multiply(const Values& left, const Values& right) {
    HostMatrix a(m, k), b(k, n);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t s = 0; s < k; ++s) a(i, s) = static_cast<float>(left(i, s));
    for (std::int64_t s = 0; s < k; ++s)
      for (std::int64_t j = 0; j < n; ++j) b(s, j) = static_cast<float>(right(j, s));
    const DeviceMatrix<Space, Kokkos::LayoutRight, float> A(a), B(b);
    const DeviceMatrix<Space, Kokkos::LayoutRight, float> C(m, n);
    const GemmOptions options = this->options_with({.family = Family::name, .tile = tile_});
    const Plan plan           = make_plan(Space(), A.view(), B.view(), C.view(), {}, options);
    const Kokkos::View<char*, typename Space::memory_space> workspace("workspace", plan.workspace_bytes());
    gemm(Space(), A.view(), B.view(), C.view(), {}, options, workspace);
    see_(plan, workspace.data());
    Outcome outcome{C.values(), reference_product(1, a, b)};
    const HostMatrix chains = chains_of_float(a, b);
    for (std::size_t e = 0; e < outcome.values.values.size(); ++e) {
      const double error = relative_error(outcome, outcome.values, e), chain = relative_error(outcome, chains, e);
      outcome.error = std::max(outcome.error, error);
      outcome.sum_of_squares += error * error;
      outcome.chains_sum_of_squares += chain * chain;
    }
    return outcome;
  }

  // Smaller than the error of chains of multiply-adds in float, as SGEMM forms them, and within a fraction of their
  // bound, which is k u sum |a b|.
  static void expect_float_accuracy(const Outcome& outcome) {
    EXPECT_LT(outcome.error, 32);
    EXPECT_LE(outcome.sum_of_squares, outcome.chains_sum_of_squares);
  }

  // Of families for which all data are the same.
  void errors_are_those_of_float_or_smaller() {
    expect_float_accuracy(multiply(normals(), normals()));
    expect_float_accuracy(multiply(positive(), positive()));
    expect_float_accuracy(multiply(rectified(), normals()));
  }
  void elements_may_have_any_range() {
    expect_float_accuracy(multiply(wide(), wide()));
    expect_float_accuracy(multiply(normals(), wide()));
    expect_float_accuracy(multiply(along_k(), normals()));
    expect_float_accuracy(multiply(decaying(), decaying()));
  }
  void scales_of_tf32_may_be_extreme() {
    scales_may_be_extreme();
    EXPECT_LT(multiply(times(0x1.ffffffp127), times(0x1p-20)).error, 32) << "what is rounded to Inf";
    EXPECT_LT(multiply(times(0x1p-126), times(0x1p60)).error, 32) << "the low parts are denormal numbers";
  }

  // Rows and columns that have scales of their own.
  Outcome multiply_scaled_lines() {
    std::vector<double> scales(std::max(m, n));
    for (double& scale : scales) scale = power(-20, 20);
    const Values scaled = [&](std::int64_t line, std::int64_t) { return scales[line] * normal(); };
    return multiply(scaled, scaled);
  }

  Outcome multiply_what_cancels() {
    std::vector<double> first(static_cast<std::size_t>(m * k / 2)), second(static_cast<std::size_t>(n * k / 2));
    for (double& value : first) value = normal();
    for (double& value : second) value = normal();
    const Values left = [&](std::int64_t line, std::int64_t step) {
      const double value = first[static_cast<std::size_t>(line * (k / 2) + step % (k / 2))];
      return step < k / 2 ? value : -value * (1 + 0x1p-15 * normal());
    };
    const Values right = [&](std::int64_t line, std::int64_t step) {
      return second[static_cast<std::size_t>(line * (k / 2) + step % (k / 2))];
    };
    return multiply(left, right);
  }

  void scales_may_be_extreme() {
    EXPECT_LT(multiply(times(0x1p-130), times(0x1p20)).error, 32) << "denormal numbers";
    EXPECT_LT(multiply(times(0x1p100), times(0x1p-110)).error, 32);
    EXPECT_LT(multiply(times(0x1p126), times(0x1p-20)).error, 32);
    EXPECT_LT(multiply(hidden(), times(1)).error, 32) << "a sample that does not see the largest";
  }

  /// As floats give them: Inf times a number, Inf - Inf, 0 times Inf, and NaN. Calls expect(outcome) for each product.
  template <class Expect>
  void inf_and_nan_are_those_of_floats(const Expect& expect) {
    const Values left = [this](std::int64_t line, std::int64_t step) {
      return line == 3 && step == 5 ? INFINITY : line == 4 && step == 690 ? NAN : normal();
    };
    const Values right = [this](std::int64_t line, std::int64_t step) {
      return line == 7 && step == 11 ? -INFINITY : line == 9 && step == 5 ? 0 : normal();
    };
    expect(multiply(left, normals()));
    expect(multiply(normals(), right));
    const Outcome outcome = multiply(left, right);
    expect(outcome);
    for (std::size_t e = 0; e < outcome.values.values.size(); ++e) {
      const double value = outcome.values.values[e], expected = outcome.reference.value.values[e];
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(value)) << e;
      } else if (std::isinf(expected)) {
        EXPECT_EQ(value, expected) << e;
      }
    }
  }

  /// The tile that multiply() asks for; any, if it is empty.
  TileShape tile_{};

  /// Looks at the workspace behind each product.
  std::function<void(const Plan&, char* workspace)> see_ = [](const Plan&, char*) {};

 private:
  static HostMatrix chains_of_float(const HostMatrix& a, const HostMatrix& b) {
    HostMatrix sums(m, n);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::int64_t s = 0; s < k; ++s)
          sum = std::fma(static_cast<float>(a(i, s)), static_cast<float>(b(s, j)), sum);
        sums(i, j) = sum;
      }
    return sums;
  }
  static double relative_error(const Outcome& outcome, const HostMatrix& values, std::size_t e) {
    const double gauge = outcome.reference.gauge.values[e], value = outcome.reference.value.values[e];
    if (!std::isfinite(gauge)) return 0;
    const double error = std::abs(values.values[e] - value), smallest = 0x1p-149;
    return error <= 8 * smallest ? 0 : error / (0x1p-24 * gauge);
  }

  std::normal_distribution<double> distribution_;
};

}  // namespace Tegula::Test

#endif
