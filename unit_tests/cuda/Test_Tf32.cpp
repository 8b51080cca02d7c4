// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestTf32.hpp"

/// Compute::tf32 gives what the portable family gives but for the rounding of factors, whatever the shape, the layouts,
/// the transposes, the epilogue, the tile and the split; and factors of 11 bits are not rounded. Needs a Hopper GPU,
/// and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct Tf32Facts {
  static constexpr const char* name = "tf32";
  static constexpr Compute compute  = Compute::tf32;

  static std::vector<TileShape> tiles() { return {{128, 256, 32}, {128, 192, 32}, {128, 128, 32}, {128, 64, 32}}; }
  // Multiples of the widths of tiles, of boxes, of a step, and of words.
  static std::vector<std::int64_t> edges() { return {4, 8, 16, 32, 64, 96, 128, 136, 192, 256, 264, 320}; }
};

template <class T>
class Tf32 : public CudaFamily<T, Tf32Facts> {};

using Tf32Types = testing::Types<CudaTypes<float, float>>;
TYPED_TEST_SUITE(Tf32, Tf32Types, CudaTypesName);

TYPED_TEST(Tf32, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(500); }
TYPED_TEST(Tf32, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(300);
}
TYPED_TEST(Tf32, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Tf32, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Tf32, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(Tf32, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

using Tf32OnData = Tf32Data<Tf32Facts>;

TEST_F(Tf32OnData, FactorsOf11BitsAreNotRounded) { factors_of_11_bits_are_not_rounded({260, 268, 332}); }
TEST_F(Tf32OnData, FactorsAreRoundedToNearest) { factors_are_rounded_to_nearest(); }
TEST_F(Tf32OnData, InfAndNanPropagate) { inf_and_nan_propagate(); }

TEST_F(Tf32OnData, IsTakenOnlyIfAskedFor) {
  const Values A("A", 1024, 1024), C("C", 1024, 1024);
  const auto plan = [&](Compute compute) { return make_plan(Space(), A, A, C, {}, {.compute = compute}); };
  EXPECT_STRNE(plan(Compute::native).family, "tf32");
  EXPECT_STRNE(plan(Compute::fp32_split).family, "tf32");
  EXPECT_STREQ(plan(Compute::tf32).family, "tf32");
  EXPECT_NE(plan(Compute::tf32).text().find("TF32"), std::string::npos) << plan(Compute::tf32).text();
  EXPECT_THROW(gemm(Space(), A, A, C, {}, {.plan = {.family = "tf32"}}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
