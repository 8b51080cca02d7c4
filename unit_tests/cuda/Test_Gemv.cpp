// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"

/// The gemv family gives what the portable family gives, whichever operand is the long one, whatever the layouts, the
/// alignment, the transposes, the epilogue and the split: all are drawn. Needs a GPU of compute capability 8.0 or newer
/// and 160 KiB of scratch, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct GemvFacts {
  static constexpr const char* name = "gemv";
};

template <class T>
class Gemv : public CudaFamily<T, GemvFacts> {
 protected:
  using Base        = CudaFamily<T, GemvFacts>;
  using Element     = typename T::Input;
  using InputMatrix = typename Base::InputMatrix;

  static constexpr std::int64_t most_lines = sizeof(Element) == 4 ? 16 : 8;  // of the short operand

  std::int64_t draw_around(const std::vector<std::int64_t>& edges) {
    return pick(this->random_, edges) + static_cast<std::int64_t>(this->random_() % 3) - 1;
  }

  // Around multiples of 16 bytes, of what a warp takes, and of tiles, of which there are several.
  GemmShape draw_long_shape() {
    const std::int64_t longer = draw_around({2, 4, 8, 32, 48, 64, 96, 128, 200, 640}),
                       shorter =
                           std::min<std::int64_t>(longer, 1 + static_cast<std::int64_t>(this->random_() % most_lines)),
                       k = draw_around({2, 4, 8, 32, 64, 100, 128, 192, 256, 520, 1100});
    return this->random_() % 2 == 0 ? GemmShape{longer, shorter, k} : GemmShape{shorter, longer, k};
  }

  // The long operand lies in runs of 16 bytes, or anyhow: there are kernels for both.
  InputMatrix streamed(Op op, std::int64_t rows, std::int64_t columns) {
    if (this->random_() % 2 == 0) return this->operand(op, rows, columns);
    return op == Op::none ? InputMatrix(this->random_, rows, columns, false, 8)
                          : InputMatrix(this->random_, columns, rows, false, 8);
  }

  testing::AssertionResult agrees_with_portable(int number, const GemmShape& shape) {
    GemmOptions options = this->draw_gemm_options({.family = GemvFacts::name});
    if (this->random_() % 2 == 0) options.plan.split_k = static_cast<int>(1 + this->random_() % 4);
    const bool left = shape.m >= shape.n;
    const CudaGemmTrial<Element, Element> trial{
        number,
        shape,
        options,
        left ? streamed(options.op_a, shape.m, shape.k) : this->operand(options.op_a, shape.m, shape.k),
        left ? this->operand(options.op_b, shape.k, shape.n) : streamed(options.op_b, shape.k, shape.n),
        typename Base::BiasMatrix(this->random_, 1, shape.n),
        this->output(shape.m, shape.n, options.beta == 0),
        this->output(shape.m, shape.n, true)};
    run_cuda_gemm(trial);
    return trial.agrees(1);
  }
};

using GemvTypes = testing::Types<CudaTypes<float, float>, CudaTypes<double, double>>;
TYPED_TEST_SUITE(Gemv, GemvTypes, CudaTypesName);

TYPED_TEST(Gemv, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 400; ++number) ASSERT_TRUE(this->agrees_with_portable(number, this->draw_long_shape()));
}

// So long that every multiprocessor has several tiles, and their stages take turns.
TYPED_TEST(Gemv, TakesLongMatrices) {
  int number = 0;
  for (const GemmShape& shape : {GemmShape{20001, 3, 270}, GemmShape{8, 20001, 270}, GemmShape{1, 130, 30011},
                                 GemmShape{20001, this->most_lines - 1, 270}, GemmShape{this->most_lines, 3001, 2701}})
    for (int draw = 0; draw < 4; ++draw) ASSERT_TRUE(this->agrees_with_portable(number++, shape));
}

TYPED_TEST(Gemv, LeavesTheBiasWhereThereIsNothingToSum) {
  constexpr std::int64_t runs = 8;  // alignment in elements, so that the long operand lies in runs of 16 bytes
  this->a_sum_of_nothing_is_the_bias(300, 7, {.family = "gemv"}, runs);
}

// Products of gemm_backward are products of gemm. Those with few rows or columns run on these kernels, beside others.
TYPED_TEST(Gemv, ComputesGradients) {
  this->computes_the_first_gradient({8, 512, 1024});
  for (int number = 0; number < 60; ++number) {
    const std::int64_t few = 1 + static_cast<std::int64_t>(this->random_() % this->most_lines),
                       k   = pick(this->random_, std::vector<std::int64_t>{512, 770, 1024});
    const GemmShape shape  = this->random_() % 2 == 0 ? GemmShape{few, 600, k} : GemmShape{600, few, k};
    ASSERT_TRUE(this->backward_agrees_with_portable(number, shape, this->draw_backward_options({})));
  }
}

// A matrix times a vector takes the time of the matrix. In double that of a matrix whose lines are contiguous is the
// same by narrow: which one is taken depends on the card.
TYPED_TEST(Gemv, IsForFewRowsOrColumns) {
  const std::string along_lines = this->family_of(1, 16384, 16384);
  if (!std::is_same_v<typename TypeParam::Input, double> || along_lines != "narrow") EXPECT_EQ(along_lines, "gemv");
  EXPECT_EQ(this->family_of(16384, 1, 16384), "gemv");
  EXPECT_NE(this->family_of(this->most_lines + 1, 16384, 16384), "gemv");
}

TYPED_TEST(Gemv, RefusesWhatItDoesNotTake) {
  using Element = typename TypeParam::Input;
  const Kokkos::View<Element**, Kokkos::LayoutRight, Space> A("A", 8, 64), B("B", 64, 64), C("C", 8, 64);
  const auto run = [&](const PlanOptions& plan) { gemm(Space(), A, B, C, {}, {.plan = plan}); };
  EXPECT_NO_THROW(run({.family = "gemv"}));
  EXPECT_THROW(run({.family = "gemv", .tile = {8, 96, 8}}), std::invalid_argument);
  EXPECT_THROW(run({.family = "gemv", .split_k = -1}), std::invalid_argument);
  EXPECT_THROW(gemm(Space(), B, B, B, {}, {.plan = {.family = "gemv"}}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
