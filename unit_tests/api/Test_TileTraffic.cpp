// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_OwnTypes.hpp>
#include <atomic>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// The portable kernel in tiles of 5x3x6 on a host, with elements that count how often they are loaded and stored: the
/// traffic that Tegula_TileOrder.hpp computes is what the kernel really asks for.

namespace Tegula::Test {

/// A float that counts. On the host only, since the counters live there.
struct Counted {
  float value = 0;

  Counted() = default;
  explicit Counted(float v) : value(v) { ++stores; }
  explicit operator float() const {
    ++loads;
    return value;
  }

  static inline std::atomic<std::int64_t> loads = 0, stores = 0;
};

}  // namespace Tegula::Test

template <>
struct Tegula::ScalarTraits<Tegula::Test::Counted> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-24;
  static constexpr const char* name     = "counted";
};

namespace Tegula::Test {
namespace {

template <class C>
class TileTraffic : public testing::Test {
 protected:
  using Space = typename C::Space;
  template <class Scalar>
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;

  // One thread that owns whole rows on a host; on a device a team that shares a small tile.
  using Tile = std::conditional_t<Impl::is_host_space<Space>, Impl::PortableTile<5, 3, 6, 1, 3, 1>,
                                  Impl::PortableTile<16, 16, 4, 4, 4, 16>>;

  // C = A B by the portable kernel with this Tile, which no planner would offer.
  template <class Scalar>
  static void multiply(const Matrix<Scalar>& A, const Matrix<Scalar>& B, const Matrix<Scalar>& C_, int group) {
    const auto a = Impl::matrix_ref<const Scalar>(A.const_view());
    const auto b = Impl::matrix_ref<const Scalar>(B.const_view());
    const auto c = Impl::matrix_ref<Scalar>(C_.view());
    Plan plan;
    plan.call            = "gemm";
    plan.family          = "portable";
    plan.scratch_bytes   = Impl::TileScratch<Tile, float>::bytes;
    ProductPlan& product = plan.products[0];
    product.shape        = {c.rows, c.columns, a.columns};
    product.tile         = Tile::shape();
    product.order        = tile_order(product.shape, product.tile, group);
    product.k_split      = a.columns;
    const Impl::EpilogueResult<float, Scalar, float, float, Identity> result{c, {}, {}, {}, 1, 0};
    Impl::queue_products_as_they_lie<Tile, float>(
        Space(), plan,
        Impl::make_product<float>(Impl::MatrixOperand<float, Scalar>{a},
                                  Impl::MatrixOperand<float, Scalar>{b.transposed()}, result, product, nullptr));
    Space().fence();
  }

  Random random_ = make_random();
};

TYPED_TEST_SUITE(TileTraffic, SpaceCases, CaseName);

TYPED_TEST(TileTraffic, ProductInTinyTilesIsRight) {
  for (const GemmShape& shape :
       {GemmShape{15, 9, 12}, GemmShape{16, 10, 13}, GemmShape{14, 8, 11}, GemmShape{1, 1, 1}, GemmShape{32, 48, 8}}) {
    for (const int group : {1, 2, 3, 5}) {
      const typename TestFixture::template Matrix<float> A(random_matrix(this->random_, shape.m, shape.k)),
          B(random_matrix(this->random_, shape.k, shape.n)), C(shape.m, shape.n);
      this->multiply(A, B, C, group);
      EXPECT_TRUE(matches<float>(C.values(), reference_product(1, A.values(), B.values())));
      EXPECT_TRUE(C.surroundings_untouched());
    }
  }
}

TYPED_TEST(TileTraffic, OfTheKernelIsWhatTheFormulaSays) {
  if constexpr (Impl::is_host_space<typename TestFixture::Space>) {
    using Matrix = typename TestFixture::template Matrix<Counted>;
    for (const GemmShape& shape : {GemmShape{15, 9, 12}, GemmShape{16, 10, 13}, GemmShape{44, 31, 29}}) {
      const Matrix A(random_matrix(this->random_, shape.m, shape.k)), B(random_matrix(this->random_, shape.k, shape.n));
      const Matrix C(shape.m, shape.n);
      Counted::loads = Counted::stores = 0;
      this->multiply(A, B, C, 2);
      const std::int64_t loads = Counted::loads, stores = Counted::stores;
      const Traffic traffic = tile_traffic(shape, tile_order(shape, TestFixture::Tile::shape(), 2));
      EXPECT_EQ(loads, traffic.loaded());
      EXPECT_EQ(stores, traffic.stored);
      if (shape == GemmShape{15, 9, 12}) {
        EXPECT_EQ(loads, 864);
        EXPECT_EQ(stores, 135);
      }
    }
  } else {
    GTEST_SKIP() << "the counters live on the host";
  }
}

}  // namespace
}  // namespace Tegula::Test
