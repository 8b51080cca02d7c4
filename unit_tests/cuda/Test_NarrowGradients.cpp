// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"
#include "cuda/narrow/Tegula_NarrowGradients.hpp"

/// All gradients by the narrow family are what the portable family gives, whether rows or columns are few, whatever the
/// layouts, the alignment, the transposes, the gradients that are wanted and the parts: all are drawn. Needs a GPU of
/// compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct NarrowGradientsFacts {
  static constexpr const char* name       = "narrow";
  static constexpr bool leaves_empty_sums = true;
};

template <class T>
class NarrowGradients : public CudaFamily<T, NarrowGradientsFacts> {
 protected:
  using Base         = CudaFamily<T, NarrowGradientsFacts>;
  using Element      = typename T::Input;
  using Result       = typename T::Output;
  using InputMatrix  = typename Base::InputMatrix;
  using OutputMatrix = typename Base::OutputMatrix;

  std::int64_t draw_around(const std::vector<std::int64_t>& edges) {
    return std::max<std::int64_t>(1, pick(this->random_, edges) + static_cast<std::int64_t>(this->random_() % 3) - 1);
  }

  // Around words, what warps and teams have in a step, and panels of the depth.
  GemmShape draw_long_shape() {
    const std::int64_t longer  = draw_around({2, 8, 32, 64, 128, 256, 600, 1100}),
                       shorter = std::min<std::int64_t>(longer, 1 + static_cast<std::int64_t>(this->random_() % 32)),
                       k       = draw_around({2, 8, 16, 56, 64, 72, 128, 200});
    return this->random_() % 2 == 0 ? GemmShape{longer, shorter, k} : GemmShape{shorter, longer, k};
  }

  // That of the kernel: families of products have none like it.
  static TileShape tile_of(const GemmShape& shape) {
    for (const Impl::NarrowGradientsTile& tile : Impl::narrow_gradients_tiles)
      if (std::min(shape.m, shape.n) <= tile.choice.tile.n) return tile.choice.tile;
    return {};
  }

  GemmBackwardOptions draw_options(const GemmShape& shape) {
    PlanOptions plan{.family = "narrow", .tile = tile_of(shape)};
    if (this->random_() % 3 == 0) plan.split_k = static_cast<int>(1 + this->random_() % 9);
    return this->taken(this->draw_backward_options(plan));
  }

  // The larger operand must have a contiguous direction, and be aligned or not.
  InputMatrix in_runs(Op op, std::int64_t rows, std::int64_t columns) {
    while (true) {
      InputMatrix drawn = this->operand(op, rows, columns);
      if (drawn.view().stride(0) == 1 || drawn.view().stride(1) == 1) return drawn;
    }
  }
  OutputMatrix gradient(Op op, std::int64_t rows, std::int64_t columns, Update update) {
    if (op != Op::none) std::swap(rows, columns);
    return this->output(rows, columns, update == Update::overwrite);
  }

  testing::AssertionResult agrees_with_portable(int number, const GemmShape& shape,
                                                const GemmBackwardOptions& options) {
    const bool by_rows   = shape.m >= shape.n;
    const InputMatrix dC = this->operand(Op::none, shape.m, shape.n);
    const CudaBackwardTrial<Element, Result> trial{
        number % 5 == 2 ? number + 1 : number,  // dbias alone is for others
        shape,
        options,
        by_rows ? in_runs(options.op_a, shape.m, shape.k) : this->operand(options.op_a, shape.m, shape.k),
        by_rows ? this->operand(options.op_b, shape.k, shape.n) : in_runs(options.op_b, shape.k, shape.n),
        dC,
        this->saved_with(dC, shape.m, shape.n),
        gradient(options.op_a, shape.m, shape.k, options.dA),
        gradient(options.op_b, shape.k, shape.n, options.dB),
        typename Base::BiasMatrix(this->random_, 1, shape.n, options.dbias == Update::overwrite)};
    const double dZ_error = run_cuda_backward(trial);
    return trial.agrees(this->tensor_core_factor(std::max(shape.m, shape.n)), dZ_error);
  }
};

TYPED_TEST_SUITE(NarrowGradients, AllCudaTypes, CudaTypesName);

TYPED_TEST(NarrowGradients, AreWhatThePortableFamilyComputes) {
  for (int number = 0; number < 500; ++number) {
    const GemmShape shape = this->draw_long_shape();
    ASSERT_TRUE(this->agrees_with_portable(number, shape, this->draw_options(shape)))
        << shape.m << ' ' << shape.n << ' ' << shape.k;
  }
}

// Warps go on from step to step, and teams have several panels or parts.
TYPED_TEST(NarrowGradients, AreThoseOfLongMatrices) {
  int number = 3;  // all gradients
  for (const GemmShape& shape : {GemmShape{20001, 3, 270}, GemmShape{8, 20008, 264}, GemmShape{1, 130, 3001},
                                 GemmShape{9001, 31, 72}, GemmShape{16, 3001, 271}, GemmShape{24, 8, 5000}})
    for (int draw = 0; draw < 3; ++draw, number += 5)
      ASSERT_TRUE(this->agrees_with_portable(number, shape, this->draw_options(shape)))
          << shape.m << ' ' << shape.n << ' ' << shape.k;
}

// Lines of an even number of elements, the last of which is NaN and none of the matrix, if that has an odd one.
HostMatrix in_even_lines(const HostMatrix& values) {
  HostMatrix lines(values.rows, values.columns + values.columns % 2);
  for (std::int64_t i = 0; i < lines.rows; ++i)
    for (std::int64_t j = 0; j < lines.columns; ++j)
      lines(i, j) = j < values.columns ? values(i, j) : std::numeric_limits<double>::quiet_NaN();
  return lines;
}

// What pads words, pairs, steps and panels, beyond the rows, the columns and the depth, does not spread NaN.
TYPED_TEST(NarrowGradients, KeepNaNWhereItBelongs) {
  using Element    = typename TypeParam::Input;
  using Rows       = DeviceMatrix<Space, Kokkos::LayoutRight, Element>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [&](bool has_few_columns, int k, std::int64_t margin) {
    const int m = has_few_columns ? 71 : 5, n = has_few_columns ? 5 : 71;
    HostMatrix host_dC = random_matrix(this->random_, m, n), host_A = random_matrix(this->random_, m, k),
               host_B = random_matrix(this->random_, k, n);
    host_dC(m - 1, 3) = host_A(2, 1) = host_B(2, n - 1) = nan;
    const Rows A(host_A, margin), dC(in_even_lines(host_dC), Rows::even_margin), B(in_even_lines(host_B), margin);
    const auto first_columns = [&](const Rows& lines) {
      return Kokkos::subview(lines.view(), Kokkos::ALL(), std::make_pair(0, n));
    };
    Rows dA(m, k), dB(k, n);
    gemm_backward(Space(), first_columns(dC), A.view(), first_columns(B), none, dA.view(), dB.view(), none, Identity(),
                  {.plan = {.family = "narrow", .tile = this->tile_of({m, n, k})}});
    const HostMatrix actual_dA = dA.values(), actual_dB = dB.values();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j) ASSERT_EQ(std::isnan(actual_dA(i, j)), i == m - 1 || j == 2) << i << ' ' << j;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < n; ++j) ASSERT_EQ(std::isnan(actual_dB(i, j)), j == 3 || i == 1) << i << ' ' << j;
  };
  for (const bool has_few_columns : {true, false})
    for (const int k : {3, 61, 64, 77})
      for (const std::int64_t margin : {Rows::odd_margin, Rows::even_margin})
        ASSERT_NO_FATAL_FAILURE(check(has_few_columns, k, margin)) << k << ' ' << margin;
}

}  // namespace
}  // namespace Tegula::Test
