// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestBackward.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestTypes.hpp"

/// Sixteen bits in, float in between, either out; and a storage type that the library has never seen.

namespace Tegula::Test {
namespace {

template <class C>
class MixedScalars : public testing::Test {
 protected:
  using Space = typename C::Space;
  template <class Scalar>
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;

  template <class A, class B, class Result, class Bias>
  void expect_product() {
    const Matrix<A> a(random_matrix(random_, 70, 300));
    const Matrix<B> b(random_matrix(random_, 300, 67));
    const Matrix<Bias> bias(random_matrix(random_, 1, 67));
    const Matrix<Result> c(random_matrix(random_, 70, 67));
    Reference z = reference_product(1, a.values(), b.values());
    add(z, 1, c.values());
    add_row(z, bias.values());
    gemm(Space(), a.const_view(), b.const_view(), c.view(), Epilogue(Sigmoid(), bias.row()), {.beta = 1});
    EXPECT_TRUE(matches_activated<Result>(c.values(), z, Sigmoid()));
  }

  // Gradients of 16-bit operands, with the weight and bias gradients kept in float.
  template <class Storage>
  void expect_gradients_with_float_weights() {
    const Matrix<Storage> A(random_matrix(random_, 300, 40)), B(random_matrix(random_, 40, 67));
    const Matrix<Storage> dC(random_matrix(random_, 300, 67)), saved(random_matrix(random_, 300, 67)), dA(300, 40);
    const Matrix<float> dB(40, 67), dbias(1, 67);
    const Reference dZ  = reference_dZ(dC.values(), saved.values(), Tanh());
    const auto expected = reference_gradients(dZ, A.values(), B.values(), 1);
    gemm_backward(Space(), dC.const_view(), A.const_view(), B.const_view(), saved.const_view(), dA.view(), dB.view(),
                  dbias.row(), Tanh());
    EXPECT_TRUE(matches<Storage>(dA.values(), expected.dA));
    EXPECT_TRUE(matches<float>(dB.values(), expected.dB));
    EXPECT_TRUE(matches<float>(dbias.values(), expected.dbias));
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(MixedScalars, SpaceCases, CaseName);

TYPED_TEST(MixedScalars, OfKokkosMayMeet) {
  this->template expect_product<half_t, half_t, float, float>();
  this->template expect_product<bhalf_t, bhalf_t, float, bhalf_t>();
  this->template expect_product<half_t, bhalf_t, half_t, half_t>();
  this->template expect_product<float, half_t, float, float>();
}

TYPED_TEST(MixedScalars, OfTheUserMayMeetFloat) {
  this->template expect_product<Bfloat16, Bfloat16, Bfloat16, Bfloat16>();
  this->template expect_product<Bfloat16, Bfloat16, float, float>();
  this->template expect_product<Bfloat16, float, Bfloat16, float>();
}

TYPED_TEST(MixedScalars, MayDifferBetweenGradients) {
  this->template expect_gradients_with_float_weights<half_t>();
  this->template expect_gradients_with_float_weights<bhalf_t>();
  this->template expect_gradients_with_float_weights<Bfloat16>();
}

// 4096 products of 1: in float the sum is exact, in bfloat16 it would stop at 256.
TYPED_TEST(MixedScalars, AreSummedInFloat) {
  const DeviceMatrix<typename TestFixture::Space, Kokkos::LayoutRight, Bfloat16> A(HostMatrix(3, 4096, 1)),
      B(HostMatrix(4096, 5, 1)), C(3, 5);
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view());
  for (const double value : C.values().values) EXPECT_EQ(value, 4096);
}

static_assert(accumulate_alike<float, half_t, bhalf_t, Bfloat16>);
static_assert(!accumulate_alike<double, float>);
static_assert(!accumulate_alike<float, int>);

}  // namespace
}  // namespace Tegula::Test
