// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes beside the gemm of other libraries: that they are right and, on a GPU, as fast as a careful user's.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>

#include "Tegula_PerfColumnSums.hpp"
#include "Tegula_PerfReference.hpp"
#include "Tegula_PerfStatistics.hpp"
#include "Tegula_PerfTimer.hpp"

namespace Tegula::Perf {
namespace {

template <class T>
class Passes : public testing::Test {};

// On a host the 16-bit types are float.
#ifdef KOKKOS_ENABLE_CUDA
using Types = testing::Types<float, double, half_t, bhalf_t>;
#else
using Types = testing::Types<float, double>;
#endif
TYPED_TEST_SUITE(Passes, Types);

struct Extents {
  std::int64_t m, n;
};

// Rows and columns of whole packs and not, fewer elements than a pack, lines shorter than one, and so many rows that
// teams share them.
constexpr std::array extents{Extents{1, 1},    Extents{3, 2},    Extents{1, 257},  Extents{257, 1},
                             Extents{64, 128}, Extents{61, 127}, Extents{130, 24}, Extents{5000, 40},
                             Extents{4999, 3}, Extents{40, 5000}};

template <class T>
double on_host(const T& value) {
  return static_cast<double>(static_cast<accumulator_t<T>>(value));
}

/// A copy of the elements on the host, by row and column.
template <class T>
class HostMatrix {
 public:
  explicit HostMatrix(const Matrix<T>& matrix)
      : values_("host matrix", matrix.storage().size()), strides_(matrix.strides()) {
    Kokkos::deep_copy(values_, matrix.storage());
  }
  double operator()(std::int64_t i, std::int64_t j) const {
    return on_host(values_(i * strides_[0] + j * strides_[1]));
  }

 private:
  Kokkos::View<T*, typename VectorView<T>::array_layout, Kokkos::HostSpace> values_;
  std::array<std::int64_t, 2> strides_;
};

template <class T>
Matrix<T> random_matrix(const Extents& e, Layout layout, std::uint64_t seed) {
  return random_matrices<T>("operand", 1, e.m, e.n, layout, seed).front();
}

/// A result that nothing has been written to.
template <class T>
Matrix<T> poisoned_matrix(const Extents& e, Layout layout) {
  const Matrix<T> matrix = new_matrices<T>("result", 1, e.m, e.n, layout).front();
  poison(matrix.storage());
  return matrix;
}

template <class T, class Check>
void for_each_case(const Check& check) {
  for (const Extents& e : extents)
    for (const Layout layout : {Layout::right, Layout::left}) {
      SCOPED_TRACE(std::to_string(e.m) + " x " + std::to_string(e.n) + (layout == Layout::right ? " right" : " left"));
      check(e, layout);
    }
}

template <class T>
double tolerance(double value) {
  return 8 * ScalarTraits<T>::unit_roundoff * (1 + std::abs(value));
}

TYPED_TEST(Passes, bias_and_activation) {
  using T = TypeParam;
  for_each_case<T>([](const Extents& e, Layout layout) {
    const Matrix<T> C = random_matrix<T>(e, layout, 1), bias = random_matrix<T>({1, e.n}, Layout::right, 2);
    const HostMatrix<T> before(C), addend(bias);
    bias_activation_pass<T>(ExecutionSpace(), C, bias.storage(), Tanh());
    const HostMatrix<T> after(C);
    for (std::int64_t i = 0; i < e.m; ++i)
      for (std::int64_t j = 0; j < e.n; ++j)
        ASSERT_NEAR(after(i, j), std::tanh(before(i, j) + addend(0, j)), tolerance<T>(1)) << i << ", " << j;
  });
}

/// dZ as it should be.
template <class T>
double derivative_at(const HostMatrix<T>& dC, const HostMatrix<T>& saved, std::int64_t i, std::int64_t j) {
  return dC(i, j) * Tanh().derivative(saved(i, j));
}

TYPED_TEST(Passes, derivative) {
  using T = TypeParam;
  for_each_case<T>([](const Extents& e, Layout layout) {
    const Matrix<T> dC = random_matrix<T>(e, layout, 3), saved = random_matrix<T>(e, layout, 4);
    const Matrix<T> dZ = poisoned_matrix<T>(e, layout);
    derivative_pass(ExecutionSpace(), dC, saved, dZ, Tanh());
    const HostMatrix<T> result(dZ), host_dC(dC), host_saved(saved);
    for (std::int64_t i = 0; i < e.m; ++i)
      for (std::int64_t j = 0; j < e.n; ++j)
        ASSERT_NEAR(result(i, j), derivative_at(host_dC, host_saved, i, j), tolerance<T>(1)) << i << ", " << j;
  });
}

/// Sums of values(i, j) over i, within what rounding may do to them.
template <class T, class Values>
void expect_sums(const Matrix<T>& sums, const Extents& e, const Values& values) {
  const HostMatrix<T> result(sums);
  for (std::int64_t j = 0; j < e.n; ++j) {
    double sum = 0, scale = 0;
    for (std::int64_t i = 0; i < e.m; ++i) {
      sum += values(i, j);
      scale += std::abs(values(i, j));
    }
    const double rounding = 4 * ScalarTraits<accumulator_t<T>>::unit_roundoff * std::sqrt(e.m) * scale;
    ASSERT_NEAR(result(0, j), sum, rounding + tolerance<T>(sum)) << "column " << j;
  }
}

TYPED_TEST(Passes, column_sums) {
  using T = TypeParam;
  for_each_case<T>([](const Extents& e, Layout layout) {
    const Matrix<T> values = random_matrix<T>(e, layout, 5), sums = poisoned_matrix<T>({1, e.n}, Layout::right);
    const ColumnSumsPlan<T> plan(e.m, e.n, layout);
    for (int time = 0; time < 2; ++time) column_sums_pass(ExecutionSpace(), plan, values, sums.storage());
    expect_sums(sums, e, HostMatrix<T>(values));
  });
}

/// In the type that they are formed in, they are not rounded to that of the values.
TYPED_TEST(Passes, sums_of_another_type) {
  using T = TypeParam;
  using R = accumulator_t<T>;
  for_each_case<T>([](const Extents& e, Layout layout) {
    const Matrix<T> values = random_matrix<T>(e, layout, 8);
    const Matrix<R> sums   = poisoned_matrix<R>({1, e.n}, Layout::right);
    column_sums_pass(ExecutionSpace(), ColumnSumsPlan<T>(e.m, e.n, layout), values, sums.storage());
    expect_sums(sums, e, HostMatrix<T>(values));
  });
}

TYPED_TEST(Passes, derivative_and_sums) {
  using T = TypeParam;
  for_each_case<T>([](const Extents& e, Layout layout) {
    const Matrix<T> dC = random_matrix<T>(e, layout, 6), saved = random_matrix<T>(e, layout, 7);
    const Matrix<T> dZ = poisoned_matrix<T>(e, layout), sums = poisoned_matrix<T>({1, e.n}, Layout::right);
    derivative_and_sums_pass(ExecutionSpace(), ColumnSumsPlan<T>(e.m, e.n, layout), dC, saved, dZ, Tanh(),
                             sums.storage());
    const HostMatrix<T> result(dZ), host_dC(dC), host_saved(saved);
    const auto expected = [&](std::int64_t i, std::int64_t j) { return derivative_at(host_dC, host_saved, i, j); };
    for (std::int64_t i = 0; i < e.m; ++i)
      for (std::int64_t j = 0; j < e.n; ++j)
        ASSERT_NEAR(result(i, j), expected(i, j), tolerance<T>(1)) << i << ", " << j;
    expect_sums(sums, e, expected);
  });
}

// Which keeps a result that went through a shorter type from passing for one of the type that it has.
TEST(Tolerances, are_those_of_results_unless_a_factor_was_rounded) {
  const double off = 4 * ScalarTraits<float>::unit_roundoff;
  EXPECT_LT((tolerance_of<double>("tegula", 100, Compute::native).allowed(1, 1, 1)), off);
  EXPECT_GT((tolerance_of<double, float>("tegula", 100, Compute::native).allowed(1, 1, 1)), off);
  EXPECT_LT((tolerance_of<double, float>("tegula", 100, Compute::native).allowed(1, 1, 0)), off) << "no factor";
}

#ifdef KOKKOS_ENABLE_CUDA

template <class T>
class PassSpeed : public testing::Test {
 protected:
  static constexpr double part_of_copy = 0.85;
  static constexpr Extents e{16384, 8192};
  static constexpr double bytes = sizeof(T) * static_cast<double>(e.m) * static_cast<double>(e.n);

  /// From a time near the best of several calls.
  static double bytes_per_second(double moved, const std::function<void()>& pass) {
    const auto timer = make_timer(Clock::events);
    return moved / quantile(timer->batch(20, pass)(), 0.1);
  }

  /// matrices: how many are read and written.
  static void expect_as_fast_as_a_copy(const char* name, double matrices, const std::function<void()>& pass) {
    const VectorView<double> from("from", std::size_t(1) << 28), to("to", std::size_t(1) << 28);
    const double copy    = bytes_per_second(2.0 * sizeof(double) * static_cast<double>(from.size()),
                                            [&] { Kokkos::deep_copy(ExecutionSpace(), to, from); });
    const double reached = bytes_per_second(matrices * bytes, pass);
    std::cout << name << ", " << ScalarTraits<T>::name << ": " << 100 * reached / copy << " % of a copy\n";
    EXPECT_GE(reached, part_of_copy * copy) << name;
  }
};

using SpeedTypes = testing::Types<bhalf_t, float, double>;
TYPED_TEST_SUITE(PassSpeed, SpeedTypes);

TYPED_TEST(PassSpeed, is_that_of_a_copy) {
  using T      = TypeParam;
  const auto e = TestFixture::e;
  const ExecutionSpace exec;
  for (const Layout layout : {Layout::right, Layout::left}) {
    const Matrix<T> C = random_matrix<T>(e, layout, 1), saved = random_matrix<T>(e, layout, 2);
    const Matrix<T> dZ = poisoned_matrix<T>(e, layout), vector = random_matrix<T>({1, e.n}, Layout::right, 3);
    const ColumnSumsPlan<T> plan(e.m, e.n, layout);
    TestFixture::expect_as_fast_as_a_copy("bias and activation", 2,
                                          [&] { bias_activation_pass<T>(exec, C, vector.storage(), Relu()); });
    TestFixture::expect_as_fast_as_a_copy("derivative", 3, [&] { derivative_pass(exec, C, saved, dZ, Relu()); });
    TestFixture::expect_as_fast_as_a_copy("column sums", 1, [&] { column_sums_pass(exec, plan, C, vector.storage()); });
    TestFixture::expect_as_fast_as_a_copy("derivative and sums", 3, [&] {
      derivative_and_sums_pass(exec, plan, C, saved, dZ, Relu(), vector.storage());
    });
  }
}

#endif

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
