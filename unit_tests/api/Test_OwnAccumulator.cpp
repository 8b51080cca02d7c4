// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_OwnTypes.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "Tegula_TestTypes.hpp"

/// Elements whose sums are neither float nor double: the portable kernel is compiled for them where they are used.

template <>
struct Tegula::ScalarTraits<long double> {
  using accumulator                     = long double;
  static constexpr double unit_roundoff = std::numeric_limits<long double>::epsilon() / 2;
  static constexpr const char* name     = "long_double";
};

namespace Tegula::Test {
namespace {

/// act(z) = z for z > 0, 0 otherwise, for any type.
struct Ramp {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "ramp";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z > 0 ? z : T(0);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    return T(y > 0 ? 1 : 0);
  }
};

template <class C>
class OwnAccumulator : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = Kokkos::View<long double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

  // A number that double cannot hold, if long double has more digits than it.
  static constexpr long double big = 0x1p53L, odd = big + 1;

  static Matrix matrix(const std::vector<std::vector<long double>>& rows) {
    const Matrix m("m", rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[0].size(); ++j) m(i, j) = rows[i][j];
    return m;
  }
};

using HostCases =
    typename GoogleTypes<typename Cases<HostSpaces, TypeList<Kokkos::LayoutRight>, TypeList<double>>::type>::type;
TYPED_TEST_SUITE(OwnAccumulator, HostCases, CaseName);

TYPED_TEST(OwnAccumulator, SumsInItsOwnType) {
  using Space               = typename TestFixture::Space;
  using Matrix              = typename TestFixture::Matrix;
  constexpr long double big = TestFixture::big, odd = TestFixture::odd;
  const Matrix A = this->matrix({{1, 1}, {2, 0}}), B = this->matrix({{big, 1, 0}, {1, 1, 3}}), C("C", 2, 3);
  gemm(Space(), A, B, C, Epilogue(Ramp()));
  EXPECT_TRUE(C(0, 0) == odd && C(0, 1) == 2 && C(0, 2) == 3);
  EXPECT_TRUE(C(1, 0) == 2 * big && C(1, 1) == 2 && C(1, 2) == 0);

  const Matrix dC = this->matrix({{big, 1, 5}, {1, 2, 7}}), dA("dA", 2, 2), dB("dB", 2, 3);
  const Kokkos::View<long double*, Kokkos::HostSpace> dbias("dbias", 3);
  gemm_backward(Space(), dC, A, B, Output(C), dA, dB, dbias, Ramp());  // dZ is dC, but for (1, 2)
  EXPECT_TRUE(dA(0, 0) == big * big + 1 && dA(0, 1) == big + 1 + 15);
  EXPECT_TRUE(dB(0, 0) == big + 2 && dB(0, 1) == 5 && dB(0, 2) == 5 && dB(1, 0) == big && dB(1, 2) == 5);
  EXPECT_TRUE(dbias(0) == odd && dbias(1) == 3 && dbias(2) == 5);
}

TYPED_TEST(OwnAccumulator, SumsInParts) {
  using Space  = typename TestFixture::Space;
  using Matrix = typename TestFixture::Matrix;
  const Matrix A("A", 4, 200), B("B", 200, 5), C("C", 4, 5);
  Kokkos::deep_copy(A, 1.0L);
  Kokkos::deep_copy(B, 1.0L);
  for (int j = 0; j < 5; ++j) B(70, j) = TestFixture::big;
  const GemmOptions options{.plan = {.split_k = 2}};
  EXPECT_EQ(workspace_bytes(Space(), A, B, C, {}, options), 2 * 4 * 5 * sizeof(long double));
  gemm(Space(), A, B, C, {}, options);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) EXPECT_TRUE(C(i, j) == TestFixture::big + 199) << i << ' ' << j;
}

TYPED_TEST(OwnAccumulator, IsForThePortableFamily) {
  using Space    = typename TestFixture::Space;
  using Matrix   = typename TestFixture::Matrix;
  const Matrix A = this->matrix({{1}}), C("C", 1, 1);
  EXPECT_STREQ(make_plan(Space(), A, A, C).family, "portable");
  try {
    gemm(Space(), A, A, C, {}, {.plan = {.family = "host"}});
    FAIL() << "the host family sums in float or double";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("sums in float or double"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace Tegula::Test
