// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// Views of every kind: any mix of layouts, subviews, const, unmanaged, broadcast.

namespace Tegula::Test {
namespace {

template <class C>
class Views : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;

  Random random_ = make_random();
};

TYPED_TEST_SUITE(Views, SpaceScalarCases, CaseName);

template <class Space, class Scalar, class ALayout, class BLayout, class CLayout>
void expect_product_of_layouts(Random& random) {
  const DeviceMatrix<Space, ALayout, Scalar> A(random_matrix(random, 70, 66));
  const DeviceMatrix<Space, BLayout, Scalar> B(random_matrix(random, 66, 67));
  const DeviceMatrix<Space, CLayout, Scalar> C(random_matrix(random, 70, 67));
  Reference expected = reference_product(1, A.values(), B.values());
  add(expected, -1, C.values());
  gemm(Space(), A.const_view(), B.view(), C.view(), {}, {.beta = -1});
  EXPECT_TRUE(matches<Scalar>(C.values(), expected))
      << layout_name<ALayout>() << ' ' << layout_name<BLayout>() << ' ' << layout_name<CLayout>();
  EXPECT_TRUE(C.surroundings_untouched() && A.untouched() && B.untouched());
}

template <class Space, class Scalar, class ALayout, class BLayout, class... C>
void for_each_c_layout(Random& random, TypeList<C...>) {
  (expect_product_of_layouts<Space, Scalar, ALayout, BLayout, C>(random), ...);
}
template <class Space, class Scalar, class ALayout, class... B>
void for_each_b_layout(Random& random, TypeList<B...>) {
  (for_each_c_layout<Space, Scalar, ALayout, B>(random, Layouts()), ...);
}
template <class Space, class Scalar, class... A>
void for_each_a_layout(Random& random, TypeList<A...>) {
  (for_each_b_layout<Space, Scalar, A>(random, Layouts()), ...);
}

TYPED_TEST(Views, MayMixAllLayouts) {
  for_each_a_layout<typename TestFixture::Space, typename TestFixture::Scalar>(this->random_, Layouts());
}

// Blocks of one allocation that interleave but share no element are legal arguments, and stay within their bounds.
TYPED_TEST(Views, MayBeBlocksOfOneMatrix) {
  using Space             = typename TestFixture::Space;
  using Scalar            = typename TestFixture::Scalar;
  const HostMatrix values = random_matrix(this->random_, 40, 90);
  const DeviceMatrix<Space, Kokkos::LayoutRight, Scalar> whole(values);
  const auto block = [&](int row, int rows, int column, int columns) {
    return Kokkos::subview(whole.view(), std::make_pair(row, row + rows), std::make_pair(column, column + columns));
  };
  const HostMatrix before = whole.values();
  HostMatrix A(33, 21), B(21, 17);
  for (int i = 0; i < 33; ++i) {
    for (int k = 0; k < 21; ++k) A(i, k) = before(2 + i, 1 + k);
  }
  for (int k = 0; k < 21; ++k) {
    for (int j = 0; j < 17; ++j) B(k, j) = before(5 + k, 30 + j);
  }
  const Reference expected = reference_product(1, A, B);

  gemm(Space(), block(2, 33, 1, 21), block(5, 21, 30, 17), block(3, 33, 60, 17));

  const HostMatrix after = whole.values();
  HostMatrix C(33, 17);
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 90; ++j) {
      const bool inside = i >= 3 && i < 36 && j >= 60 && j < 77;
      if (inside) {
        C(i - 3, j - 60) = after(i, j);
      } else {
        ASSERT_EQ(after(i, j), before(i, j)) << i << ' ' << j;
      }
    }
  }
  EXPECT_TRUE(matches<Scalar>(C, expected));
}

// An input may repeat one row by a stride of zero.
TYPED_TEST(Views, MayBroadcastAnInput) {
  using Space  = typename TestFixture::Space;
  using Scalar = typename TestFixture::Scalar;
  const DeviceMatrix<Space, Kokkos::LayoutRight, Scalar> row(random_matrix(this->random_, 1, 19));
  const DeviceMatrix<Space, Kokkos::LayoutLeft, Scalar> B(random_matrix(this->random_, 19, 23));
  const DeviceMatrix<Space, Kokkos::LayoutRight, Scalar> C(12, 23);
  const Kokkos::View<const Scalar**, Kokkos::LayoutStride, typename Space::memory_space> A(
      row.view().data(), Kokkos::LayoutStride(12, 0, 19, 1));
  HostMatrix repeated(12, 19);
  for (int i = 0; i < 12; ++i) {
    for (int k = 0; k < 19; ++k) repeated(i, k) = row.values()(0, k);
  }
  gemm(Space(), A, B.const_view(), C.view());
  EXPECT_TRUE(matches<Scalar>(C.values(), reference_product(1, repeated, B.values())));
}

}  // namespace
}  // namespace Tegula::Test
