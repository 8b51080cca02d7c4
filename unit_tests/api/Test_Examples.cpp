// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>

#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// The worked examples that the project grew from. The first, 15x9x12 in tiles of 5x3x6, is Test_TileTraffic.cpp.

namespace Tegula::Test {
namespace {

template <class C>
class Examples : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, typename Space::memory_space>;

  template <class Scalar>
  using Device = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;

  // (32x64)(64x32)
  template <class Storage, class Result>
  void expect_small_product() {
    const Device<Storage> A(random_matrix(random_, 32, 64)), B(random_matrix(random_, 64, 32));
    const Device<Result> C_(32, 32);
    gemm(Space(), A.view(), B.view(), C_.view());
    EXPECT_TRUE(matches<Result>(C_.values(), reference_product(1, A.values(), B.values())));
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(Examples, SpaceCases, CaseName);

TYPED_TEST(Examples, Product32x64x32With16BitInputs) {
  this->template expect_small_product<half_t, half_t>();
  this->template expect_small_product<half_t, float>();
  this->template expect_small_product<bhalf_t, bhalf_t>();
  this->template expect_small_product<bhalf_t, float>();
  this->template expect_small_product<Bfloat16, Bfloat16>();
  this->template expect_small_product<Bfloat16, float>();
}

TYPED_TEST(Examples, Product512InFloatWithinOneInAThousand) {
  using Device = typename TestFixture::template Device<float>;
  const Device A(random_matrix(this->random_, 512, 512)), B(random_matrix(this->random_, 512, 512)), C(512, 512);
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view());
  const Reference expected = reference_product(1, A.values(), B.values());
  HostMatrix allowed(512, 512);
  for (std::size_t e = 0; e < allowed.values.size(); ++e) {
    allowed.values[e] = 1e-3 + 1e-3 * std::abs(expected.value.values[e]);
  }
  EXPECT_TRUE(compare(C.values(), expected.value, allowed));
}

/// dC = softmax(C) - one_hot(target), row by row: the gradient of the cross-entropy of the softmax of C.
template <class View>
struct CrossEntropyGradient {
  View C, dC;

  static KOKKOS_FUNCTION std::int64_t target(std::int64_t row, std::int64_t columns) {
    return (row * 7919 + 13) % columns;
  }

  KOKKOS_FUNCTION void operator()(int row) const {
    const auto columns = static_cast<int>(C.extent(1));
    float largest = C(row, 0), sum = 0;
    for (int j = 1; j < columns; ++j) largest = C(row, j) > largest ? C(row, j) : largest;
    for (int j = 0; j < columns; ++j) sum += Impl::math::exp(C(row, j) - largest);
    for (int j = 0; j < columns; ++j) dC(row, j) = Impl::math::exp(C(row, j) - largest) / sum;
    dC(row, target(row, columns)) -= 1;
  }
};

// C = relu(X Y), softmax and cross-entropy against one-hot targets, and the gradients of both operands, each against a
// reference in double at atol 1e-2. Rows and columns are sampled, since a device runs it at 8192.
TYPED_TEST(Examples, ReluSoftmaxCrossEntropyAndBothGradients) {
  using Space  = typename TestFixture::Space;
  using Matrix = typename TestFixture::Matrix;
  const int n  = Impl::is_host_space<Space> ? 320 : 8192;
  const Matrix X("X", n, n), Y("Y", n, n), C("C", n, n), dC("dC", n, n), dX("dX", n, n), dY("dY", n, n);
  const auto x = Kokkos::create_mirror_view(X), y = Kokkos::create_mirror_view(Y);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x(i, j) = static_cast<float>(uniform(this->random_, -1, 1));
      y(i, j) = static_cast<float>(uniform(this->random_, -1, 1));
    }
  }
  Kokkos::deep_copy(X, x);
  Kokkos::deep_copy(Y, y);

  const Space exec;
  gemm(exec, X, Y, C, Epilogue(Relu()));
  Kokkos::parallel_for("softmax", Kokkos::RangePolicy<Space>(exec, 0, n), CrossEntropyGradient<Matrix>{C, dC});
  gemm_backward(exec, dC, X, Y, Output(C), dX, dY, none, Relu());
  exec.fence();

  const auto c  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  const auto dx = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dX);
  const auto dy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dY);

  // dZ of row i in double, from the row of C given.
  const auto dZ_of_row = [&](int i, const std::vector<double>& row) {
    const double largest = *std::max_element(row.begin(), row.end());
    double sum           = 0;
    for (const double value : row) sum += std::exp(value - largest);
    std::vector<double> dZ(row.size());
    for (std::size_t j = 0; j < row.size(); ++j) dZ[j] = row[j] > 0 ? std::exp(row[j] - largest) / sum : 0;
    const auto target = static_cast<std::size_t>(CrossEntropyGradient<Matrix>::target(i, n));
    if (row[target] > 0) dZ[target] -= 1;
    return dZ;
  };

  // Forward and dX: some rows, all in double.
  for (int sample = 0; sample < 8; ++sample) {
    const int i = static_cast<int>(this->random_() % static_cast<std::uint64_t>(n));
    std::vector<double> row(static_cast<std::size_t>(n), 0);
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) row[static_cast<std::size_t>(j)] += static_cast<double>(x(i, k)) * y(k, j);
    }
    for (double& value : row) value = std::max(value, 0.0);
    for (int j = 0; j < n; ++j) ASSERT_NEAR(c(i, j), row[static_cast<std::size_t>(j)], 1e-2) << i << ' ' << j;
    const std::vector<double> dZ = dZ_of_row(i, row);
    for (int k = 0; k < n; ++k) {
      double expected = 0;
      for (int j = 0; j < n; ++j) expected += dZ[static_cast<std::size_t>(j)] * y(k, j);
      ASSERT_NEAR(dx(i, k), expected, 1e-2) << i << ' ' << k;
    }
  }

  // dY: some columns, which need every row of dZ; those come from C, whose rows have just been checked.
  constexpr int columns = 8;
  int sampled[columns];
  for (int& j : sampled) j = static_cast<int>(this->random_() % static_cast<std::uint64_t>(n));
  HostMatrix expected(n, columns);
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) row[static_cast<std::size_t>(j)] = c(i, j);
    const std::vector<double> dZ = dZ_of_row(i, row);
    for (int k = 0; k < n; ++k) {
      for (int s = 0; s < columns; ++s) expected(k, s) += x(i, k) * dZ[static_cast<std::size_t>(sampled[s])];
    }
  }
  for (int k = 0; k < n; ++k) {
    for (int s = 0; s < columns; ++s) ASSERT_NEAR(dy(k, sampled[s]), expected(k, s), 1e-2) << k << ' ' << sampled[s];
  }
}

}  // namespace
}  // namespace Tegula::Test
