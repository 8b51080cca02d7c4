// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestFp32Split.hpp"
#include "cuda/fp32_split/Tegula_Fp32SplitMemory.hpp"

/// Compute::fp32_split gives what the portable family gives, whatever the shape, the layouts, the transposes, the
/// epilogue, the tile and the split. Its error is that of float, whatever the data and the route that they take. Needs
/// a Hopper GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct Fp32SplitFacts {
  static constexpr const char* name = "fp32_split";
  static constexpr Compute compute  = Compute::fp32_split;

  static std::vector<TileShape> tiles() { return {{128, 128, 64}, {128, 64, 64}, {64, 64, 64}}; }
  // Multiples of the widths of tiles, of a team's share of a pass, and of words.
  static std::vector<std::int64_t> edges() { return {4, 8, 32, 56, 64, 72, 128, 136, 192, 256, 264, 320}; }
};

template <class T>
class Fp32Split : public CudaFamily<T, Fp32SplitFacts> {};

using Fp32SplitTypes = testing::Types<CudaTypes<float, float>>;
TYPED_TEST_SUITE(Fp32Split, Fp32SplitTypes, CudaTypesName);

TYPED_TEST(Fp32Split, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(300); }
TYPED_TEST(Fp32Split, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(300);
}
TYPED_TEST(Fp32Split, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Fp32Split, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Fp32Split, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(Fp32Split, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

using Impl::Fp32SplitRoute;

class Fp32SplitRoutes : public Fp32SplitData<Fp32SplitFacts> {
 protected:
  Fp32SplitRoutes() {
    see_ = [this](const Plan& plan, char* workspace) {
      std::uint32_t word = 0;
      Kokkos::fence();
      cudaMemcpy(&word, Impl::split_memory(plan.products[0], workspace), sizeof(word), cudaMemcpyDeviceToHost);
      route_ = static_cast<Fp32SplitRoute>(word);
    };
  }

  void expect_float_accuracy_by(Fp32SplitRoute route, const Outcome& outcome) const {
    expect_float_accuracy(outcome);
    EXPECT_EQ(static_cast<int>(route_), static_cast<int>(route));
  }

 private:
  Fp32SplitRoute route_{};  // that the last product took
};

TEST_F(Fp32SplitRoutes, OrdinaryDataTakeHalves) {
  expect_float_accuracy_by(Fp32SplitRoute::half_parts, multiply(normals(), normals()));
  expect_float_accuracy_by(Fp32SplitRoute::half_parts, multiply(positive(), positive()));
  expect_float_accuracy_by(Fp32SplitRoute::half_parts, multiply(rectified(), normals()));
}

// A ring has fewer stages where numbers have three parts.
TEST_F(Fp32SplitRoutes, EveryTileTakesEveryRoute) {
  for (const TileShape& tile : Fp32SplitFacts::tiles()) {
    tile_ = tile;
    expect_float_accuracy_by(Fp32SplitRoute::half_parts, multiply(normals(), normals()));
    expect_float_accuracy_by(Fp32SplitRoute::bhalf_parts, multiply(wide(), wide()));
    inf_and_nan_are_those_of_floats(
        [this](const Outcome& outcome) { expect_float_accuracy_by(Fp32SplitRoute::exact, outcome); });
  }
}

TEST_F(Fp32SplitRoutes, RowsAndColumnsMaySpan40PowersOfTwo) {
  expect_float_accuracy_by(Fp32SplitRoute::half_parts, multiply_scaled_lines());
}

TEST_F(Fp32SplitRoutes, AWiderRangeTakesThreePartsOf8Bits) {
  expect_float_accuracy_by(Fp32SplitRoute::bhalf_parts, multiply(wide(), wide()));
  expect_float_accuracy_by(Fp32SplitRoute::bhalf_parts, multiply(normals(), wide()));  // either operand may ask for it
  expect_float_accuracy_by(Fp32SplitRoute::bhalf_parts, multiply(along_k(), normals()));
  expect_float_accuracy_by(Fp32SplitRoute::bhalf_parts, multiply(decaying(), decaying()));
}

// Small elements meet large ones, and vice versa: the sums are small.
TEST_F(Fp32SplitRoutes, SmallElementsCount) {
  expect_float_accuracy_by(Fp32SplitRoute::bhalf_parts, multiply(alternating(0), alternating(1)));
}

TEST_F(Fp32SplitRoutes, SumsMayCancel) {
  expect_float_accuracy_by(Fp32SplitRoute::half_parts, multiply_what_cancels());
}

TEST_F(Fp32SplitRoutes, ScalesMayBeExtreme) { scales_may_be_extreme(); }

TEST_F(Fp32SplitRoutes, InfAndNanAreThoseOfFloats) {
  inf_and_nan_are_those_of_floats(
      [this](const Outcome& outcome) { expect_float_accuracy_by(Fp32SplitRoute::exact, outcome); });
}

TEST_F(Fp32SplitRoutes, IsTakenOnlyIfAskedFor) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Space> A("A", 1024, 1024), C("C", 1024, 1024);
  const auto family = [&](Compute compute) {
    return std::string(make_plan(Space(), A, A, C, {}, {.compute = compute}).family);
  };
  EXPECT_NE(family(Compute::native), "fp32_split");
  EXPECT_NE(family(Compute::tf32), "fp32_split");
  EXPECT_EQ(family(Compute::fp32_split), "fp32_split");
  EXPECT_THROW(gemm(Space(), A, A, C, {}, {.plan = {.family = "fp32_split"}}), std::invalid_argument);
}

TEST_F(Fp32SplitRoutes, SaysWhichPartsMayBeMultiplied) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Space> A("A", 1024, 1024), C("C", 1024, 1024);
  const std::string text = make_plan(Space(), A, A, C, {}, {.compute = Compute::fp32_split}).text();
  EXPECT_NE(text.find("f16 parts"), std::string::npos) << text;
  EXPECT_NE(text.find("bf16 parts"), std::string::npos) << text;
}

}  // namespace
}  // namespace Tegula::Test
