// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestFp32Split.hpp"

/// Compute::fp32_split by wgmma on parts of TF32 gives what the portable family gives, whatever the shape, the layouts,
/// the transposes, the epilogue, the tile and the split. Its error is that of float, whatever the data. Needs a Hopper
/// GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

struct Tf32x3Facts {
  static constexpr const char* name = "tf32x3";
  static constexpr Compute compute  = Compute::fp32_split;

  static std::vector<TileShape> tiles() { return {{128, 64, 32}, {64, 64, 32}}; }
  // Multiples of the widths of tiles, of boxes, of a step, and of words.
  static std::vector<std::int64_t> edges() { return {4, 8, 16, 32, 64, 96, 128, 136, 192, 264}; }
};

template <class T>
class Tf32x3 : public CudaFamily<T, Tf32x3Facts> {};

using Tf32x3Types = testing::Types<CudaTypes<float, float>>;
TYPED_TEST_SUITE(Tf32x3, Tf32x3Types, CudaTypesName);

TYPED_TEST(Tf32x3, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(400); }
TYPED_TEST(Tf32x3, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(300);
}
TYPED_TEST(Tf32x3, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Tf32x3, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Tf32x3, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(Tf32x3, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

using Tf32InParts = Fp32SplitData<Tf32x3Facts>;

TEST_F(Tf32InParts, ErrorsAreThoseOfFloatOrSmaller) { errors_are_those_of_float_or_smaller(); }
TEST_F(Tf32InParts, RowsAndColumnsMaySpan40PowersOfTwo) { expect_float_accuracy(multiply_scaled_lines()); }
TEST_F(Tf32InParts, ElementsMayHaveAnyRange) { elements_may_have_any_range(); }
TEST_F(Tf32InParts, SmallElementsCount) { expect_float_accuracy(multiply(alternating(0), alternating(1))); }
TEST_F(Tf32InParts, SumsMayCancel) { expect_float_accuracy(multiply_what_cancels()); }
TEST_F(Tf32InParts, ScalesMayBeExtreme) { scales_of_tf32_may_be_extreme(); }
TEST_F(Tf32InParts, InfAndNanAreThoseOfFloats) { inf_and_nan_are_those_of_floats(expect_float_accuracy); }

}  // namespace
}  // namespace Tegula::Test
