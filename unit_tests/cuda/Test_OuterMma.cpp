// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <limits>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/outer_mma/Tegula_OuterMmaConfig.hpp"

/// The outer_mma family gives what the portable family gives, whatever the shape, the layouts, the transposes, the bias
/// and the tile: all are drawn. Needs a GPU of compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct OuterMmaFacts {
  static constexpr const char* name       = "outer_mma";
  static constexpr bool leaves_empty_sums = true;
};

template <class T>
class OuterMma : public CudaFamily<T, OuterMmaFacts> {
 protected:
  using Base    = CudaFamily<T, OuterMmaFacts>;
  using Element = typename T::Input;
  using Matrix  = Kokkos::View<Element**, Kokkos::LayoutRight, Space>;

  static std::vector<TileShape> tiles() {
    std::vector<TileShape> tiles;
    for (const Impl::ConfigChoice& choice : Impl::outer_mma_tiles) tiles.push_back(choice.tile);
    return tiles;
  }
  static std::int64_t deepest() { return tiles().back().k; }

  std::int64_t draw(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(this->random_() % static_cast<std::uint64_t>(most - least + 1));
  }
  std::int64_t draw_around(const std::vector<std::int64_t>& edges) { return pick(this->random_, edges) + draw(-1, 1); }

  // C has a contiguous direction.
  typename Base::OutputMatrix in_runs(std::int64_t rows, std::int64_t columns) {
    while (true) {
      auto drawn = this->output(rows, columns, true);
      if (drawn.view().stride(0) == 1 || drawn.view().stride(1) == 1) return drawn;
    }
  }

  // With a bias or not, and Relu or nothing. The tile is asked for, or the planner chooses.
  testing::AssertionResult gemm_agrees_with_portable(int number) {
    const TileShape tile = pick(this->random_, tiles());
    const GemmShape shape{draw_around({2, 8, 16, 32, 48, 64, 128, 144, 256, 300}),
                          draw_around({2, 32, 64, 96, 112, 128, 144, 192, 224, 256, 390}), draw(1, tile.k)};
    PlanOptions plan{.family = OuterMmaFacts::name};
    if (this->random_() % 4 != 0) plan.tile = tile;
    GemmOptions options = this->draw_gemm_options(plan);
    options.alpha       = 1;
    options.beta        = 0;
    const int epilogue  = number % 2 + number / 2 % 2 * 4;
    const CudaGemmTrial<Element, Element> trial{epilogue,
                                                shape,
                                                options,
                                                this->operand(options.op_a, shape.m, shape.k),
                                                this->operand(options.op_b, shape.k, shape.n),
                                                typename Base::BiasMatrix(this->random_, 1, shape.n),
                                                in_runs(shape.m, shape.n),
                                                this->output(shape.m, shape.n, true)};
    run_cuda_gemm(trial);
    return trial.agrees(this->tensor_core_factor(shape.k));
  }
};

using OuterMmaTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>>;
TYPED_TEST_SUITE(OuterMma, OuterMmaTypes, CudaTypesName);

TYPED_TEST(OuterMma, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 800; ++number) ASSERT_TRUE(this->gemm_agrees_with_portable(number));
}

// NaN behind the end of lines and of the depth may not be seen, those inside must be; results around are kept.
TYPED_TEST(OuterMma, SeesItsOperandsAndNothingBeyond) {
  using Element  = typename TypeParam::Input;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::int64_t k : {1, 3, 7, 8, 13, 16, 17, 30, 47, 64}) {
    const typename TestFixture::Matrix all("A", 60, k + 24), both("B", k + 24, 300), around("C", 60, 300);
    Kokkos::deep_copy(all, from_double<Element>(nan));
    Kokkos::deep_copy(both, from_double<Element>(nan));
    Kokkos::deep_copy(around, from_double<Element>(-5));
    const auto part = [&](const auto& matrix, std::int64_t rows, std::int64_t columns) {
      return Kokkos::subview(matrix, std::pair<std::int64_t, std::int64_t>(8, 8 + rows),
                             std::pair<std::int64_t, std::int64_t>(7, 7 + columns));
    };
    const auto A = part(all, 37, k), B = part(both, k, 197), C = part(around, 37, 197);
    Kokkos::deep_copy(A, from_double<Element>(1));
    Kokkos::deep_copy(B, from_double<Element>(1));
    Kokkos::deep_copy(Kokkos::subview(A, 5, 0), from_double<Element>(nan));
    for (const TileShape& tile : this->tiles()) {
      if (tile.k < k) continue;
      gemm(Space(), A, B, C, Epilogue(Relu()), {.plan = {.family = "outer_mma", .tile = tile}});
      const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), around);
      for (int i = 0; i < 60; ++i)
        for (int j = 0; j < 300; ++j) {
          const bool is_inside = i >= 8 && i < 8 + 37 && j >= 7 && j < 7 + 197;
          if (is_inside && i == 8 + 5) {
            ASSERT_TRUE(std::isnan(to_double(c(i, j)))) << text(tile);
          } else {
            ASSERT_EQ(to_double(c(i, j)), is_inside ? static_cast<double>(k) : -5) << text(tile) << i << ' ' << j;
          }
        }
    }
  }
}

// Within a sector of memory, at all of its elements; what lies around a row is kept.
TYPED_TEST(OuterMma, StoresRowsWhereverTheyBegin) {
  using Element        = typename TypeParam::Input;
  const std::int64_t m = 150, n = 390, k = 13;
  const typename TestFixture::Matrix A("A", m, k), B("B", k, n);
  Kokkos::deep_copy(A, from_double<Element>(1));
  Kokkos::deep_copy(B, from_double<Element>(0.5));
  for (const std::int64_t pitch : {n + 34, n + 35})
    for (std::int64_t shift = 0; shift < 17; ++shift) {
      const typename TestFixture::Matrix around("C", m, pitch);
      Kokkos::deep_copy(around, from_double<Element>(-5));
      const auto C = Kokkos::subview(around, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(shift, shift + n));
      for (const TileShape& tile : this->tiles()) {
        if (tile.k < k) continue;
        gemm(Space(), A, B, C, Epilogue(), {.plan = {.family = "outer_mma", .tile = tile}});
        const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), around);
        for (std::int64_t i = 0; i < m; ++i)
          for (std::int64_t j = 0; j < pitch; ++j)
            ASSERT_EQ(to_double(c(i, j)), j >= shift && j < shift + n ? 6.5 : -5) << text(tile) << i << ' ' << j;
      }
    }
}

TYPED_TEST(OuterMma, IsForShortSumsWithLargeResults) {
  EXPECT_EQ(this->family_of(8001, 8003, 20), "outer_mma");
  EXPECT_NE(this->family_of(2048, 2048, 2048), "outer_mma");
}

}  // namespace
}  // namespace Tegula::Test
