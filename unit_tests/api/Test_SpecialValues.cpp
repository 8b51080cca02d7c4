// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// NaN, infinity, empty extents, and what alpha = 0 and beta = 0 must not read. Outputs start as NaN throughout.

namespace Tegula::Test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

template <class C>
class SpecialValues : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, typename C::Layout, Scalar>;

  static bool all_are(const HostMatrix& matrix, double value) {
    return std::all_of(matrix.values.begin(), matrix.values.end(), [&](double v) { return v == value; });
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(SpecialValues, AllCases, CaseName);

TYPED_TEST(SpecialValues, BetaZeroDoesNotReadC) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix A(HostMatrix(66, 3, 1)), B(HostMatrix(3, 67, 2)), C(66, 67);
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), {}, {.beta = 0});
  EXPECT_TRUE(this->all_are(C.values(), 6));
}

TYPED_TEST(SpecialValues, AlphaZeroDoesNotReadAAndB) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix A(66, 3), B(3, 67), C(HostMatrix(66, 67, 4));
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), {}, {.alpha = 0, .beta = 0.5});
  EXPECT_TRUE(this->all_are(C.values(), 2));
}

TYPED_TEST(SpecialValues, AlphaAndBetaZeroClearC) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix A(5, 3), B(3, 7), C(5, 7);
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), {}, {.alpha = 0, .beta = 0});
  EXPECT_TRUE(this->all_are(C.values(), 0));
}

TYPED_TEST(SpecialValues, AlphaAndBetaThatRoundToZeroAreZero) {
  using Matrix        = typename TestFixture::Matrix;
  constexpr bool zero = std::is_same_v<accumulator_t<typename TestFixture::Scalar>, float>;
  for (const char* const family : {"", "portable"}) {
    const Matrix A(5, 3), B(3, 7), C(5, 7);
    gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), {},
         {.alpha = 1e-60, .beta = 1e-60, .plan = {.family = family}});
    EXPECT_EQ(this->all_are(C.values(), 0), zero) << family;
  }
}

TYPED_TEST(SpecialValues, AnEmptySumIsZeroWhateverAlphaIs) {
  using Matrix = typename TestFixture::Matrix;
  for (const double alpha : {1.0, nan, inf}) {
    const Matrix A(5, 0), B(0, 7), C(5, 7);
    gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), {}, {.alpha = alpha});
    EXPECT_TRUE(this->all_are(C.values(), 0)) << alpha;
  }
}

TYPED_TEST(SpecialValues, EmptyResultsAreLeftAlone) {
  using Matrix = typename TestFixture::Matrix;
  for (const auto& [m, n] : {std::pair{0, 7}, std::pair{5, 0}, std::pair{0, 0}}) {
    const Matrix A(HostMatrix(m, 3, 1)), B(HostMatrix(3, n, 1)), C(m, n);
    gemm(typename TestFixture::Space(), A.view(), B.view(), C.view());
    EXPECT_TRUE(C.untouched());
  }
}

// One NaN in A reaches exactly its row of C, one in B its column; tiles and masks must neither lose nor spread it.
TYPED_TEST(SpecialValues, NaNReachesItsRowAndColumnOnly) {
  using Matrix = typename TestFixture::Matrix;
  const int m = 131, n = 135, k = 67, row = 129, column = 64;
  HostMatrix a = random_matrix(this->random_, m, k), b = random_matrix(this->random_, k, n);
  a(row, k - 1) = nan;
  b(0, column)  = inf;
  const Matrix A(a), B(b), C(m, n);
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), Epilogue(Relu()));
  const HostMatrix c = C.values();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i == row) {
        ASSERT_TRUE(std::isnan(c(i, j))) << i << ' ' << j;
      } else if (j == column) {
        ASSERT_TRUE(c(i, j) == (a(i, 0) > 0 ? inf : 0)) << i << ' ' << j << ' ' << c(i, j);
      } else {
        ASSERT_TRUE(std::isfinite(c(i, j))) << i << ' ' << j;
      }
    }
  }
}

TYPED_TEST(SpecialValues, NaNInCAndInTheBiasPropagates) {
  using Matrix = typename TestFixture::Matrix;
  HostMatrix c(4, 6, 1), bias(1, 6, 1);
  c(2, 3)    = nan;
  bias(0, 5) = -inf;
  const Matrix A(HostMatrix(4, 2, 1)), B(HostMatrix(2, 6, 1)), C(c), bias_row(bias);
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), Epilogue(Relu(), bias_row.row()), {.beta = 1});
  const HostMatrix result = C.values();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (i == 2 && j == 3) {
        EXPECT_TRUE(std::isnan(result(i, j)));
      } else {
        EXPECT_EQ(result(i, j), j == 5 ? 0 : 4);
      }
    }
  }
}

// dA sums over n and dB over m: one may be empty while the other is not. To accumulate is to add zero.
TYPED_TEST(SpecialValues, GradientsOverEmptySumsAreZeroWhateverAlphaIs) {
  using Matrix = typename TestFixture::Matrix;
  using Space  = typename TestFixture::Space;
  for (const char* const family : {"", "portable"}) {
    for (const double alpha : {nan, inf, -inf}) {
      for (const Update update : {Update::overwrite, Update::accumulate}) {
        const GemmBackwardOptions options{.alpha = alpha, .dA = update, .dB = update, .plan = {.family = family}};
        const bool adds   = update == Update::accumulate;
        const auto before = [&](int rows, int columns) {
          return adds ? Matrix(HostMatrix(rows, columns, 3)) : Matrix(rows, columns);
        };
        const Matrix no_rows(0, 6), A(0, 4), B(HostMatrix(4, 6, 1)), dA(0, 4), dB = before(4, 6), dbias(1, 6);
        gemm_backward(Space(), no_rows.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row(), Identity(),
                      options);
        EXPECT_TRUE(this->all_are(dB.values(), adds ? 3 : 0)) << alpha << ' ' << family;
        EXPECT_TRUE(this->all_are(dbias.values(), 0)) << alpha << ' ' << family;

        const Matrix no_columns(5, 0), A2(HostMatrix(5, 4, 1)), B2(4, 0), dA2 = before(5, 4), dB2(4, 0);
        gemm_backward(Space(), no_columns.view(), A2.view(), B2.view(), none, dA2.view(), dB2.view(), none, Identity(),
                      options);
        EXPECT_TRUE(this->all_are(dA2.values(), adds ? 3 : 0)) << alpha << ' ' << family;
      }
    }
  }
}

TYPED_TEST(SpecialValues, GradientsOverEmptySumsAreZero) {
  using Matrix = typename TestFixture::Matrix;
  using Space  = typename TestFixture::Space;
  {
    const Matrix dC(0, 6), A(0, 4), B(HostMatrix(4, 6, 1)), dA(0, 4), dB(4, 6), dbias(1, 6);
    gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row());
    EXPECT_TRUE(this->all_are(dB.values(), 0) && this->all_are(dbias.values(), 0));
  }
  {
    const Matrix dC(5, 0), A(HostMatrix(5, 4, 1)), B(4, 0), dA(5, 4), dB(4, 0), dbias(1, 0);
    gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row());
    EXPECT_TRUE(this->all_are(dA.values(), 0));
  }
  {
    const Matrix dC(HostMatrix(5, 6, 1)), A(5, 0), B(0, 6), dA(5, 0), dB(0, 6), dbias(1, 6);
    gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row());
    EXPECT_TRUE(this->all_are(dbias.values(), 5));
  }
}

TYPED_TEST(SpecialValues, AlphaZeroGivesZeroGradientsButNotAZeroBiasGradient) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix dC(HostMatrix(5, 6, 2)), A(5, 4), B(4, 6), dA(5, 4), dB(4, 6), dbias(1, 6);
  gemm_backward(typename TestFixture::Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row(),
                Identity(), {.alpha = 0});
  EXPECT_TRUE(this->all_are(dA.values(), 0) && this->all_are(dB.values(), 0));
  EXPECT_TRUE(this->all_are(dbias.values(), 10));
}

}  // namespace
}  // namespace Tegula::Test
