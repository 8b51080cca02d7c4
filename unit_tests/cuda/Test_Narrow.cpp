// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <limits>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/Tegula_CudaMachine.hpp"
#include "cuda/direct/Tegula_DirectTimes.hpp"
#include "cuda/narrow/Tegula_NarrowTiles.hpp"

/// The narrow family gives what the portable family gives, whichever operand is the long one, whatever the layouts, the
/// alignment, the transposes, the epilogue, the tile and the teams that share its sums: all are drawn. Needs a GPU of
/// compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

template <class Input>
struct NarrowFacts {
  static constexpr const char* name       = "narrow";
  static constexpr bool leaves_empty_sums = true;

  // With rows as the long side; the planner lays them as the product lies.
  static std::vector<TileShape> tiles() {
    std::vector<TileShape> tiles;
    for (const Impl::NarrowTile& tile : Impl::narrow_tiles<Impl::bits_t<Input>>) tiles.push_back(tile.choice.tile);
    return tiles;
  }
  static std::vector<int> splits() { return has_clusters() ? std::vector{1, 2, 4, 8} : std::vector{1}; }
  static bool has_clusters() { return Impl::has_clusters(Impl::cuda_machine(Space())); }
};

template <class T>
class Narrow : public CudaFamily<T, NarrowFacts<typename T::Input>> {
 protected:
  using Facts       = NarrowFacts<typename T::Input>;
  using Base        = CudaFamily<T, Facts>;
  using Element     = typename T::Input;
  using Result      = typename T::Output;
  using InputMatrix = typename Base::InputMatrix;

  std::int64_t draw_around(const std::vector<std::int64_t>& edges) {
    return std::max<std::int64_t>(1, pick(this->random_, edges) + static_cast<std::int64_t>(this->random_() % 3) - 1);
  }

  // Around what lanes read at a time, steps of depth, and tiles, of which there are several.
  GemmShape draw_long_shape() {
    const std::int64_t longer  = draw_around({2, 8, 16, 32, 64, 72, 128, 200, 256, 640}),
                       shorter = std::min<std::int64_t>(longer, 1 + static_cast<std::int64_t>(this->random_() % 32)),
                       k       = draw_around({2, 4, 8, 16, 32, 40, 64, 96, 128, 256, 520, 1100});
    return this->random_() % 2 == 0 ? GemmShape{longer, shorter, k} : GemmShape{shorter, longer, k};
  }

  // The long operand must have a contiguous direction, and be aligned or not: there are kernels for both.
  InputMatrix in_runs(Op op, std::int64_t rows, std::int64_t columns) {
    while (true) {
      InputMatrix drawn = this->operand(op, rows, columns);
      if (drawn.view().stride(0) == 1 || drawn.view().stride(1) == 1) return drawn;
    }
  }

  testing::AssertionResult agrees_with_portable(int number, const GemmShape& shape) {
    PlanOptions plan{.family = Facts::name};
    if (this->random_() % 4 != 0) plan.tile = pick(this->random_, Facts::tiles());
    if (this->random_() % 3 == 0) plan.split_k = pick(this->random_, Facts::splits());
    const GemmOptions options = this->taken(this->draw_gemm_options(plan));
    const bool left           = shape.m >= shape.n;
    const CudaGemmTrial<Element, Result> trial{
        number,
        shape,
        options,
        left ? in_runs(options.op_a, shape.m, shape.k) : this->operand(options.op_a, shape.m, shape.k),
        left ? this->operand(options.op_b, shape.k, shape.n) : in_runs(options.op_b, shape.k, shape.n),
        typename Base::BiasMatrix(this->random_, 1, shape.n),
        this->output(shape.m, shape.n, options.beta == 0),
        this->output(shape.m, shape.n, true)};
    run_cuda_gemm(trial);
    return trial.agrees(this->tensor_core_factor(shape.k));
  }
};

using NarrowTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>, CudaTypes<bhalf_t, float>,
                                   CudaTypes<half_t, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Narrow, NarrowTypes, CudaTypesName);

TYPED_TEST(Narrow, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 600; ++number) ASSERT_TRUE(this->agrees_with_portable(number, this->draw_long_shape()));
}

// So long that every multiprocessor has several tiles, or so deep that every warp has many steps.
TYPED_TEST(Narrow, TakesLongMatrices) {
  int number = 0;
  for (const GemmShape& shape : {GemmShape{20001, 3, 270}, GemmShape{8, 20001, 270}, GemmShape{1, 130, 30011},
                                 GemmShape{20001, 31, 270}, GemmShape{16, 3001, 2701}})
    for (int draw = 0; draw < 4; ++draw) ASSERT_TRUE(this->agrees_with_portable(number++, shape));
}

// NaN beside operands may not be seen, whatever lies in the words that their ends are in; those inside must be.
TYPED_TEST(Narrow, SeesItsOperandsAndNothingBeyond) {
  using Element  = typename TypeParam::Input;
  using Result   = typename TypeParam::Output;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool along_lines : {false, true})
    for (const int padding : {1, 3, 8})
      for (const int k : {1, 7, 33, 64, 100}) {
        const int m = 70, n = 5;
        Kokkos::View<Element**, Kokkos::LayoutRight, Space> all("A", along_lines ? k + 2 : m + 2,
                                                                (along_lines ? m : k) + 2 * padding),
            B("B", k, n);
        Kokkos::View<Result**, Kokkos::LayoutRight, Space> C("C", m, n);
        Kokkos::deep_copy(all, from_double<Element>(nan));
        Kokkos::deep_copy(B, from_double<Element>(1));
        const auto A = Kokkos::subview(all, std::pair(1, (along_lines ? k : m) + 1),
                                       std::pair(padding, (along_lines ? m : k) + padding));
        Kokkos::deep_copy(A, from_double<Element>(1));
        const GemmOptions options{.op_a = along_lines ? Op::transpose : Op::none, .plan = {.family = "narrow"}};
        gemm(Space(), A, B, C, {}, options);
        auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) ASSERT_EQ(to_double(c(i, j)), k) << i << ' ' << j << ' ' << padding;
        const auto last = along_lines ? Kokkos::subview(A, k - 1, m - 1) : Kokkos::subview(A, m - 1, k - 1);
        Kokkos::deep_copy(last, from_double<Element>(nan));
        gemm(Space(), A, B, C, {}, options);
        Kokkos::deep_copy(c, C);
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) ASSERT_EQ(std::isnan(to_double(c(i, j))), i == m - 1) << i << ' ' << j;
      }
}

TYPED_TEST(Narrow, PropagatesNanThroughRelu) {
  using Element = typename TypeParam::Input;
  using Result  = typename TypeParam::Output;
  const Kokkos::View<Element**, Kokkos::LayoutRight, Space> A("A", 64, 64), B("B", 64, 8);
  const Kokkos::View<Result**, Kokkos::LayoutRight, Space> C("C", 64, 8);
  Kokkos::deep_copy(Kokkos::subview(A, 5, 7), from_double<Element>(std::numeric_limits<double>::quiet_NaN()));
  gemm(Space(), A, B, C, Epilogue(Relu()), {.plan = {.family = "narrow"}});
  const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  EXPECT_TRUE(std::isnan(to_double(c(5, 7))));
  EXPECT_EQ(to_double(c(6, 7)), 0);
}

TYPED_TEST(Narrow, ComputesGradients) {
  this->computes_the_first_gradient({600, 30, 9});
  for (int number = 0; number < 60; ++number) {
    const std::int64_t few = 1 + static_cast<std::int64_t>(this->random_() % 32),
                       k   = pick(this->random_, std::vector<std::int64_t>{512, 770, 1024});
    const GemmShape shape  = this->random_() % 2 == 0 ? GemmShape{few, 600, k} : GemmShape{600, few, k};
    ASSERT_TRUE(this->backward_agrees_with_portable(number, shape, this->taken(this->draw_backward_options({}))));
  }
}

// A matrix times a few columns takes the time of the matrix, wherever its lines begin.
TYPED_TEST(Narrow, IsForLongMatricesAndFewColumns) {
  if (sizeof(typename TypeParam::Input) == 2) {
    EXPECT_EQ(this->family_of(11392, 8, 808), "narrow");
    EXPECT_EQ(this->family_of(7521, 7, 2911), "narrow");
  } else {
    EXPECT_EQ(this->family_of(8, 7512, 624), "narrow");
  }
  EXPECT_NE(this->family_of(4096, 4096, 4096), "narrow");
}

TYPED_TEST(Narrow, RefusesWhatItDoesNotTake) {
  using Element = typename TypeParam::Input;
  using Result  = typename TypeParam::Output;
  const Kokkos::View<Element**, Kokkos::LayoutRight, Space> A("A", 64, 64), B("B", 64, 8);
  const Kokkos::View<Result**, Kokkos::LayoutRight, Space> C("C", 64, 8), square("C", 64, 64);
  const auto run = [&](const PlanOptions& plan) { gemm(Space(), A, B, C, {}, {.plan = plan}); };
  EXPECT_NO_THROW(run({.family = "narrow"}));
  EXPECT_THROW(run({.family = "narrow", .tile = {8, 96, 8}}), std::invalid_argument);
  EXPECT_THROW(run({.family = "narrow", .split_k = 3}), std::invalid_argument);
  EXPECT_THROW(gemm(Space(), A, A, square, {}, {.plan = {.family = "narrow"}}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
