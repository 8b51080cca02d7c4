// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "Tegula_TestBackward.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestTypes.hpp"

/// gemm_backward of sixteen bits, where what the forward pass saved is in float.

namespace Tegula::Test {
namespace {

template <class C>
class SavedInFloat : public testing::Test {
 protected:
  using Space = typename C::Space;
  template <class Scalar>
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;

  // Rows of whole words of 16 bytes, which kernels may read as such, and others.
  template <class Storage>
  void expect_gradients(const char* family) {
    expect_gradients_of_rows<Storage>(67, Matrix<float>::odd_margin, family);
    expect_gradients_of_rows<Storage>(64, Matrix<float>::even_margin, family);
  }

  // act' is taken at values that were not rounded.
  template <class Storage>
  void expect_gradients_of_rows(std::int64_t n, std::int64_t margin, const char* family) {
    SCOPED_TRACE(std::to_string(n) + " columns");
    const Matrix<Storage> A(random_matrix(random_, 300, 40)), B(random_matrix(random_, 40, n));
    const Matrix<Storage> dC(random_matrix(random_, 300, n), margin), dA(300, 40), dB(40, n);
    const Matrix<float> saved(random_matrix(random_, 300, n), margin), dbias(1, n);
    const Reference dZ = reference_dZ(dC.values(), saved.values(), Tanh());
    auto expected      = reference_gradients(dZ, A.values(), B.values(), 1);
    const GemmBackwardOptions options{.plan = {.family = family}};
    const Plan plan = make_plan(Space(), dC.const_view(), A.const_view(), B.const_view(), Output(saved.const_view()),
                                dA.view(), dB.view(), dbias.row(), Tanh(), options);
    if (plan.gradient.stores_dZ) {
      allow_rounded_dZ<Storage>(expected.dA);
      allow_rounded_dZ<Storage>(expected.dB);
    }
    gemm_backward(Space(), dC.const_view(), A.const_view(), B.const_view(), Output(saved.const_view()), dA.view(),
                  dB.view(), dbias.row(), Tanh(), options);
    EXPECT_TRUE(matches<Storage>(dA.values(), expected.dA)) << plan.text();
    EXPECT_TRUE(matches<Storage>(dB.values(), expected.dB)) << plan.text();
    EXPECT_TRUE(matches<float>(dbias.values(), expected.dbias)) << family;
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(SavedInFloat, SpaceCases, CaseName);

TYPED_TEST(SavedInFloat, GradientsAreRight) {
  for (const char* family : chosen_and_portable) {
    this->template expect_gradients<half_t>(family);
    this->template expect_gradients<bhalf_t>(family);
    this->template expect_gradients<Bfloat16>(family);
  }
}

#if defined(KOKKOS_ENABLE_CUDA) && TEGULA_HAS_HALF && TEGULA_HAS_BHALF
template <class C>
class SavedForTensorCores : public SavedInFloat<C> {
 protected:
  void expect_gradients_by(const char* family) {
    needs_family(family);
    if (this->IsSkipped()) return;
    this->template expect_gradients<half_t>(family);
    this->template expect_gradients<bhalf_t>(family);
  }
};

using CudaCases = testing::Types<Case<Kokkos::Cuda, Kokkos::LayoutRight, double>>;
TYPED_TEST_SUITE(SavedForTensorCores, CudaCases, CaseName);

TYPED_TEST(SavedForTensorCores, MayBeFloatForMma) { this->expect_gradients_by("mma"); }
TYPED_TEST(SavedForTensorCores, MayBeFloatForWgmma) { this->expect_gradients_by("wgmma"); }
#endif

}  // namespace
}  // namespace Tegula::Test
