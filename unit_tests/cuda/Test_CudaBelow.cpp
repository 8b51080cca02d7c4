// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "Tegula_TestBelow.hpp"
#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"
#include "Tegula_TestFamilies.hpp"

/// dZ and dbias of the layer below on GPUs of NVIDIA: by kernels of products that form it, by the pass, and in graphs.

namespace Tegula::Test {
namespace {

using CudaBelowCases = typename GoogleTypes<typename Cases<TypeList<Kokkos::Cuda>, Layouts, Scalars>::type>::type;

template <class C>
class CudaBelow : public BelowTest<C> {
 protected:
  using Scalar = typename C::Scalar;

  // Those whose kernels multiply by the derivative of the layer below.
  static std::vector<const char*> forming_families() {
    if constexpr (std::is_same_v<Scalar, float>) return {"simt", "direct", "portable"};
    if constexpr (std::is_same_v<Scalar, double>) return {"mma", "direct", "portable"};
    // TMA takes no matrix that is contiguous in no direction.
    if constexpr (std::is_same_v<typename C::Layout, Kokkos::LayoutStride>) return {"mma", "direct", "portable"};
    return {"mma", "direct", "portable", "wgmma"};
  }

  /// Runs of one graph, between which dC changes, beside calls one by one: bit by bit.
  template <class ActivationType>
  void expect_every_run(const GemmShape& shape, const ActivationType& act) {
    using Matrix = typename BelowTest<C>::Matrix;
    // Aligned, as TMA wants it.
    const auto drawn = [&](std::int64_t rows, std::int64_t columns) {
      return Matrix(random_matrix(this->random_, rows, columns), Matrix::even_margin);
    };
    const auto empty = [](std::int64_t rows, std::int64_t columns) {
      return Matrix(rows, columns, Matrix::even_margin);
    };
    const auto& [m, n, k]    = shape;
    const Matrix gradients[] = {drawn(m, n), drawn(m, n)}, Y = drawn(m, n), A = drawn(m, k), B = drawn(k, n),
                 dC = empty(m, n), dZ = empty(m, k), dB = empty(k, n), dbias = empty(1, n), dbias_below = empty(1, k);
    const auto call = [&](const Kokkos::Cuda& exec) {
      gemm_backward(exec, dC.const_view(), A.const_view(), B.const_view(), saved_in(Y.const_view(), act),
                    Below(dZ.view(), Relu(), Output(A.view()), dbias_below.row()), dB.view(), dbias.row(), act);
    };
    const auto results = [&] {
      return std::array{dZ.values().values, dB.values().values, dbias.values().values, dbias_below.values().values};
    };
    const CudaStream stream;
    const auto take = [&](int run) {
      Kokkos::deep_copy(stream.exec(), dC.view(), gradients[run % 2].view());
      return run % 2;
    };
    std::array<std::vector<double>, 4> expected[2];
    for (int run = 0; run < 2; ++run) {
      take(run);
      stream.exec().fence();
      call(stream.exec());
      stream.exec().fence();
      expected[run] = results();
    }
    const CudaGraph graph(stream.exec(), cudaStreamCaptureModeThreadLocal, [&] { call(stream.exec()); });
    for (int run = 0; run < 12; ++run) {
      const int now = take(run);
      graph.launch();
      stream.exec().fence();
      ASSERT_EQ(results(), expected[now]) << run;
      ASSERT_NE(expected[now], expected[1 - now]);
    }
  }
};

TYPED_TEST_SUITE(CudaBelow, CudaBelowCases, CaseName);

TYPED_TEST(CudaBelow, IsFormedByKernelsOfProducts) {
  for (const char* family : this->forming_families()) {
    if (!why_not(family).empty()) continue;
    this->fused_ = 0;
    for (const std::int64_t margin : {TestFixture::Matrix::odd_margin, TestFixture::Matrix::even_margin}) {
      this->margin_ = margin;
      for (const GemmShape& shape :
           {GemmShape{8, 8, 8}, GemmShape{128, 64, 256}, GemmShape{200, 72, 136}, GemmShape{264, 40, 320},
            GemmShape{131, 67, 259}, GemmShape{1, 33, 65}, GemmShape{300, 1, 7}}) {
        const GemmBackwardOptions options{.op_a        = this->random_op(),
                                          .op_b        = this->random_op(),
                                          .alpha       = this->random_() % 2 == 0 ? 1 : -0.75,
                                          .dA          = this->fused_ == 0 ? Update::overwrite : this->random_update(),
                                          .dbias_below = this->random_update(),
                                          .plan        = {.family = family, .split_k = 1}};
        this->expect_below(shape, Identity(), Relu(), options);
        this->expect_below(shape, Tanh(), LeakyRelu(0.25), options);
        this->expect_below(shape, Identity(), Tanh(), options);
        this->expect_below(shape, Relu(), Sigmoid(), options, {true, true, true});
        if (this->HasFatalFailure()) return;
      }
    }
    EXPECT_GT(this->fused_, 0) << family;
  }
}

// Derivatives that take an exponential are the pass's, whatever is asked for; so is what is cut along the sums.
TYPED_TEST(CudaBelow, IsFormedByAPassBehindAnyFamily) {
  for (const std::int64_t margin : {TestFixture::Matrix::odd_margin, TestFixture::Matrix::even_margin}) {
    this->margin_ = margin;
    for (const char* family : {"", "mma", "simt", "wgmma", "direct"}) {
      if (!why_not(*family == '\0' ? "portable" : family).empty()) continue;
      for (const GemmShape& shape : {GemmShape{264, 128, 192}, GemmShape{1031, 130, 77}, GemmShape{16, 16, 4104}}) {
        const bool takes = [&] {
          using Matrix = typename TestFixture::Matrix;
          const Matrix dC(shape.m, shape.n), A(shape.m, shape.k), B(shape.k, shape.n), dA(shape.m, shape.k);
          try {
            make_plan(Kokkos::Cuda(), dC.view(), A.view(), B.view(), none, dA.view(), none, none, Identity(),
                      {.plan = {.family = family}});
            return true;
          } catch (const std::invalid_argument&) {
            return false;
          }
        }();
        if (!takes) continue;
        const GemmBackwardOptions options{
            .op_a = this->random_op(), .dA = this->random_update(), .plan = {.family = family}};
        this->fused_ = 0;
        this->expect_below(shape, Relu(), Silu(), options, {true, true, false});
        this->expect_below(shape, Identity(), GeluErf(), options, {true, true, true});
        if (this->HasFatalFailure()) return;
        EXPECT_EQ(this->fused_, 0);
      }
    }
  }
}

// More tiles than there are multiprocessors: teams of kernels that fetch what was saved go from one to the next, and
// come from those of a dB that is aligned, or is not.
TYPED_TEST(CudaBelow, IsFormedTileAfterTile) {
  this->margin_ = TestFixture::Matrix::even_margin;
  for (const char* family : this->forming_families()) {
    if (!why_not(family).empty()) continue;
    for (const std::int64_t n : {72, 73}) {
      const GemmBackwardOptions options{
          .op_a = this->random_op(), .dB = this->random_update(), .plan = {.family = family, .split_k = 1}};
      this->expect_below({1608, n, 1032}, Identity(), Tanh(), options);
      if (this->HasFatalFailure()) return;
    }
  }
}

// What was saved by columns, dZ by rows: threads read what others of their team overwrite.
TYPED_TEST(CudaBelow, IsFormedOfWhatLiesAcross) {
  using Across    = Kokkos::View<typename TestFixture::Scalar**, Kokkos::LayoutLeft, Kokkos::Cuda>;
  using Along     = Kokkos::View<typename TestFixture::Scalar**, Kokkos::LayoutRight, Kokkos::Cuda>;
  using Matrix    = typename TestFixture::Matrix;
  constexpr int m = 520, n = 64, k = 264;
  Random random = make_random();
  const Matrix dC(random_matrix(random, m, n)), B(random_matrix(random, k, n)), saved(random_matrix(random, m, k));
  const Along dC_along("dC", m, n), B_along("B", k, n), A_along("A", m, k), saved_along("saved", m, k);
  const Across saved_across("saved", m, k);
  Kokkos::deep_copy(dC_along, dC.view());
  Kokkos::deep_copy(B_along, B.view());
  Kokkos::deep_copy(saved_along, saved.view());
  Kokkos::deep_copy(saved_across, saved.view());
  const char* const family = this->forming_families().back();
  if (!why_not(family).empty()) GTEST_SKIP() << why_not(family);
  const auto dZ_of = [&](const auto& saved_below) {
    const Along dZ("dZ", m, k);
    gemm_backward(Kokkos::Cuda(), dC_along, A_along, B_along, none, Below(dZ, Tanh(), Output(saved_below)), none, none,
                  Identity(), {.plan = {.family = family, .split_k = 1}});
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dZ);
  };
  for (int run = 0; run < 5; ++run) {
    const auto along = dZ_of(saved_along), across = dZ_of(saved_across);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j) ASSERT_EQ(to_double(along(i, j)), to_double(across(i, j))) << i << ' ' << j;
  }
}

// In the type of sums: what kernels form is the dA that they store otherwise, times the derivative, bit by bit. Of
// operands of 16 bits that is float, a block of which takes two of the boxes that a tile of wgmma's has. What was saved
// lies as dZ does, or across it.
TYPED_TEST(CudaBelow, IsFormedInTheTypeOfSums) {
  using Layout = typename TestFixture::Matrix::view_type::array_layout;
  using Sum    = accumulator_t<typename TestFixture::Scalar>;
  using AcrossIt =
      std::conditional_t<std::is_same_v<Layout, Kokkos::LayoutRight>, Kokkos::LayoutLeft, Kokkos::LayoutRight>;
  using Sums       = DeviceMatrix<Kokkos::Cuda, Layout, Sum>;
  using SumsAcross = DeviceMatrix<Kokkos::Cuda, AcrossIt, Sum>;
  // One type of View for all of them, since every type is a call to compile.
  using View         = Kokkos::View<Sum**, Kokkos::LayoutStride, Kokkos::Cuda>;
  constexpr auto far = TestFixture::Matrix::even_margin;
  this->margin_      = far;
  const auto formed  = [&](const GemmShape& shape, const PlanOptions& asked) {
    const auto dC = this->random_device({shape.m, shape.n}), B = this->random_device({shape.k, shape.n}),
               A           = this->random_device({shape.m, shape.k});
    const HostMatrix drawn = random_matrix(this->random_, shape.m, shape.k);
    const Sums along(drawn, far), dA(shape.m, shape.k, far);
    const SumsAcross across(drawn, far);
    const HostMatrix outputs = along.values();
    bool all                 = true;
    for (const View& saved : {View(along.view()), View(across.view())}) {
      const Sums dZ(shape.m, shape.k, far);
      const auto call = [&](const auto& function) {
        return function(Kokkos::Cuda(), dC.view(), A.view(), B.view(), none,
                         Below(View(dZ.view()), Tanh(), Output(saved)), none, none, Identity(),
                         GemmBackwardOptions{.plan = asked});
      };
      const Plan plan = call([](const auto&... arguments) { return make_plan(arguments...); });
      if (!plan.products[0].forms_dZ_below) return false;
      call([](const auto&... arguments) { gemm_backward(arguments...); });
      PlanOptions same = asked;
      same.tile        = plan.products[0].tile;
      gemm_backward(Kokkos::Cuda(), dC.view(), A.view(), B.view(), none, View(dA.view()), none, none, Identity(),
                     {.plan = same});
      const HostMatrix actual = dZ.values(), gradient = dA.values();
      for (std::size_t e = 0; e < actual.values.size(); ++e) {
        const auto y = static_cast<Sum>(outputs.values[e]), value = static_cast<Sum>(gradient.values[e]);
        all = all && actual.values[e] == value * ((1 - y) * (1 + y));
      }
      EXPECT_TRUE(all && dZ.surroundings_untouched()) << plan.text();
    }
    return true;
  };
  for (const std::string family : this->forming_families()) {
    // The order of the sums of the first two depends on more than the tile. The last reads what was saved as it reads
    // operands.
    if (family == "direct" || family == "portable") continue;
    if (family == "mma" && sizeof(Sum) == sizeof(float)) continue;
    if (!why_not(family).empty()) continue;
    std::vector<TileShape> tiles{{}};
    if (family == "wgmma") tiles = {{128, 256, 64}, {128, 192, 64}, {128, 128, 64}, {128, 64, 64}, {64, 64, 64}};
    for (const TileShape& tile : tiles)
      for (const GemmShape& shape : {GemmShape{200, 72, 136}, GemmShape{2024, 72, 2056}})
        EXPECT_TRUE(formed(shape, {.family = family, .tile = tile, .split_k = 1})) << family << ' ' << text(tile);
  }
}

// Large enough for many parts of sums, which a kernel of its own adds.
TYPED_TEST(CudaBelow, SumsColumnsOfManyParts) {
  this->margin_ = TestFixture::Matrix::even_margin;
  this->expect_below({20000, 16, 40}, Identity(), Relu(), {.dbias_below = Update::accumulate});
  this->expect_below({20000, 16, 40}, Identity(), GeluTanh(), {}, {true, true, false});
}

// wgmma sums the columns of every 64 rows. They are added behind both products, behind dA alone, and, where dB is cut,
// beside its slices.
TYPED_TEST(CudaBelow, AddsTheSumsOfTheKernelOfDA) {
  const char* const family = "wgmma";
  if (this->forming_families().back() != std::string(family)) GTEST_SKIP() << "wgmma forms nothing of such matrices";
  if (!why_not(family).empty()) GTEST_SKIP() << why_not(family);
  this->margin_ = TestFixture::Matrix::even_margin;
  for (const std::int64_t m : {1, 63, 64, 65, 127, 193, 1000, 4136}) {
    for (const int split_k : {0, 1}) {
      const GemmBackwardOptions options{.op_a        = this->random_op(),
                                        .dbias_below = this->random_update(),
                                        .plan        = {.family = family, .split_k = split_k}};
      this->expect_below({m, 64, 328}, Identity(), Relu(), options);
      this->expect_below({m, 64, 72}, Relu(), Tanh(), options);
      this->expect_below({m, 64, 136}, Identity(), Tanh(), options, {true, true, false});
      if (this->HasFatalFailure()) return;
    }
  }
  EXPECT_GT(this->fused_, 0);
}

// Of few columns, the kernel that computes all gradients: teams below each other sum columns of parts of the rows. What
// the layer below saved is A, which the kernel has read, or another matrix; lines are whole words or are not.
TYPED_TEST(CudaBelow, IsFormedBesideTheSumsOfFewColumns) {
  using Scalar = typename TestFixture::Scalar;
  if (sizeof(Scalar) > 2 || std::is_same_v<typename TypeParam::Layout, Kokkos::LayoutStride>)
    GTEST_SKIP() << "narrow takes other matrices";
  const char* const family = "narrow";
  if (!why_not(family).empty()) GTEST_SKIP() << why_not(family);
  const GemmShape shapes[] = {{4096, 10, 1024}, {128, 8, 64}, {129, 9, 65}, {1000, 16, 72}, {333, 31, 130},
                              {640, 24, 200},   {40, 32, 8},  {31, 1, 7},   {257, 17, 63}};
  for (const std::int64_t margin : {TestFixture::Matrix::odd_margin, TestFixture::Matrix::even_margin}) {
    this->margin_ = margin;
    for (const bool saved_A : {true, false}) {
      this->below_saved_A_ = saved_A;
      for (const auto& [m, n, k] : shapes) {
        const GemmBackwardOptions options{.op_a        = this->random_op(),
                                          .op_b        = this->random_op(),
                                          .alpha       = this->random_() % 2 == 0 ? 1 : -0.75,
                                          .dB          = this->random_update(),
                                          .dbias_below = this->random_update(),
                                          .plan        = {.family  = family,
                                                          .tile    = {128, static_cast<int>(n + 7) / 8 * 8, 64},
                                                          .split_k = static_cast<int>(this->random_() % 5)}};
        this->fused_ = 0;
        this->expect_below({m, n, k}, Identity(), Relu(), options);
        this->expect_below({m, n, k}, Tanh(), LeakyRelu(0.25), options);
        this->expect_below({m, n, k}, Identity(), Tanh(), options, {false, false, true});
        this->expect_below({m, n, k}, Relu(), Sigmoid(), options, {true, true, false});
        if (this->HasFatalFailure()) return;
        EXPECT_EQ(this->fused_, 4) << m << 'x' << n << 'x' << k;
      }
    }
  }
}

// Kernels begin early: never before there is what they read. Two gradients take turns in one place.
TYPED_TEST(CudaBelow, FollowsWhatIsThereInEveryRunOfAGraph) {
  this->expect_every_run({4096, 10, 264}, Identity());   // of few columns, by one kernel
  this->expect_every_run({4096, 64, 264}, Identity());   // sums are added beside slices of dB
  this->expect_every_run({1000, 520, 776}, Identity());  // and right behind the products
  this->expect_every_run({1000, 520, 776}, Relu());      // which wait for the pass that forms dZ
}

TYPED_TEST(CudaBelow, RunsInAGraph) {
  using Matrix  = typename TestFixture::Matrix;
  Random random = make_random();
  const Matrix dC(random_matrix(random, 300, 64)), A(random_matrix(random, 300, 96)), B(random_matrix(random, 96, 64));
  const auto call = [&](const auto& exec, const Matrix& dZ, const Matrix& dbias) {
    gemm_backward(exec, dC.view(), A.view(), B.view(), none, Below(dZ.view(), Tanh(), Output(A.view()), dbias.row()),
                  none, none);
  };
  const Matrix dZ(300, 96), dbias(1, 96), expected_dZ(300, 96), expected_dbias(1, 96);
  call(Kokkos::Cuda(), expected_dZ, expected_dbias);
  Kokkos::fence();
  const CudaStream stream;
  const CudaGraph graph(stream.exec(), cudaStreamCaptureModeThreadLocal, [&] { call(stream.exec(), dZ, dbias); });
  for (int run = 0; run < 2; ++run) graph.launch();
  stream.exec().fence();
  EXPECT_EQ(dZ.values().values, expected_dZ.values().values);
  EXPECT_EQ(dbias.values().values, expected_dbias.values().values);
}

}  // namespace
}  // namespace Tegula::Test
