// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestBackward.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestTypes.hpp"

/// gemm_backward with sixteen bits in, float in between, either out; and with a storage type that the library has never
/// seen.

namespace Tegula::Test {
namespace {

template <class C>
class MixedGradients : public testing::Test {
 protected:
  using Space = typename C::Space;
  template <class Scalar>
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;

  // Gradients of 16-bit operands, with the weight and bias gradients kept in float.
  template <class Storage>
  void expect_gradients_with_float_weights() {
    const Matrix<Storage> A(random_matrix(random_, 300, 40)), B(random_matrix(random_, 40, 67));
    const Matrix<Storage> dC(random_matrix(random_, 300, 67)), saved(random_matrix(random_, 300, 67)), dA(300, 40);
    const Matrix<float> dB(40, 67), dbias(1, 67);
    const Reference dZ = reference_dZ(dC.values(), saved.values(), Tanh());
    auto expected      = reference_gradients(dZ, A.values(), B.values(), 1);
    const Plan plan    = make_plan(Space(), dC.const_view(), A.const_view(), B.const_view(), Output(saved.const_view()),
                                   dA.view(), dB.view(), dbias.row(), Tanh());
    if (plan.gradient.stores_dZ) {
      allow_rounded_dZ<Storage>(expected.dA);
      allow_rounded_dZ<Storage>(expected.dB);
    }
    gemm_backward(Space(), dC.const_view(), A.const_view(), B.const_view(), Output(saved.const_view()), dA.view(),
                  dB.view(), dbias.row(), Tanh());
    EXPECT_TRUE(matches<Storage>(dA.values(), expected.dA));
    EXPECT_TRUE(matches<float>(dB.values(), expected.dB));
    EXPECT_TRUE(matches<float>(dbias.values(), expected.dbias));
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(MixedGradients, SpaceCases, CaseName);

TYPED_TEST(MixedGradients, MayDiffer) {
  this->template expect_gradients_with_float_weights<half_t>();
  this->template expect_gradients_with_float_weights<bhalf_t>();
  this->template expect_gradients_with_float_weights<Bfloat16>();
}

}  // namespace
}  // namespace Tegula::Test
