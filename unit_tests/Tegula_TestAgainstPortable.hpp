// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_AGAINST_PORTABLE_HPP
#define TEGULA_TEST_AGAINST_PORTABLE_HPP

#include "Tegula_TestReference.hpp"
#include "Tegula_TestStridedMatrix.hpp"

/// What the property tests of kernel families share: calls are drawn, run by the family and by the portable one, and
/// compared. Only the order of the sums may differ.

namespace Tegula::Test {

/// The base of a fixture: what is drawn alike for every family.
class AgainstPortable : public testing::Test {
 protected:
  Op draw_op() { return random_() % 2 == 0 ? Op::none : Op::transpose; }
  // 1, which leaves sums as they are, about every other time.
  double draw_factor() { return random_() % 2 == 0 ? 1 : uniform(random_, -2, 2); }

  GemmOptions draw_gemm_options(const PlanOptions& plan) {
    return {.op_a  = draw_op(),
            .op_b  = draw_op(),
            .alpha = draw_factor(),
            .beta  = random_() % 2 == 0 ? 0 : draw_factor(),
            .plan  = plan};
  }

  Random random_ = make_random();
};

/// The same options for the portable family.
template <class Options>
Options portable(Options options) {
  options.plan = {.family = "portable"};
  return options;
}

inline std::string text_of(const GemmShape& shape) {
  return std::to_string(shape.m) + 'x' + std::to_string(shape.n) + 'x' + std::to_string(shape.k);
}

/// A trial in a message.
template <class Options>
std::string text_of(const GemmShape& shape, const Options& options, int trial) {
  return text_of(shape) + " tile " + text(options.plan.tile) + " split " + std::to_string(options.plan.split_k) +
         " trial " + std::to_string(trial);
}

/// One drawn call of gemm, and its results by both families.
template <class Space, class Input, class Output, class Bias>
struct GemmTrial {
  template <class Scalar>
  using Matrix = StridedMatrix<typename Space::memory_space, Scalar>;

  int number;  // chooses the epilogue: none but the activation, a bias, a bias and Z
  GemmShape shape;
  GemmOptions options;
  Matrix<Input> A, B;
  Matrix<Bias> bias;
  Matrix<Output> C, Z;
  Matrix<Output> expected = C, expected_Z = Z;

  template <class ActivationType>
  void run(const ActivationType& activation) const {
    run(options, C, Z, activation);
    run(portable(options), expected, expected_Z, activation);
  }

  /// Whether both agree within `factor` times the errors that the contract allows each of two correct sums, twice that
  /// after the activation, and whether nothing else was written.
  testing::AssertionResult agrees(double factor) const {
    Reference gauge =
        reference_product(options.alpha, apply(options.op_a, A.values()), apply(options.op_b, B.values()));
    for (double& value : gauge.gauge.values) value += 2 * std::abs(options.beta) + 1;
    const auto compare_with = [&](const Matrix<Output>& actual, const Matrix<Output>& reference, double allowance) {
      const HostMatrix values = reference.values();
      return compare(actual.values(), values, twice_allowed<Output>(values, gauge.gauge, allowance));
    };
    const auto failure = [&] { return testing::AssertionFailure() << text_of(shape, options, number) << ": "; };
    if (const auto same = compare_with(C, expected, 2 * factor); !same) return failure() << "C, " << same.message();
    if (!C.surroundings_untouched() || !Z.surroundings_untouched()) return failure() << "surroundings were written to";
    if (!has_Z()) return testing::AssertionSuccess();
    if (const auto same = compare_with(Z, expected_Z, factor); !same) return failure() << "Z, " << same.message();
    return testing::AssertionSuccess();
  }

 private:
  bool has_Z() const { return number % 3 == 2; }

  template <class ActivationType>
  void run(const GemmOptions& run_options, const Matrix<Output>& c, const Matrix<Output>& z,
           const ActivationType& activation) const {
    const auto call = [&](const auto& epilogue) { gemm(Space(), A.view(), B.view(), c.view(), epilogue, run_options); };
    if (has_Z()) return call(Epilogue(activation, bias.row(), z.view()));
    if (number % 3 == 1) return call(Epilogue(activation, bias.row()));
    call(Epilogue(activation));
  }
};

}  // namespace Tegula::Test

#endif
