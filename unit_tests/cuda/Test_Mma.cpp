// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"
#include "Tegula_TestFp32Split.hpp"
#include "Tegula_TestRounding.hpp"
#include "Tegula_TestTf32.hpp"

/// The mma family gives what the portable family gives, whatever the shape, the layouts, the transposes, the epilogue,
/// the tile and the split: all are drawn. Needs a GPU of compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

// Of types of 16 bits.
template <class Input>
struct MmaFacts {
  static constexpr const char* name = "mma";

  // Tiles that there is scratch for.
  static std::vector<TileShape> tiles() {
    const std::vector<TileShape> always{{128, 128, 16}, {128, 64, 32}, {64, 64, 32}},
        all{{128, 256, 32}, {128, 128, 64}, {128, 128, 16}, {128, 64, 64}, {128, 64, 32}, {64, 64, 64}, {64, 64, 32}};
    return cuda_team_scratch() < 160 * 1024 ? always : all;
  }
  // Multiples of the widths of tiles, of their steps along k, and of what a thread copies.
  static std::vector<std::int64_t> edges() { return {8, 16, 32, 56, 64, 72, 96, 120, 128, 136, 192, 256, 264, 320}; }
};

template <>
struct MmaFacts<double> {
  static constexpr const char* name = "mma";

  static std::vector<TileShape> tiles() {
    const std::vector<TileShape> always{{128, 64, 8}, {64, 32, 16}, {32, 64, 16},
                                        {32, 32, 16}, {32, 16, 16}, {32, 16, 32}},
        all{{128, 128, 16}, {128, 64, 16}, {128, 64, 8}, {64, 64, 16}, {128, 32, 16}, {32, 128, 16}, {64, 32, 32},
            {64, 32, 16},   {32, 64, 16},  {32, 32, 16}, {32, 16, 16}, {32, 32, 32},  {32, 16, 32},  {32, 16, 64}};
    return cuda_team_scratch() < 160 * 1024 ? always : all;
  }
  static std::vector<std::int64_t> edges() { return {2, 4, 8, 16, 24, 32, 40, 48, 64, 72, 128, 136, 192, 256}; }
};

template <>
struct MmaFacts<float> {
  static constexpr const char* name = "mma";
  static constexpr Compute compute  = Compute::tf32;

  static std::vector<TileShape> tiles() {
    const std::vector<TileShape> always{{128, 64, 16}, {64, 128, 16}, {64, 64, 16},
                                        {64, 32, 32},  {32, 64, 32},  {32, 32, 32}},
        all{{128, 128, 32}, {128, 128, 16}, {128, 64, 32}, {128, 64, 16}, {64, 128, 16},
            {64, 64, 32},   {64, 64, 16},   {64, 32, 32},  {32, 64, 32},  {32, 32, 32}};
    return cuda_team_scratch() < 160 * 1024 ? always : all;
  }
  static std::vector<std::int64_t> edges() { return {4, 8, 16, 28, 32, 40, 64, 72, 96, 128, 136, 192, 256, 264}; }
};

// Of floats in two parts.
struct MmaFp32SplitFacts {
  static constexpr const char* name = "mma";
  static constexpr Compute compute  = Compute::fp32_split;

  static std::vector<TileShape> tiles() {
    const std::vector<TileShape> always{{64, 64, 16}}, all{{128, 128, 16}, {128, 64, 16}, {64, 128, 16}, {64, 64, 32},
                                                           {64, 64, 16},   {64, 32, 32},  {32, 64, 32},  {32, 32, 64}};
    return cuda_team_scratch() < 160 * 1024 ? always : all;
  }
  static std::vector<std::int64_t> edges() { return MmaFacts<float>::edges(); }
};

template <class T>
class Mma : public CudaFamily<T, MmaFacts<typename T::Input>> {};

using MmaTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>, CudaTypes<bhalf_t, float>,
                                CudaTypes<half_t, float>, CudaTypes<double, double>, CudaTypes<float, float>>;
TYPED_TEST_SUITE(Mma, MmaTypes, CudaTypesName);

TYPED_TEST(Mma, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(400); }
TYPED_TEST(Mma, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(400);
}
TYPED_TEST(Mma, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Mma, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Mma, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(Mma, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

// Operands that do not lie in whole runs of 16 bytes are gathered, or copied first where the planner finds that faster;
// floats and doubles are never copied.
TYPED_TEST(Mma, TakesWhatDoesNotLieInRuns) {
  using Input           = typename TestFixture::Input;
  using Output          = typename TestFixture::Output;
  constexpr bool copies = sizeof(Input) == 2;
  for (const std::int64_t n : {64, 656}) {
    const GemmShape shape{n, n, n + 3};
    const GemmOptions options = this->options_with({.family = "mma"});
    const CudaGemmTrial<Input, Output> trial{0,
                                             shape,
                                             options,
                                             {this->random_, shape.m, shape.k},
                                             {this->random_, shape.k, shape.n, false, 8},
                                             {this->random_, 1, shape.n},
                                             {this->random_, shape.m, shape.n},
                                             {this->random_, shape.m, shape.n}};
    const Plan plan = make_plan(Space(), trial.A.view(), trial.B.view(), trial.C.view(), {}, options);
    EXPECT_TRUE(copies || plan.products[0].left_copy_bytes == 0);
    EXPECT_EQ(plan.products[0].right_copy_bytes, 0u);
    run_cuda_gemm(trial);
    EXPECT_TRUE(trial.agrees(this->tensor_core_factor(shape.k)));
  }
  const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", 8192, 8191), B("B", 8191, 8192);
  const Kokkos::View<Output**, Kokkos::LayoutRight, Space> C("C", 8192, 8192);
  const Plan large = make_plan(Space(), A, B, C, {}, this->options_with({.family = "mma"}));
  EXPECT_EQ(large.products[0].left_copy_bytes > 0, copies) << "each element would be gathered many times";
}

using MmaOnTf32 = Tf32Data<MmaFacts<float>>;

TEST_F(MmaOnTf32, FactorsOf11BitsAreNotRounded) { factors_of_11_bits_are_not_rounded({260, 268, 332}); }
TEST_F(MmaOnTf32, FactorsOf11BitsAreNotRoundedOfOddExtents) { factors_of_11_bits_are_not_rounded({259, 271, 333}); }
TEST_F(MmaOnTf32, FactorsAreRoundedToNearest) { factors_are_rounded_to_nearest(); }
TEST_F(MmaOnTf32, InfAndNanPropagate) { inf_and_nan_propagate(); }

TEST_F(MmaOnTf32, IsTakenOnlyIfAskedFor) {
  const Values A("A", 515, 515), C("C", 515, 515);
  const auto plan = [&](Compute compute) { return make_plan(Space(), A, A, C, {}, {.compute = compute}); };
  EXPECT_STRNE(plan(Compute::native).family, "mma");
  EXPECT_THROW(gemm(Space(), A, A, C, {}, {.plan = {.family = "mma"}}), std::invalid_argument);
}

template <class T>
class MmaFp32Split : public CudaFamily<T, MmaFp32SplitFacts> {};

using MmaFp32SplitTypes = testing::Types<CudaTypes<float, float>>;
TYPED_TEST_SUITE(MmaFp32Split, MmaFp32SplitTypes, CudaTypesName);

TYPED_TEST(MmaFp32Split, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(400); }
TYPED_TEST(MmaFp32Split, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(400);
}
TYPED_TEST(MmaFp32Split, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(MmaFp32Split, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(MmaFp32Split, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(MmaFp32Split, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

using MmaInParts = Fp32SplitData<MmaFp32SplitFacts>;

TEST_F(MmaInParts, ErrorsAreThoseOfFloatOrSmaller) { errors_are_those_of_float_or_smaller(); }
TEST_F(MmaInParts, RowsAndColumnsMaySpan40PowersOfTwo) { expect_float_accuracy(multiply_scaled_lines()); }
TEST_F(MmaInParts, ElementsMayHaveAnyRange) { elements_may_have_any_range(); }
TEST_F(MmaInParts, SmallElementsCount) { expect_float_accuracy(multiply(alternating(0), alternating(1))); }
TEST_F(MmaInParts, SumsMayCancel) { expect_float_accuracy(multiply_what_cancels()); }
TEST_F(MmaInParts, ScalesMayBeExtreme) { scales_of_tf32_may_be_extreme(); }
TEST_F(MmaInParts, InfAndNanAreThoseOfFloats) { inf_and_nan_are_those_of_floats(expect_float_accuracy); }

template <class T>
class MmaRounding : public Mma<T> {};
TYPED_TEST_SUITE(MmaRounding, HalfCudaTypes, CudaTypesName);

TYPED_TEST(MmaRounding, IsToNearest) {
  results_are_rounded_to_nearest<Space, typename TestFixture::Output>(this->random_, "mma", 100);
}

}  // namespace
}  // namespace Tegula::Test
