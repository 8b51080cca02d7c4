// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <functional>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/fp32_split/Tegula_Fp32SplitMemory.hpp"

/// Compute::fp32_split gives what the portable family gives, whatever the shape, the layouts, the transposes, the
/// epilogue, the tile and the split. Its error is that of float, whatever the data and the route that they take. Needs
/// a Hopper GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct Fp32SplitFacts {
  static constexpr const char* name = "fp32_split";
  static constexpr Compute compute  = Compute::fp32_split;

  static std::vector<TileShape> tiles() { return {{128, 128, 64}, {128, 64, 64}}; }
  // Multiples of the widths of tiles, of a team's share of a pass, and of words.
  static std::vector<std::int64_t> edges() { return {4, 8, 32, 56, 64, 72, 128, 136, 192, 256, 264, 320}; }
};

template <class T>
class Fp32Split : public CudaFamily<T, Fp32SplitFacts> {};

using Fp32SplitTypes = testing::Types<CudaTypes<float, float>>;
TYPED_TEST_SUITE(Fp32Split, Fp32SplitTypes, CudaTypesName);

TYPED_TEST(Fp32Split, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(300); }
TYPED_TEST(Fp32Split, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(300);
}
TYPED_TEST(Fp32Split, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Fp32Split, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Fp32Split, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(Fp32Split, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

/// Values of an operand as a function of the line (row of A, column of B) and the step.
using Values = std::function<double(std::int64_t line, std::int64_t step)>;

class Fp32SplitData : public Fp32Split<CudaTypes<float, float>> {
 protected:
  static constexpr std::int64_t m = 200, n = 150, k = 700;

  struct Outcome {
    Impl::Fp32SplitRoute route;
    HostMatrix values;
    Reference reference;
    double error = 0, sum_of_squares = 0,
           chains_sum_of_squares = 0;  // errors in units of u sum |a b|: the largest, all
  };

  double normal() { return distribution_(random_); }
  Values normals() {
    return [this](std::int64_t, std::int64_t) { return normal(); };
  }
  double power(int low, int high) { return std::ldexp(1, low + static_cast<int>(random_() % (high - low))); }

  Outcome multiply(const Values& left, const Values& right) {
    HostMatrix a(m, k), b(k, n);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t s = 0; s < k; ++s) a(i, s) = static_cast<float>(left(i, s));
    for (std::int64_t s = 0; s < k; ++s)
      for (std::int64_t j = 0; j < n; ++j) b(s, j) = static_cast<float>(right(j, s));
    const DeviceMatrix<Space, Kokkos::LayoutRight, float> A(a), B(b);
    const DeviceMatrix<Space, Kokkos::LayoutRight, float> C(m, n);
    const GemmOptions options = options_with({.family = "fp32_split"});
    const Plan plan           = make_plan(Space(), A.view(), B.view(), C.view(), {}, options);
    const Kokkos::View<char*, Space::memory_space> workspace("workspace", plan.workspace_bytes());
    gemm(Space(), A.view(), B.view(), C.view(), {}, options, workspace);
    Outcome outcome{route_in(plan, workspace.data()), C.values(), reference_product(1, a, b)};
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
  void expect_float_accuracy(const Outcome& outcome, Impl::Fp32SplitRoute route) {
    EXPECT_EQ(static_cast<int>(outcome.route), static_cast<int>(route));
    EXPECT_LT(outcome.error, 32);
    EXPECT_LE(outcome.sum_of_squares, outcome.chains_sum_of_squares);
  }

 private:
  static Impl::Fp32SplitRoute route_in(const Plan& plan, char* workspace) {
    std::uint32_t word = 0;
    Kokkos::fence();
    cudaMemcpy(&word, Impl::split_memory(plan.products[0], workspace), sizeof(word), cudaMemcpyDeviceToHost);
    return static_cast<Impl::Fp32SplitRoute>(word);
  }
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

using Impl::Fp32SplitRoute;

TEST_F(Fp32SplitData, OrdinaryDataTakeHalves) {
  expect_float_accuracy(multiply(normals(), normals()), Fp32SplitRoute::half_parts);
  const Values positive = [this](std::int64_t, std::int64_t) { return uniform(random_, 0, 1); };
  expect_float_accuracy(multiply(positive, positive), Fp32SplitRoute::half_parts);
  const Values rectified = [this](std::int64_t, std::int64_t) { return std::max(0.0, normal()); };
  expect_float_accuracy(multiply(rectified, normals()), Fp32SplitRoute::half_parts);
}

TEST_F(Fp32SplitData, RowsAndColumnsMaySpan40PowersOfTwo) {
  std::vector<double> scales(std::max(m, n));
  for (double& scale : scales) scale = power(-20, 20);
  const Values scaled = [&](std::int64_t line, std::int64_t) { return scales[line] * normal(); };
  expect_float_accuracy(multiply(scaled, scaled), Fp32SplitRoute::half_parts);
}

TEST_F(Fp32SplitData, AWiderRangeTakesThreePartsOf8Bits) {
  const Values wide = [this](std::int64_t, std::int64_t) { return power(-20, 20) * normal(); };
  expect_float_accuracy(multiply(wide, wide), Fp32SplitRoute::bhalf_parts);
  expect_float_accuracy(multiply(normals(), wide), Fp32SplitRoute::bhalf_parts);  // either operand may ask for it
  const Values along_k = [this](std::int64_t, std::int64_t step) { return std::ldexp(normal(), int(step % 41) - 20); };
  expect_float_accuracy(multiply(along_k, normals()), Fp32SplitRoute::bhalf_parts);
  const Values decaying = [this](std::int64_t, std::int64_t) { return std::exp(-40 * uniform(random_, 0, 1)); };
  expect_float_accuracy(multiply(decaying, decaying), Fp32SplitRoute::bhalf_parts);
}

// Small elements meet large ones, and vice versa: the sums are small.
TEST_F(Fp32SplitData, SmallElementsCount) {
  const auto alternating = [this](int large) {
    return [this, large](std::int64_t, std::int64_t step) { return normal() * (step % 2 == large ? 1 : 0x1p-30); };
  };
  expect_float_accuracy(multiply(alternating(0), alternating(1)), Fp32SplitRoute::bhalf_parts);
}

TEST_F(Fp32SplitData, SumsMayCancel) {
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
  expect_float_accuracy(multiply(left, right), Fp32SplitRoute::half_parts);
}

TEST_F(Fp32SplitData, ScalesMayBeExtreme) {
  const auto times = [this](double scale) {
    return [this, scale](std::int64_t, std::int64_t) { return scale * uniform(random_, -1, 1); };
  };
  EXPECT_LT(multiply(times(0x1p-130), times(0x1p20)).error, 32) << "denormal numbers";
  EXPECT_LT(multiply(times(0x1p100), times(0x1p-110)).error, 32);
  EXPECT_LT(multiply(times(0x1p126), times(0x1p-20)).error, 32);
  const Values hidden = [this](std::int64_t, std::int64_t step) {
    return step % 80 == 9 ? 0x1p100 : 0x1p-20 * normal();
  };
  EXPECT_LT(multiply(hidden, times(1)).error, 32) << "a sample that does not see the largest";
}

// As floats give them: Inf times a number, Inf - Inf, 0 times Inf, and NaN.
TEST_F(Fp32SplitData, InfAndNanAreThoseOfFloats) {
  const Values left = [this](std::int64_t line, std::int64_t step) {
    return line == 3 && step == 5 ? INFINITY : line == 4 && step == 690 ? NAN : normal();
  };
  const Values right = [this](std::int64_t line, std::int64_t step) {
    return line == 7 && step == 11 ? -INFINITY : line == 9 && step == 5 ? 0 : normal();
  };
  expect_float_accuracy(multiply(left, normals()), Fp32SplitRoute::exact);
  expect_float_accuracy(multiply(normals(), right), Fp32SplitRoute::exact);
  const Outcome outcome = multiply(left, right);
  expect_float_accuracy(outcome, Fp32SplitRoute::exact);
  for (std::size_t e = 0; e < outcome.values.values.size(); ++e) {
    const double value = outcome.values.values[e], expected = outcome.reference.value.values[e];
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << e;
    } else if (std::isinf(expected)) {
      EXPECT_EQ(value, expected) << e;
    }
  }
}

TEST_F(Fp32SplitData, IsTakenOnlyIfAskedFor) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Space> A("A", 1024, 1024), C("C", 1024, 1024);
  const auto family = [&](Compute compute) {
    return std::string(make_plan(Space(), A, A, C, {}, {.compute = compute}).family);
  };
  EXPECT_NE(family(Compute::native), "fp32_split");
  EXPECT_NE(family(Compute::tf32), "fp32_split");
  EXPECT_EQ(family(Compute::fp32_split), "fp32_split");
  EXPECT_THROW(gemm(Space(), A, A, C, {}, {.plan = {.family = "fp32_split"}}), std::invalid_argument);
}

TEST_F(Fp32SplitData, SaysWhichPartsMayBeMultiplied) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Space> A("A", 1024, 1024), C("C", 1024, 1024);
  const std::string text = make_plan(Space(), A, A, C, {}, {.compute = Compute::fp32_split}).text();
  EXPECT_NE(text.find("f16 parts"), std::string::npos) << text;
  EXPECT_NE(text.find("bf16 parts"), std::string::npos) << text;
}

}  // namespace
}  // namespace Tegula::Test
