// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_TF32_HPP
#define TEGULA_TEST_TF32_HPP

#include <bit>
#include <cmath>

#include "Tegula_TestCudaFamily.hpp"

/// What the tests of families share that round factors of float to TF32: facts about data.

namespace Tegula::Test {

/// The base of a fixture; the family is as CudaFamily takes it.
template <class Family>
class Tf32Data : public CudaFamily<CudaTypes<float, float>, Family> {
 protected:
  using Space  = Kokkos::Cuda;
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

  /// Small integers, whose products and sums are exact: every operand order, tile and split, and results of both kinds.
  void factors_of_11_bits_are_not_rounded(const GemmShape& shape) {
    const auto& [m, n, k] = shape;
    const auto integer    = [this] { return static_cast<double>(this->random_() % 64) - 32; };
    for (const TileShape& tile : Family::tiles())
      for (const Op op_a : {Op::none, Op::transpose})
        for (const Op op_b : {Op::none, Op::transpose})
          for (const int split_k : {1, 3}) {
            const Values A = op_a == Op::none ? filled(m, k, integer) : filled(k, m, integer);
            const Values B = op_b == Op::none ? filled(k, n, integer) : filled(n, k, integer);
            const Values C = filled(m, n, [] { return NAN; });
            gemm(Space(), A, B, C, {},
                 {.op_a = op_a, .op_b = op_b, .compute = Compute::tf32, .plan = {Family::name, tile, 0, split_k}});
            const HostMatrix expected =
                reference_product(1, apply(op_a, values_of(A)), apply(op_b, values_of(B))).value;
            const HostMatrix values = values_of(C);
            for (std::size_t e = 0; e < values.values.size(); ++e)
              ASSERT_EQ(values.values[e], expected.values[e])
                  << "element " << e << ", tile " << text(tile) << ", split " << split_k;
          }
  }

  /// Rounding to nearest makes errors that cancel; cutting off would make every product of positive numbers too small.
  void factors_are_rounded_to_nearest() {
    const auto number    = [this] { return uniform(this->random_, 0, 1); };
    const std::int64_t m = 130, n = 70, k = 600;
    for (const Op op_a : {Op::none, Op::transpose})
      for (const Op op_b : {Op::none, Op::transpose}) {
        const Values A = op_a == Op::none ? filled(m, k, number) : filled(k, m, number),
                     B = op_b == Op::none ? filled(k, n, number) : filled(n, k, number);
        const Values C = filled(m, n, [] { return NAN; });
        gemm(Space(), A, B, C, {},
             {.op_a = op_a, .op_b = op_b, .compute = Compute::tf32, .plan = {.family = Family::name}});
        const HostMatrix expected = reference_product(1, apply(op_a, values_of(A)), apply(op_b, values_of(B))).value;
        const HostMatrix values   = values_of(C);
        for (std::size_t e = 0; e < values.values.size(); ++e)
          ASSERT_NEAR(values.values[e] / expected.values[e], 1, 0x1p-13) << "element " << e;
      }
  }

  /// NaN as hosts have it, and as devices: rounding must not carry into the sign.
  void inf_and_nan_propagate() {
    const std::int64_t n = 128, k = 64;
    Values A("A", n, k), B("B", k, n), C("C", n, n);
    const auto host = Kokkos::create_mirror_view(A);
    host(3, 5) = INFINITY, host(4, 6) = NAN;
    host(6, 6) = std::bit_cast<float>(0x7FFFFFFFu), host(7, 6) = std::bit_cast<float>(0xFFFFFFFFu);
    Kokkos::deep_copy(A, host);
    Kokkos::deep_copy(B, 1.0f);
    gemm(Space(), A, B, C, {}, this->options_with({.family = Family::name}));
    const HostMatrix values = values_of(C);
    EXPECT_EQ(values(3, 7), INFINITY);
    for (const int row : {4, 6, 7}) EXPECT_TRUE(std::isnan(values(row, 7))) << "row " << row;
    EXPECT_EQ(values(5, 7), 0);
  }
};

}  // namespace Tegula::Test

#endif
