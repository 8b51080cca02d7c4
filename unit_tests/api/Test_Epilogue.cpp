// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// C = act(alpha A B + beta C + bias) and Z, for every activation and with one of the user's own.

namespace Tegula::Test {
namespace {

template <class C>
class EpilogueOf : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Layout = typename C::Layout;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, Layout, Scalar>;

  template <class ActivationType>
  void expect_epilogue(const ActivationType& act, int split_k) {
    for (const char* family : chosen_and_portable) expect_epilogue(act, {.family = family, .split_k = split_k});
  }

  template <class ActivationType>
  void expect_epilogue(const ActivationType& act, const PlanOptions& plan) {
    const Matrix A(random_matrix(random_, 69, 130)), B(random_matrix(random_, 130, 71)),
        bias(random_matrix(random_, 1, 71));
    const Matrix C_(random_matrix(random_, 69, 71)), Z(69, 71);
    const GemmOptions options{.alpha = 0.25, .beta = -0.5, .plan = plan};
    Reference z = reference_product(options.alpha, A.values(), B.values());
    add(z, options.beta, C_.values());
    add_row(z, bias.values());

    gemm(Space(), A.const_view(), B.const_view(), C_.view(), Epilogue(act, bias.row(), Z.view()), options);

    EXPECT_TRUE(matches<Scalar>(Z.values(), z)) << act.name;
    EXPECT_TRUE(matches_activated<Scalar>(C_.values(), z, act)) << act.name;
    EXPECT_TRUE(C_.surroundings_untouched() && Z.surroundings_untouched() && bias.untouched()) << act.name;
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(EpilogueOf, AllCases, CaseName);

TYPED_TEST(EpilogueOf, EveryActivationIsFused) {
  for (const int split_k : {1, 3}) {
    this->expect_epilogue(Identity(), split_k);
    this->expect_epilogue(Relu(), split_k);
    this->expect_epilogue(LeakyRelu(0.2), split_k);
    this->expect_epilogue(Tanh(), split_k);
    this->expect_epilogue(Sigmoid(), split_k);
    this->expect_epilogue(Silu(), split_k);
    this->expect_epilogue(GeluTanh(), split_k);
    this->expect_epilogue(GeluErf(), split_k);
  }
}

TYPED_TEST(EpilogueOf, AUsersActivationIsFused) {
  this->expect_epilogue(Wave{-0.2}, 1);
  this->expect_epilogue(Softsign(), 3);
  this->expect_epilogue(Gain(), 1);
}

TYPED_TEST(EpilogueOf, ZIsStoredWithoutABias) {
  using Matrix = typename TestFixture::Matrix;
  using Scalar = typename TestFixture::Scalar;
  const Matrix A(random_matrix(this->random_, 69, 130)), B(random_matrix(this->random_, 130, 71));
  const Reference z = reference_product(0.5, A.values(), B.values());
  for (const char* family : chosen_and_portable) {
    for (const int split_k : {1, 3}) {
      const Matrix C(69, 71), Z(69, 71);
      gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), Epilogue(Relu(), none, Z.view()),
           {.alpha = 0.5, .plan = {.family = family, .split_k = split_k}});
      EXPECT_TRUE(matches<Scalar>(Z.values(), z)) << family << ' ' << split_k;
      EXPECT_TRUE(matches_activated<Scalar>(C.values(), z, Relu())) << family << ' ' << split_k;
      EXPECT_TRUE(C.surroundings_untouched() && Z.surroundings_untouched());
    }
  }
}

TYPED_TEST(EpilogueOf, ABiasAloneIsAdded) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix A(random_matrix(this->random_, 10, 5)), B(random_matrix(this->random_, 5, 65));
  const Matrix bias(random_matrix(this->random_, 1, 65)), C(10, 65);
  Reference expected = reference_product(1, A.values(), B.values());
  add_row(expected, bias.values());
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), Epilogue(Identity(), bias.row()));
  EXPECT_TRUE(matches<typename TestFixture::Scalar>(C.values(), expected));
}

// C is act of the sum as it was before Z was rounded to its storage type, so Z changes nothing but itself.
TYPED_TEST(EpilogueOf, KeepingZDoesNotChangeC) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix A(random_matrix(this->random_, 33, 20)), B(random_matrix(this->random_, 20, 31));
  const Matrix with(33, 31), without(33, 31), Z(33, 31);
  gemm(typename TestFixture::Space(), A.view(), B.view(), with.view(), Epilogue(Silu(), none, Z.view()));
  gemm(typename TestFixture::Space(), A.view(), B.view(), without.view(), Epilogue(Silu()));
  EXPECT_EQ(with.values().values, without.values().values);
}

TYPED_TEST(EpilogueOf, NothingToSumStillGoesThroughIt) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix A(7, 0), B(0, 9), bias(random_matrix(this->random_, 1, 9)), C(random_matrix(this->random_, 7, 9)),
      Z(7, 9);
  Reference z = reference_product(1, HostMatrix(7, 1), HostMatrix(1, 9));
  add(z, 2, C.values());
  add_row(z, bias.values());
  gemm(typename TestFixture::Space(), A.view(), B.view(), C.view(), Epilogue(Tanh(), bias.row(), Z.view()),
       {.beta = 2});
  EXPECT_TRUE(matches<typename TestFixture::Scalar>(Z.values(), z));
  EXPECT_TRUE(matches_activated<typename TestFixture::Scalar>(C.values(), z, Tanh()));
}

}  // namespace
}  // namespace Tegula::Test
