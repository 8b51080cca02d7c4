// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <product/Tegula_AnyProducts.hpp>
#include <reduce/Tegula_SumColumns.hpp>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// The sums of columns behind products whose kernels form dZ of the layer below, as devices without passes run them,
/// whose sums are one column's. Threads of a host are their threads here.

namespace Tegula::Test {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

/// A call that leaves nothing to be done but these sums.
template <class Matrix>
Impl::Call call_of(const Matrix& dZ, const Matrix& dbias, Update update) {
  using Scalar = typename Matrix::view_type::value_type;
  Impl::Call call;
  call.name               = "gemm_backward";
  call.is_backward        = true;
  call.dA                 = Impl::call_matrix(Impl::matrix_ref<Scalar>(dZ.view()));
  Impl::LayerBelow& below = call.below.emplace();
  below.dbias             = Impl::call_matrix(Impl::row_vector_ref<Scalar>(dbias.row(), 1));
  below.update_dbias      = update;
  return call;
}

template <class C>
class SumColumns : public testing::Test {
 protected:
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, typename C::Layout, Scalar>;

  void expect_sums(std::int64_t m, std::int64_t n, std::int64_t at_once, Update update) {
    const Matrix dZ(random_matrix(random_, m, n));
    const Matrix dbias = update == Update::accumulate ? Matrix(random_matrix(random_, 1, n)) : Matrix(1, n);
    Reference expected = reference_column_sums(dZ.values());
    if (update == Update::accumulate) add(expected, 1, dbias.values());
    const Impl::Call call = call_of(dZ, dbias, update);
    Plan plan;
    Impl::plan_sums_below(plan, call, sizeof(Scalar), at_once, 1);
    EXPECT_EQ(plan.below.strips, n);
    EXPECT_GE(plan.below.parts * plan.below.part_rows, m);
    EXPECT_EQ(plan.below.sums_bytes > 0, plan.below.parts > 1);
    const Kokkos::View<double*, Space> workspace("workspace", plan.workspace_bytes() / sizeof(double) + 1);
    Impl::launch_sums_below<Scalar, 1>(Space(), call, plan, reinterpret_cast<char*>(workspace.data()),
                                       Impl::AnySumsBelow<Scalar>(call));
    EXPECT_TRUE(matches<Scalar>(dbias.values(), expected)) << m << 'x' << n << ", " << plan.below.parts << " parts";
    EXPECT_TRUE(dbias.surroundings_untouched() && dZ.untouched());
  }

  Random random_ = make_random();
};

using Cases = testing::Types<Case<Space, Kokkos::LayoutRight, float>, Case<Space, Kokkos::LayoutLeft, float>,
                             Case<Space, Kokkos::LayoutStride, double>>;
TYPED_TEST_SUITE(SumColumns, Cases, CaseName);

TYPED_TEST(SumColumns, AreRightInAnyNumberOfParts) {
  for (const Update update : {Update::overwrite, Update::accumulate})
    for (const std::int64_t m : {0, 1, 127, 128, 129, 1000, 5003})
      for (const std::int64_t n : {1, 7, 64, 65})
        for (const std::int64_t at_once : {1, 100, 100000}) this->expect_sums(m, n, at_once, update);
}

}  // namespace
}  // namespace Tegula::Test
