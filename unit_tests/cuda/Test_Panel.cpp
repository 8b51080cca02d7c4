// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"

/// The panel family gives what the portable family gives, whatever the shape, the layouts, the transposes and the
/// epilogue, as far as it takes them: all are drawn. Needs a Hopper GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct PanelFacts {
  static constexpr const char* name = "panel";
};

class Panel : public CudaFamily<CudaTypes<double, double>, PanelFacts> {
 protected:
  // Around the extents of tiles, of their steps along k, and of what is stored at once.
  GemmShape draw_panel_shape() {
    const auto around = [&](const std::vector<std::int64_t>& edges) {
      return pick(random_, edges) + static_cast<std::int64_t>(random_() % 3) - 1;
    };
    const std::vector<std::int64_t> extents{3, 8, 16, 31, 32, 33, 64, 96, 127, 128, 129, 160, 255, 256, 300, 520};
    return {around(extents), around(extents), std::min<std::int64_t>(128, around({2, 8, 16, 32, 48, 64, 100, 128}))};
  }

  // All lines in runs of 16 bytes.
  InputMatrix runs(Op op, std::int64_t rows, std::int64_t columns) {
    return op == Op::none ? InputMatrix(random_, rows, columns, false, 8)
                          : InputMatrix(random_, columns, rows, false, 8);
  }
  // Results are stored in pairs, so contiguous lines have an even length.
  OutputMatrix result(std::int64_t rows, std::int64_t columns, bool poisoned) {
    while (true) {
      const OutputMatrix matrix(random_, rows, columns, poisoned, 8);
      const bool by_rows = matrix.view().stride(1) == 1;
      if ((by_rows ? columns : rows) % 2 == 0) return matrix;
    }
  }

  testing::AssertionResult agrees_with_portable(const GemmShape& shape) {
    constexpr int plain[] = {0, 1, 4, 5};  // trials without Z, with Identity or Relu, with a bias or not
    GemmOptions options   = draw_gemm_options({.family = PanelFacts::name});
    if (options.alpha == 0) options.alpha = 1;  // alpha = 0 is for other families
    const CudaGemmTrial<double, double> trial{plain[random_() % 4],
                                              shape,
                                              options,
                                              runs(options.op_a, shape.m, shape.k),
                                              runs(options.op_b, shape.k, shape.n),
                                              BiasMatrix(random_, 1, shape.n),
                                              result(shape.m, shape.n, options.beta == 0),
                                              result(shape.m, shape.n, true)};
    run_cuda_gemm(trial);
    return trial.agrees(1);
  }
};

TEST_F(Panel, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 400; ++number) {
    const GemmShape shape = draw_panel_shape();
    if (shape.m % 2 != 0 && shape.n % 2 != 0) continue;
    ASSERT_TRUE(agrees_with_portable(shape));
  }
}

// So large that groups have several tiles each, and teams parts of several panels.
TEST_F(Panel, GoesOnFromTileToTileAndFromPanelToPanel) {
  for (const GemmShape& shape :
       {GemmShape{4096, 520, 36}, GemmShape{3000, 2050, 20}, GemmShape{600, 16900, 8}, GemmShape{20000, 30, 64}})
    for (int number = 0; number < 2; ++number) ASSERT_TRUE(agrees_with_portable(shape));
}

TEST_F(Panel, IsForLargeResultsOfFewProducts) {
  EXPECT_EQ(family_of(8192, 8192, 64), "panel");
  EXPECT_NE(family_of(8192, 8192, 130), "panel");
  EXPECT_NE(family_of(8192, 8191, 64), "panel");
}

// Products of gemm_backward are products of gemm.
TEST_F(Panel, ComputesGradients) {
  computes_the_first_gradient({2048, 64, 2048});
  const PlanOptions plan{.family = PanelFacts::name};
  for (int number = 0; number < 40; ++number) {
    GemmShape shape = draw_panel_shape();
    shape           = {shape.m, 2 * ((shape.k + 1) / 2), 2 * ((shape.n + 1) / 2)};
    const CudaBackwardTrial<double, double> trial{5 * number,  // dA alone
                                                  shape,
                                                  {.alpha = -1.5, .dA = draw_update(), .plan = plan},
                                                  runs(Op::none, shape.m, shape.k),
                                                  runs(Op::none, shape.k, shape.n),
                                                  runs(Op::none, shape.m, shape.n),
                                                  runs(Op::none, shape.m, shape.n),
                                                  result(shape.m, shape.k, false),
                                                  result(shape.k, shape.n, true),
                                                  BiasMatrix(random_, 1, shape.n, true)};
    const double dZ_error = run_cuda_backward(trial);
    ASSERT_TRUE(trial.agrees(1, dZ_error));
  }
}

TEST_F(Panel, RefusesWhatItDoesNotTake) {
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  const Matrix A("A", 64, 64), B("B", 64, 128), C("C", 64, 128), Z("Z", 64, 128);
  const auto run = [&](const GemmOptions& options) { gemm(Space(), A, B, C, {}, options); };
  EXPECT_NO_THROW(run({.plan = {.family = "panel"}}));
  EXPECT_NO_THROW(run({.beta = 1, .plan = {.family = "panel"}}));
  EXPECT_THROW(run({.plan = {.family = "panel", .tile = {64, 64, 16}}}), std::invalid_argument);
  EXPECT_THROW(run({.plan = {.family = "panel", .group = 2}}), std::invalid_argument);
  EXPECT_THROW(run({.plan = {.family = "panel", .split_k = 2}}), std::invalid_argument);
  EXPECT_THROW(gemm(Space(), A, B, C, Epilogue(Identity(), none, Z), {.plan = {.family = "panel"}}),
               std::invalid_argument);
  EXPECT_THROW(gemm(Space(), A, B, C, Epilogue(Tanh()), {.plan = {.family = "panel"}}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
