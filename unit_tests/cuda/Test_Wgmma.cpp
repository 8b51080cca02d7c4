// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>

#include "Tegula_TestCudaFamily.hpp"
#include "Tegula_TestRounding.hpp"

/// The wgmma family gives what the portable family gives, whatever the shape, the layouts, the transposes, the
/// epilogue, the tile and the split: all are drawn. Needs a Hopper GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct WgmmaFacts {
  static constexpr const char* name = "wgmma";

  static std::vector<TileShape> tiles() {
    return {{384, 192, 64},
            {256, 256, 64},
            {256, 192, 64},
            {192, 192, 64},
            {128, 256, 64},
            {128, 192, 64},
            {256, 128, 64},
            {128, 128, 64},
            {256, 64, 64},
            {64, 192, 64},
            {128, 64, 64},
            {64, 128, 64},
            {64, 64, 64},
            // Some results are stored twice.
            {384, 176, 64},
            {256, 160, 64},
            {256, 144, 64},
            {256, 96, 64},
            {64, 160, 64},
            {64, 96, 64},
            // The transpose is computed.
            {176, 384, 64},
            {160, 256, 64},
            {144, 256, 64},
            {96, 256, 64},
            {160, 64, 64},
            {96, 64, 64}};
  }
  static bool is_transposed(const TileShape& tile) { return tile.m % 64 != 0; }
  static bool stores_once(const TileShape& tile) { return tile.n % 64 == 0 && !is_transposed(tile); }
  // Multiples of the widths of tiles and of what TMA moves.
  static std::vector<std::int64_t> edges() {
    return {8, 16, 56, 64, 72, 96, 120, 128, 136, 144, 160, 176, 192, 256, 264, 320};
  }
};

template <class T>
class Wgmma : public CudaFamily<T, WgmmaFacts> {};

TYPED_TEST_SUITE(Wgmma, AllCudaTypes, CudaTypesName);

TYPED_TEST(Wgmma, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(400); }
TYPED_TEST(Wgmma, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(400);
}
TYPED_TEST(Wgmma, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Wgmma, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Wgmma, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

// More tiles than there are multiprocessors: teams, and clusters of them, go from one to the next, and buffers of
// results are used again, also those that C is fetched to.
TYPED_TEST(Wgmma, TeamsComputeSeveralTiles) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  for (const TileShape& tile : WgmmaFacts::tiles()) {
    if (tile.m * tile.n > 192 * 192) continue;
    ASSERT_GT(13 * 14, Space().cuda_device_prop().multiProcessorCount);
    const GemmShape shape{12 * tile.m + 8, 13 * tile.n + 8, tile.k + 8};
    for (const double beta : {0.0, -0.75}) {
      if (beta != 0 && !WgmmaFacts::stores_once(tile)) continue;
      const int number = beta == 0 ? 2 : 1;  // with Z, or without
      const CudaGemmTrial<Input, Output> trial{number,
                                               shape,
                                               {.beta = beta, .plan = {.family = "wgmma", .tile = tile}},
                                               {this->random_, shape.m, shape.k, false, 8},
                                               {this->random_, shape.k, shape.n, false, 8},
                                               {this->random_, 1, shape.n},
                                               {this->random_, shape.m, shape.n, beta == 0, 8},
                                               {this->random_, shape.m, shape.n, true, 8}};
      run_cuda_gemm(trial);
      EXPECT_TRUE(trial.agrees(this->tensor_core_factor(shape.k))) << text(tile) << " beta " << beta;
    }
  }
}

// Teams begin with different steps, where an operand has a few contiguous lines, and all of them have every step.
TYPED_TEST(Wgmma, HasEveryStepOfOperandsOfFewLines) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  for (const TileShape& tile : WgmmaFacts::tiles()) {
    for (const bool are_rows : {false, true}) {
      const std::int64_t lines = std::array{8, 32, 40}[this->random_() % 3], k = 5 + this->random_() % 1200;
      const GemmShape shape     = are_rows ? GemmShape{lines, 5 * tile.n + 8, k} : GemmShape{5 * tile.m + 8, lines, k};
      const int parts           = 1 + static_cast<int>(this->random_() % 3);
      const PlanOptions options = {.family = "wgmma", .tile = tile, .split_k = parts};
      const CudaGemmTrial<Input, Output> trial{1,
                                               shape,
                                               {.plan = options},
                                               {this->random_, shape.m, shape.k, false, 8},
                                               {this->random_, shape.k, shape.n, false, 8},
                                               {this->random_, 1, shape.n},
                                               {this->random_, shape.m, shape.n, true, 8},
                                               {this->random_, shape.m, shape.n, true, 8}};
      run_cuda_gemm(trial);
      EXPECT_TRUE(trial.agrees(this->tensor_core_factor(k)))
          << text(tile) << " lines " << lines << " k " << k << " in " << parts;
    }
  }
}

// One of them by TMA, the other one by threads, out of the same ring of buffers.
TYPED_TEST(Wgmma, StoresZAndCEachItsOwnWay) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  for (const TileShape& tile : WgmmaFacts::tiles()) {
    const GemmShape shape{3 * tile.m + 8, 3 * tile.n + 8, 2 * tile.k};
    for (const std::int64_t of_C : {1, 8}) {
      const CudaGemmTrial<Input, Output> trial{2,
                                               shape,
                                               {.plan = {.family = "wgmma", .tile = tile, .split_k = 1}},
                                               {this->random_, shape.m, shape.k, false, 8},
                                               {this->random_, shape.k, shape.n, false, 8},
                                               {this->random_, 1, shape.n},
                                               {this->random_, shape.m, shape.n, true, of_C},
                                               {this->random_, shape.m, shape.n, true, 9 - of_C}};
      run_cuda_gemm(trial);
      EXPECT_TRUE(trial.agrees(this->tensor_core_factor(shape.k))) << text(tile) << " alignment of C " << of_C;
    }
  }
}

// Kernels of a product that is cut along k leave C to the one that adds the slices: nothing is fetched for a buffer
// that nobody waits for.
TYPED_TEST(Wgmma, AddsToCWhereTheSumIsCut) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  for (const TileShape& tile : WgmmaFacts::tiles()) {
    if (!WgmmaFacts::stores_once(tile)) continue;
    const GemmShape shape{2 * tile.m + 8, 2 * tile.n + 8, 1032};
    const CudaGemmTrial<Input, Output> trial{1,
                                             shape,
                                             {.beta = -0.75, .plan = {.family = "wgmma", .tile = tile, .split_k = 5}},
                                             {this->random_, shape.m, shape.k, false, 8},
                                             {this->random_, shape.k, shape.n, false, 8},
                                             {this->random_, 1, shape.n},
                                             {this->random_, shape.m, shape.n, false, 8},
                                             {this->random_, shape.m, shape.n, true, 8}};
    run_cuda_gemm(trial);
    EXPECT_TRUE(trial.agrees(this->tensor_core_factor(shape.k))) << text(tile);
  }
}

// Rows or columns of tiles that fill the device are stored at once, whatever stores them, and those behind them are
// cut.
TYPED_TEST(Wgmma, CutsTheRestOfWavesOnly) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  ASSERT_GT(13 * 14, Space().cuda_device_prop().multiProcessorCount);
  for (const TileShape& tile : WgmmaFacts::tiles()) {
    if (tile.m * tile.n > 128 * 128 || WgmmaFacts::is_transposed(tile)) continue;
    const GemmShape by_rows{12 * tile.m + 8, 13 * tile.n + 8, 4 * tile.k + 8},
        by_columns{2 * tile.m + 8, 70 * tile.n, 5 * tile.k};
    for (const GemmShape& shape : {by_rows, by_columns}) {
      const int parts         = static_cast<int>(2 + this->random_() % 4);
      const int number        = static_cast<int>(this->random_() % 20);
      const double beta       = number % 2 == 0 || !WgmmaFacts::stores_once(tile) ? 0.0 : -0.75;
      const std::int64_t of_C = this->random_() % 2 == 0 ? 1 : 8;
      const PlanOptions options{.family = "wgmma", .tile = tile, .split_k = parts, .whole_waves = 1};
      const CudaGemmTrial<Input, Output> trial{number,
                                               shape,
                                               {.beta = beta, .plan = options},
                                               {this->random_, shape.m, shape.k, false, 8},
                                               {this->random_, shape.k, shape.n, false, 8},
                                               {this->random_, 1, shape.n},
                                               {this->random_, shape.m, shape.n, beta == 0, of_C},
                                               {this->random_, shape.m, shape.n, true, 8}};
      run_cuda_gemm(trial);
      EXPECT_TRUE(trial.agrees(this->tensor_core_factor(shape.k)))
          << text(tile) << " in " << parts << " parts, activation " << number << ", alignment of C " << of_C;
    }
  }
}

// dC serves as dZ where the derivative is 1 and TMA takes it; a bias gradient alone has no product.
TYPED_TEST(Wgmma, FormsTheGradientFirstOnlyIfItMust) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  const Kokkos::View<Input**, Kokkos::LayoutRight, Space> dC("dC", 1024, 1024), A("A", 1024, 1024);
  const Kokkos::View<Output**, Kokkos::LayoutRight, Space> dA("dA", 1024, 1024);
  const Kokkos::View<float*, Space> dbias("dbias", 1024);
  const auto plan_of = [&](const auto& da, const auto& bias, const auto& activation) {
    return make_plan(Space(), dC, A, A, saved_in(dC, activation), da, none, bias, activation,
                     {.plan = {.family = "wgmma", .split_k = 1}});
  };
  EXPECT_EQ(plan_of(dA, none, Identity()).gradient.teams(), 0);
  EXPECT_EQ(plan_of(dA, none, Identity()).workspace_bytes(), 0u);
  const Plan sums = plan_of(dA, dbias, Identity()), dZ = plan_of(dA, none, Relu()),
             alone = plan_of(none, dbias, Relu());
  EXPECT_TRUE(sums.gradient.sums_columns && !sums.gradient.stores_dZ);
  EXPECT_TRUE(dZ.gradient.stores_dZ && !dZ.gradient.sums_columns);
  EXPECT_GE(dZ.workspace_bytes(), 1024u * 1024u * sizeof(Input));
  EXPECT_TRUE(alone.gradient.sums_columns && !alone.gradient.stores_dZ);
  EXPECT_EQ(alone.teams(), 0);
}

// What TMA cannot take is copied; the planner knows what that costs.
TYPED_TEST(Wgmma, CopiesWhatTmaCannotTake) {
  using Input        = typename TestFixture::Input;
  using View         = Kokkos::View<Input**, Kokkos::LayoutRight, Space>;
  const auto plan_of = [](int n, int pad) {
    const View A("A", n, n + pad), B("B", n + pad, n), C("C", n, n);
    return make_plan(Space(), A, B, C, {}, {.plan = {.family = "wgmma", .split_k = 1}});
  };
  const Plan copied = plan_of(1024, 3), aligned = plan_of(1024, 8);
  EXPECT_GT(copied.products[0].left_copy_bytes, 0u);
  EXPECT_EQ(copied.products[0].right_copy_bytes, 0u);
  EXPECT_GE(copied.workspace_bytes(), copied.products[0].left_copy_bytes);
  EXPECT_EQ(aligned.workspace_bytes(), 0u);
  EXPECT_GT(copied.seconds(), aligned.seconds());
}

template <class T>
class WgmmaOf16Bits : public Wgmma<T> {};
TYPED_TEST_SUITE(WgmmaOf16Bits, HalfCudaTypes, CudaTypesName);

TYPED_TEST(WgmmaOf16Bits, IsRoundedToNearest) {
  results_are_rounded_to_nearest<Space, typename TestFixture::Output>(this->random_, "wgmma", 100);
}

// A kernel's two products take one ring of boxes. Threads store the first one, dB, out of them, since it is not
// aligned; behind the last tile of it TMA fetches what is added to dA, while slow warps may still read what they store.
// Both are added to, call after call, so that what went wrong once stays. Sums of small integers are exact: there is
// one right bit pattern.
TYPED_TEST(WgmmaOf16Bits, FetchesBehindWhatThreadsStore) {
  using Input            = typename TestFixture::Input;
  using Output           = typename TestFixture::Output;
  using InputMatrix      = typename TestFixture::InputMatrix;
  using OutputMatrix     = typename TestFixture::OutputMatrix;
  using BiasMatrix       = typename TestFixture::BiasMatrix;
  constexpr int calls    = 20;
  int in_turn            = 0;  // kernels that compute dB, then dA
  const auto of_integers = [&](auto matrix) {
    matrix.set([&] { return static_cast<double>(this->random_() % 5) - 2; });
    return matrix;
  };
  const auto unaligned = [&](std::int64_t rows, std::int64_t columns) {
    for (;;) {
      OutputMatrix drawn(this->random_, rows, columns, false, 1);
      if (drawn.view().stride(0) == 1 || drawn.view().stride(1) == 1) return drawn;
    }
  };
  for (const TileShape& tile : WgmmaFacts::tiles()) {
    if (tile.m * tile.n > 256 * 192 || !WgmmaFacts::stores_once(tile)) continue;
    // Tiles of dB for 132 teams, and some more of dA, whose sums are a little shorter.
    const GemmShape shape{12 * tile.m + 8, 11 * tile.m + 1, 10 * tile.n + 8};
    const GemmBackwardOptions options{.dA    = Update::accumulate,
                                      .dB    = Update::accumulate,
                                      .dbias = Update::accumulate,
                                      .plan  = {.family = "wgmma", .tile = tile, .split_k = 1}};
    const CudaBackwardTrial<Input, Output> trial{3,  // all gradients
                                                 shape,
                                                 options,
                                                 of_integers(InputMatrix(this->random_, shape.m, shape.k, false, 8)),
                                                 of_integers(InputMatrix(this->random_, shape.k, shape.n, false, 8)),
                                                 of_integers(InputMatrix(this->random_, shape.m, shape.n, false, 8)),
                                                 InputMatrix(this->random_, shape.m, shape.n, false, 8),
                                                 of_integers(OutputMatrix(this->random_, shape.m, shape.k, false, 8)),
                                                 of_integers(unaligned(shape.k, shape.n)),
                                                 of_integers(BiasMatrix(this->random_, 1, shape.n))};
    const Plan plan = make_plan(Space(), trial.dC.view(), trial.A.view(), trial.B.view(), none, trial.dA.view(),
                                trial.dB.view(), trial.dbias.row(), Identity(), options);
    in_turn += plan.is_one_kernel && plan.products[1].k_split > plan.products[0].k_split;  // longer sums come first
    for (int call = 0; call < calls; ++call) run_cuda_backward_of(trial, Identity());
    const auto same = [](const auto& actual, const auto& expected) {
      return are_same(actual.values(), expected.values()) && actual.surroundings_untouched();
    };
    EXPECT_TRUE(same(trial.dA, trial.expected_dA)) << "dA " << text(tile);
    EXPECT_TRUE(same(trial.dB, trial.expected_dB)) << "dB " << text(tile);
    EXPECT_TRUE(same(trial.dbias, trial.expected_dbias)) << "dbias " << text(tile);
  }
  EXPECT_GT(in_turn, 0);
}

}  // namespace
}  // namespace Tegula::Test
