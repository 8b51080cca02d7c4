// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_ROUNDING_HPP
#define TEGULA_TEST_ROUNDING_HPP

#include "Tegula_TestReference.hpp"
#include "Tegula_TestStridedMatrix.hpp"

/// Results of 16 bits are rounded to nearest, ties to even. Operands are small integers, whose sums are exact in float
/// whatever their order is, so every result is known to the last bit.

namespace Tegula::Test {

/// Draws calls of one family, which take every way to store a result: strides and alignments, transposes, splits,
/// epilogues.
template <class Space, class Scalar>
class RoundingTrial {
 public:
  RoundingTrial(Random& random, const char* family) : random_(random), family_(family) {}

  void expect_gemm() {
    const Op op_a = draw_op(), op_b = draw_op();
    const Matrix A = stored(op_a, m_, k_), B = stored(op_b, k_, n_), bias = integers(1, n_), C = integers(m_, n_);
    const Matrix Z(random_, m_, n_, true, alignment_);
    const GemmOptions options{.op_a = op_a, .op_b = op_b, .beta = double(random_() % 2), .plan = draw_plan()};
    Reference sums = reference_product(1, apply(op_a, A.values()), apply(op_b, B.values()));
    if (options.beta != 0) add(sums, options.beta, C.values());
    add_row(sums, bias.values());
    const auto call = [&](const auto& activation) {
      gemm(Space(), A.view(), B.view(), C.view(), Epilogue(activation, bias.row(), Z.view()), options);
      EXPECT_TRUE(is_nearest(Z.values(), sums.value)) << "Z";
      for (double& value : sums.value.values) value = activation(value);
      EXPECT_TRUE(is_nearest(C.values(), sums.value)) << "C";
    };
    random_() % 2 == 0 ? call(Identity()) : call(Relu());
  }

  void expect_backward() {
    const Matrix A = integers(m_, k_), B = integers(k_, n_), dC = integers(m_, n_);
    const Matrix dA = integers(m_, k_), dB = integers(k_, n_), dbias = integers(1, n_);
    const Update update      = random_() % 2 == 0 ? Update::overwrite : Update::accumulate;
    Reference expected_dA    = reference_product(1, dC.values(), transposed(B.values())),
              expected_dB    = reference_product(1, transposed(A.values()), dC.values()),
              expected_dbias = reference_column_sums(dC.values());
    if (update == Update::accumulate) {
      add(expected_dA, 1, dA.values());
      add(expected_dB, 1, dB.values());
      add(expected_dbias, 1, dbias.values());
    }
    gemm_backward(Space(), dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row(), Identity(),
                  {.dA = update, .dB = update, .dbias = update, .plan = draw_plan()});
    EXPECT_TRUE(is_nearest(dA.values(), expected_dA.value)) << "dA";
    EXPECT_TRUE(is_nearest(dB.values(), expected_dB.value)) << "dB";
    EXPECT_TRUE(is_nearest(dbias.values(), expected_dbias.value)) << "dbias";
  }

  // Where B is the identity, dA is dZ, which some kernels round before they multiply it.
  void expect_dZ() {
    const LeakyRelu activation(0.3);
    Matrix B = integers(n_, n_), dC = integers(m_, n_), saved = integers(m_, n_), dA = integers(m_, n_);
    dC.redraw(random_);
    std::int64_t element = 0;
    B.set([&] { return element++ % (n_ + 1) == 0 ? 1 : 0; });
    HostMatrix dZ           = dC.values();
    const HostMatrix before = saved.values();
    for (std::size_t e = 0; e < dZ.values.size(); ++e)
      dZ.values[e] = static_cast<float>(dZ.values[e]) * activation.derivative(static_cast<float>(before.values[e]));
    gemm_backward(Space(), dC.view(), A_of(B), B.view(), Output(saved.view()), dA.view(), none, none, activation,
                  {.plan = {.family = family_}});
    EXPECT_TRUE(is_nearest(dA.values(), dZ)) << "dZ";
  }

 private:
  using Matrix = StridedMatrix<typename Space::memory_space, Scalar>;

  // A View that is never read, since dB is not wanted.
  auto A_of(const Matrix& B) const {
    return Kokkos::View<const Scalar**, Kokkos::LayoutStride, typename Space::memory_space>(
        B.view().data(), Kokkos::LayoutStride(static_cast<std::size_t>(m_), 0, static_cast<std::size_t>(n_), 0));
  }

  Op draw_op() { return random_() % 2 == 0 ? Op::none : Op::transpose; }
  PlanOptions draw_plan() { return {.family = family_, .split_k = random_() % 2 == 0 ? 0 : 3}; }

  Matrix integers(std::int64_t rows, std::int64_t columns) {
    const Matrix matrix(random_, rows, columns, false, alignment_);
    matrix.set([&] { return static_cast<double>(random_() % 63) - 31; });
    return matrix;
  }
  Matrix stored(Op op, std::int64_t rows, std::int64_t columns) {
    return op == Op::none ? integers(rows, columns) : integers(columns, rows);
  }

  static testing::AssertionResult is_nearest(const HostMatrix& actual, HostMatrix expected) {
    for (double& value : expected.values) value = nearest<Scalar>(value);
    return compare(actual, expected, HostMatrix(actual.rows, actual.columns, 0));
  }

  Random& random_;
  const char* family_;
  // Sums reach several thousand, so that there is something to round.
  std::int64_t m_ = 1 + static_cast<std::int64_t>(random_() % 96), n_ = 1 + static_cast<std::int64_t>(random_() % 160),
               k_ = 200 + static_cast<std::int64_t>(random_() % 200), alignment_ = random_() % 2 == 0 ? 1 : 8;
};

template <class Space, class Scalar>
void results_are_rounded_to_nearest(Random& random, const char* family, int trials) {
  for (int trial = 0; trial < trials && !testing::Test::HasFailure(); ++trial) {
    RoundingTrial<Space, Scalar> drawn(random, family);
    drawn.expect_gemm();
    drawn.expect_backward();
    drawn.expect_dZ();
    EXPECT_FALSE(testing::Test::HasFailure()) << family << " trial " << trial;
  }
}

}  // namespace Tegula::Test

#endif
