// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestGradientCalls.hpp"

/// gemm_backward with activations of a user's own, for every execution space, layout and scalar.

namespace Tegula::Test {
namespace {

template <class C>
class UsersDerivatives : public GradientTest<C> {};

TYPED_TEST_SUITE(UsersDerivatives, AllCases, CaseName);

TYPED_TEST(UsersDerivatives, AreApplied) {
  for (const char* family : chosen_and_portable) {
    for (const int split_k : {1, 3}) {
      const GemmBackwardOptions options{.plan = {.family = family, .split_k = split_k}};
      this->expect_gradients({140, 65, 133}, Wave{-0.2}, options);
      this->expect_gradients({140, 65, 133}, Softsign(), options);
      this->expect_gradients({140, 65, 133}, Gain(), options);
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
