// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <host/Tegula_HostMicrokernel.hpp>
#include <host/Tegula_HostVector.hpp>

#include "Tegula_TestBackward.hpp"
#include "Tegula_TestTypes.hpp"

/// An application that is compiled for another processor than the library is. CMake compiles this file with several
/// such flags, and runs it with each of the library's sets of instructions. The activation is the application's own, so
/// that the library's kernel calls what the application compiles.

namespace Tegula::Test {
namespace {

/// act(z) = z / (1 + z^2), act' = (1 - z^2) / (1 + z^2)^2
struct Serpentine {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "serpentine";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z / (T(1) + z * z);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T z) const {
    const T w = T(1) + z * z;
    return (T(1) - z * z) / (w * w);
  }
};

template <class C>
class HostFlags : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, typename C::Layout, Scalar>;

  Matrix draw(std::int64_t rows, std::int64_t columns) { return Matrix(random_matrix(random_, rows, columns)); }

  void expect_product(const GemmShape& s) {
    const Matrix A = draw(s.m, s.k), B = draw(s.k, s.n), bias = draw(1, s.n), C_(s.m, s.n), Z(s.m, s.n);
    gemm(Space(), A.const_view(), B.const_view(), C_.view(), Epilogue(Serpentine(), bias.row(), Z.view()));
    Reference z = reference_product(1, A.values(), B.values());
    add_row(z, bias.values());
    ASSERT_TRUE(matches<Scalar>(Z.values(), z)) << text(s);
    ASSERT_TRUE(matches_activated<Scalar>(C_.values(), z, Serpentine())) << text(s);
    ASSERT_TRUE(C_.surroundings_untouched() && Z.surroundings_untouched()) << text(s);
  }

  void expect_gradients(const GemmShape& s) {
    const Matrix A = draw(s.m, s.k), B = draw(s.k, s.n), dC = draw(s.m, s.n), Z = draw(s.m, s.n);
    const Matrix dA(s.m, s.k), dB(s.k, s.n), dbias(1, s.n);
    gemm_backward(Space(), dC.const_view(), A.const_view(), B.const_view(), PreActivation(Z.const_view()), dA.view(),
                  dB.view(), dbias.row(), Serpentine());
    const Reference dZ                = reference_dZ(dC.values(), Z.values(), Serpentine());
    const ReferenceGradients expected = reference_gradients(dZ, A.values(), B.values(), 1);
    ASSERT_TRUE(matches<Scalar>(dA.values(), expected.dA)) << text(s);
    ASSERT_TRUE(matches<Scalar>(dB.values(), expected.dB)) << text(s);
    ASSERT_TRUE(matches<Scalar>(dbias.values(), expected.dbias)) << text(s);
    ASSERT_TRUE(dA.surroundings_untouched() && dB.surroundings_untouched()) << text(s);
  }

  static std::string text(const GemmShape& s) {
    return std::to_string(s.m) + 'x' + std::to_string(s.n) + 'x' + std::to_string(s.k);
  }

  Random random_ = make_random();
};

using HostFlagsCases = typename GoogleTypes<
    typename Cases<TypeList<Kokkos::DefaultHostExecutionSpace>, Layouts, TypeList<float, double>>::type>::type;
TYPED_TEST_SUITE(HostFlags, HostFlagsCases, CaseName);

TYPED_TEST(HostFlags, AProductOfAnySmallShapeIsRight) {
  for (int m = 1; m <= 17; m += 2)
    for (int n = 1; n <= 37; n += 3)
      for (const int k : {1, 5, 40}) {
        this->expect_product({m, n, k});
        if (this->HasFatalFailure()) return;
      }
}

TYPED_TEST(HostFlags, GradientsOfAnySmallShapeAreRight) {
  for (int m = 1; m <= 17; m += 4)
    for (int n = 1; n <= 37; n += 3)
      for (const int k : {1, 5, 40}) {
        this->expect_gradients({m, n, k});
        if (this->HasFatalFailure()) return;
      }
}

// The register tile, which the library and the application each compute for themselves.
template <class T, class InstructionSet>
void expect_the_librarys_register_tile(Impl::Instructions instructions) {
  using Tile                          = Impl::RegisterTile<T, InstructionSet>;
  const Impl::RegisterTileShape shape = Impl::register_tile<T>(instructions);
  EXPECT_EQ(shape.rows, Tile::rows) << name(instructions);
  EXPECT_EQ(shape.columns, Tile::columns) << name(instructions);
  EXPECT_EQ(shape.lanes, (Impl::host_lanes<T, InstructionSet>)) << name(instructions);
}

TYPED_TEST(HostFlags, BothSidesHaveOneRegisterTile) {
  using T = typename TestFixture::Scalar;
  expect_the_librarys_register_tile<T, Impl::Baseline>(Impl::Instructions::baseline);
  expect_the_librarys_register_tile<T, Impl::Avx2>(Impl::Instructions::avx2);
  expect_the_librarys_register_tile<T, Impl::Avx512>(Impl::Instructions::avx512);
}

}  // namespace
}  // namespace Tegula::Test
