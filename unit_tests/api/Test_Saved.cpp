// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestMatrix.hpp"
#include "Tegula_TestTypes.hpp"

/// `saved` of gemm_backward. What does not compile is in CompileErrors.cpp.

namespace Tegula::Test {
namespace {

TEST(SavedFor, PicksWhatTheActivationAsksFor) {
  const Kokkos::View<double**, Kokkos::HostSpace> C("C", 2, 3), Z("Z", 2, 3);
  EXPECT_EQ(saved_for(Relu(), C, Z).view.data(), C.data());
  EXPECT_EQ(saved_for(GeluErf(), C, Z).view.data(), Z.data());
  EXPECT_EQ(saved_for(Relu(), C, none).view.data(), C.data());
  EXPECT_EQ(saved_for(Wave(), none, Z).view.data(), Z.data());
  const auto is_same = []<class First, class Second>(const First&, const Second&) {
    return std::is_same_v<First, Second>;
  };
  EXPECT_TRUE(is_same(saved_for(Relu(), C, Z), Output(C)));
  EXPECT_TRUE(is_same(saved_for(GeluErf(), C, Z), PreActivation(Z)));
  EXPECT_TRUE(is_same(saved_for(Identity(), C, Z), none));
}

template <class C>
class SavedArgument : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, double>;

  Random random_ = make_random();
  Matrix A_{random_matrix(random_, 70, 40)}, B_{random_matrix(random_, 40, 50)}, dC_{random_matrix(random_, 70, 50)};
};

TYPED_TEST_SUITE(SavedArgument, SpaceCases, CaseName);

// A derivative that is constant: `none` is enough, a View of either kind changes neither plan nor bits.
TYPED_TEST(SavedArgument, MayBeGivenWhereNothingIsNeeded) {
  using Matrix = typename TestFixture::Matrix;
  const Matrix poisoned(70, 50);
  for (const char* family : chosen_and_portable) {
    const GemmBackwardOptions options{.plan = {.family = family}};
    const auto gradients = [&](const auto& saved) {
      const Matrix dA(70, 40), dB(40, 50), dbias(1, 50);
      const auto call = [&](const auto& function) {
        return function(typename TestFixture::Space(), this->dC_.view(), this->A_.view(), this->B_.view(), saved,
                        dA.view(), dB.view(), dbias.row(), Identity(), options);
      };
      const std::string plan = call([](const auto&... arguments) { return describe(arguments...); });
      call([](const auto&... arguments) { gemm_backward(arguments...); });
      return std::tuple(plan, dA.values().values, dB.values().values, dbias.values().values);
    };
    const auto expected = gradients(none);
    EXPECT_EQ(gradients(Output(poisoned.view())), expected) << family;
    EXPECT_EQ(gradients(PreActivation(poisoned.const_view())), expected) << family;
  }
}

}  // namespace
}  // namespace Tegula::Test
