// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"

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

class Tf32Data : public Tf32<CudaTypes<float, float>> {
 protected:
  using Values = Kokkos::View<float**, Kokkos::LayoutRight, Space>;

  // `value` of the number of an element.
  template <class Value>
  static Values filled(std::int64_t rows, std::int64_t columns, const Value& value) {
    Values matrix("matrix", rows, columns);
    const auto host = Kokkos::create_mirror_view(matrix);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) host(i, j) = static_cast<float>(value());
    Kokkos::deep_copy(matrix, host);
    return matrix;
  }
  static HostMatrix values_of(const Values& matrix) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix);
    HostMatrix values(matrix.extent(0), matrix.extent(1));
    for (std::size_t i = 0; i < matrix.extent(0); ++i)
      for (std::size_t j = 0; j < matrix.extent(1); ++j) values(i, j) = host(i, j);
    return values;
  }
};

// Small integers, whose products and sums are exact: every operand order, tile and split, and results of both kinds.
TEST_F(Tf32Data, FactorsOf11BitsAreNotRounded) {
  const std::int64_t m = 260, n = 268, k = 332;
  const auto integer = [&] { return static_cast<double>(random_() % 64) - 32; };
  for (const TileShape& tile : Tf32Facts::tiles())
    for (const Op op_a : {Op::none, Op::transpose})
      for (const Op op_b : {Op::none, Op::transpose})
        for (const int split_k : {1, 3}) {
          const Values A = op_a == Op::none ? filled(m, k, integer) : filled(k, m, integer);
          const Values B = op_b == Op::none ? filled(k, n, integer) : filled(n, k, integer);
          const Values C = filled(m, n, [] { return NAN; });
          gemm(Space(), A, B, C, {},
               {.op_a = op_a, .op_b = op_b, .compute = Compute::tf32, .plan = {"tf32", tile, 0, split_k}});
          const HostMatrix expected = reference_product(1, apply(op_a, values_of(A)), apply(op_b, values_of(B))).value;
          const HostMatrix values   = values_of(C);
          for (std::size_t e = 0; e < values.values.size(); ++e)
            ASSERT_EQ(values.values[e], expected.values[e])
                << "element " << e << ", tile " << text(tile) << ", split " << split_k;
        }
}

// Rounding to nearest makes errors that cancel; cutting off would make every product of positive numbers too small.
TEST_F(Tf32Data, FactorsAreRoundedToNearest) {
  const auto number    = [&] { return uniform(random_, 0, 1); };
  const std::int64_t m = 130, n = 70, k = 600;
  for (const Op op_b : {Op::none, Op::transpose}) {
    const Values A = filled(m, k, number), B = op_b == Op::none ? filled(k, n, number) : filled(n, k, number);
    const Values C = filled(m, n, [] { return NAN; });
    gemm(Space(), A, B, C, {}, {.op_b = op_b, .compute = Compute::tf32, .plan = {.family = "tf32"}});
    const HostMatrix expected = reference_product(1, values_of(A), apply(op_b, values_of(B))).value;
    const HostMatrix values   = values_of(C);
    for (std::size_t e = 0; e < values.values.size(); ++e)
      ASSERT_NEAR(values.values[e] / expected.values[e], 1, 0x1p-13) << "element " << e;
  }
}

TEST_F(Tf32Data, InfAndNanPropagate) {
  Values A("A", 128, 64), B("B", 64, 128), C("C", 128, 128);
  const auto host = Kokkos::create_mirror_view(A);
  host(3, 5) = INFINITY, host(4, 6) = NAN;
  Kokkos::deep_copy(A, host);
  Kokkos::deep_copy(B, 1.0f);
  gemm(Space(), A, B, C, {}, options_with({.family = "tf32"}));
  const HostMatrix values = values_of(C);
  EXPECT_EQ(values(3, 7), INFINITY);
  EXPECT_TRUE(std::isnan(values(4, 7)));
  EXPECT_EQ(values(5, 7), 0);
}

TEST_F(Tf32Data, IsTakenOnlyIfAskedFor) {
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
