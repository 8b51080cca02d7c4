// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/Tegula_CudaMachine.hpp"
#include "cuda/direct/Tegula_DirectTiles.hpp"
#include "cuda/direct/Tegula_DirectTimes.hpp"

/// The direct family gives what the portable family gives, whatever the types, the shape, the layouts, the transposes,
/// the epilogue, the tile and the teams that share its sums: all are drawn. Needs a GPU of compute capability 8.0 or
/// newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

template <class Input>
struct DirectFacts {
  static constexpr const char* name       = "direct";
  static constexpr bool leaves_empty_sums = true;

  // With rows as the long side; the planner lays them as the product lies.
  static std::vector<TileShape> tiles() {
    std::vector<TileShape> tiles;
    for (const Impl::DirectTile& tile : Impl::direct_tiles<Impl::bits_t<Input>>) tiles.push_back(tile.choice.tile);
    return tiles;
  }
  // The sizes of clusters that teams may form.
  static std::vector<int> splits() { return has_clusters() ? std::vector{1, 2, 4, 8} : std::vector{1}; }
  static bool has_clusters() { return Impl::has_clusters(Impl::cuda_machine(Space())); }
  // Multiples of the widths of tiles, of chunks of depth, and of what warps and teams share.
  static std::vector<std::int64_t> edges() { return {2, 4, 8, 16, 32, 64, 72, 128, 256, 264, 1024, 2048}; }
};

template <class T>
class Direct : public CudaFamily<T, DirectFacts<typename T::Input>> {
 protected:
  using Element = typename T::Input;
  using Result  = typename T::Output;
  using Matrix  = Kokkos::View<Element**, Kokkos::LayoutRight, Space>;
  using Results = Kokkos::View<Result**, Kokkos::LayoutRight, Space>;

  Plan plan_of_rows(std::int64_t m, std::int64_t n, std::int64_t k, const PlanOptions& plan) const {
    return make_plan(Space(), Matrix("A", m, k), Matrix("B", k, n), Results("C", m, n), {}, {.plan = plan});
  }
};

using DirectTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>, CudaTypes<bhalf_t, float>,
                                   CudaTypes<float, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Direct, DirectTypes, CudaTypesName);

TYPED_TEST(Direct, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(500); }
TYPED_TEST(Direct, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(100);
}
TYPED_TEST(Direct, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Direct, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Direct, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }
TYPED_TEST(Direct, ComputesGradients) { this->computes_the_first_gradient({30, 9, 7}); }

// NaN behind the end of lines and of the depth may not be seen: sums end where the operands do.
TYPED_TEST(Direct, SeesNothingBeyondItsOperands) {
  using Element = typename TypeParam::Input;
  for (const std::int64_t k : {1, 3, 7, 31, 129}) {
    const typename TestFixture::Matrix all("A", 40, k + 24), both("B", k + 24, 40);
    const typename TestFixture::Results C("C", 9, 5);
    const auto nan = from_double<Element>(std::numeric_limits<double>::quiet_NaN());
    Kokkos::deep_copy(all, nan);
    Kokkos::deep_copy(both, nan);
    const auto part = [&](const auto& matrix, std::int64_t rows, std::int64_t columns) {
      return Kokkos::subview(matrix, std::pair<std::int64_t, std::int64_t>(8, 8 + rows),
                             std::pair<std::int64_t, std::int64_t>(8, 8 + columns));
    };
    const auto A = part(all, 9, k), B = part(both, k, 5);
    Kokkos::deep_copy(A, from_double<Element>(1));
    Kokkos::deep_copy(B, from_double<Element>(1));
    for (const TileShape& tile : DirectFacts<Element>::tiles()) {
      gemm(Space(), A, B, C, {}, {.plan = {.family = "direct", .tile = tile}});
      const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
      for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 5; ++j) ASSERT_EQ(to_double(c(i, j)), static_cast<double>(k)) << text(tile);
    }
  }
}

TYPED_TEST(Direct, IsForSmallProducts) {
  EXPECT_EQ(this->family_of(20, 12, 30), "direct");
  if (DirectFacts<typename TypeParam::Input>::has_clusters())  // which share long sums
    EXPECT_EQ(this->family_of(7, 5, 500), "direct");
  EXPECT_NE(this->family_of(2048, 2048, 2048), "direct");
}

TYPED_TEST(Direct, ComputesAllGradientsOfSmallLayersInOneKernel) {
  const typename TestFixture::Matrix dC("dC", 37, 20), A("A", 37, 12), B("B", 12, 20), saved("saved", 37, 20);
  const typename TestFixture::Results dA("dA", 37, 12), dB("dB", 12, 20);
  const auto family_of = [&](const auto& activation) {
    const Plan plan = make_plan(Space(), dC, A, B, saved_for(activation, saved, saved), dA, dB, none, activation);
    return std::pair(std::string(plan.family), plan.steps().size());
  };
  const std::pair<std::string, std::size_t> one{"direct", 1};
  EXPECT_EQ(family_of(Identity()), one);
  EXPECT_EQ(family_of(Relu()), one);
  EXPECT_EQ(family_of(LeakyRelu(0.25)), one);
  EXPECT_EQ(family_of(Tanh()), one);
  EXPECT_EQ(family_of(Sigmoid()), one);
  EXPECT_GT(family_of(GeluTanh()).second, 1u) << "whose derivative is a pass of its own";
}

TYPED_TEST(Direct, SharesSumsInClusters) {
  if (!DirectFacts<typename TypeParam::Input>::has_clusters())
    GTEST_SKIP() << "clusters need compute capability 9.0 and a kernel entry of Tegula's own";
  const Plan plan = this->plan_of_rows(8, 8, 10000, {.family = "direct", .split_k = 8});
  EXPECT_EQ(plan.products[0].sharing_teams, 8);
  EXPECT_EQ(plan.workspace_bytes(), 0u);
}

}  // namespace
}  // namespace Tegula::Test
