// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestRounding.hpp"
#include "Tegula_TestTypes.hpp"

/// Results of 16 bits are rounded to nearest by the families that run everywhere. Those for tensor cores have tests of
/// their own.

namespace Tegula::Test {
namespace {

template <class C>
class Rounding : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;

  Random random_ = make_random();
};

using RoundingScalars =
    typename Concatenate<TypeList<Bfloat16>, If<TEGULA_HAS_HALF, half_t>, If<TEGULA_HAS_BHALF, bhalf_t>>::type;
using RoundingCases =
    typename GoogleTypes<typename Cases<Spaces, TypeList<Kokkos::LayoutRight>, RoundingScalars>::type>::type;
TYPED_TEST_SUITE(Rounding, RoundingCases, CaseName);

TYPED_TEST(Rounding, OfThePortableFamilyIsToNearest) {
  results_are_rounded_to_nearest<typename TestFixture::Space, typename TestFixture::Scalar>(this->random_, "portable",
                                                                                            30);
}

// On a host that is the host family.
TYPED_TEST(Rounding, OfWhatThePlannerChoosesIsToNearest) {
  results_are_rounded_to_nearest<typename TestFixture::Space, typename TestFixture::Scalar>(this->random_, "", 30);
}

}  // namespace
}  // namespace Tegula::Test
