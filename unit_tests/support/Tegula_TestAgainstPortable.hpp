// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_AGAINST_PORTABLE_HPP
#define TEGULA_TEST_AGAINST_PORTABLE_HPP

#include <cstring>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestReference.hpp"
#include "Tegula_TestStridedMatrix.hpp"

/// What the property tests of kernel families share: calls are drawn, run by the family and by the portable one, and
/// compared. Only the order of the sums may differ.

namespace Tegula::Test {

/// The base of a fixture: what is drawn alike for every family.
class AgainstPortable : public testing::Test {
 protected:
  Op draw_op() { return random_() % 2 == 0 ? Op::none : Op::transpose; }
  // 1, which leaves sums as they are, about every other time, and sometimes 0, for which operands are not read.
  double draw_factor() {
    const auto kind = random_() % 10;
    return kind < 5 ? 1 : kind == 5 ? 0 : uniform(random_, -2, 2);
  }

  GemmOptions draw_gemm_options(const PlanOptions& plan) {
    return {.op_a  = draw_op(),
            .op_b  = draw_op(),
            .alpha = draw_factor(),
            .beta  = random_() % 2 == 0 ? 0 : draw_factor(),
            .plan  = plan};
  }

  Update draw_update() { return random_() % 2 == 0 ? Update::overwrite : Update::accumulate; }

  GemmBackwardOptions draw_backward_options(const PlanOptions& plan) {
    return {.op_a  = draw_op(),
            .op_b  = draw_op(),
            .alpha = draw_factor(),
            .dA    = draw_update(),
            .dB    = draw_update(),
            .dbias = draw_update(),
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

  int number;  // chooses the epilogue: none but the activation, a bias, a bias and Z, Z alone
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

  /// What errors of sums are relative to. It is the same for all trials with these operands and factors.
  HostMatrix gauge() const {
    HostMatrix sums =
        reference_product(options.alpha, apply(options.op_a, A.values()), apply(options.op_b, B.values())).gauge;
    for (double& value : sums.values) value += 2 * std::abs(options.beta) + 1;
    return sums;
  }

  /// Whether both agree within `factor` times the errors that the contract allows each of two correct sums, twice that
  /// after the activation, and whether nothing else was written.
  testing::AssertionResult agrees(double factor) const { return agrees(factor, gauge()); }
  testing::AssertionResult agrees(double factor, const HostMatrix& gauge) const {
    const auto compare_with = [&](const Matrix<Output>& actual, const Matrix<Output>& reference, double allowance) {
      const HostMatrix values = reference.values();
      return compare(actual.values(), values, twice_allowed<Output>(values, gauge, allowance));
    };
    const auto failure = [&] { return testing::AssertionFailure() << text_of(shape, options, number) << ": "; };
    if (const auto same = compare_with(C, expected, 2 * factor); !same) return failure() << "C, " << same.message();
    if (!C.surroundings_untouched() || !Z.surroundings_untouched()) return failure() << "surroundings were written to";
    if (!has_Z()) return testing::AssertionSuccess();
    if (const auto same = compare_with(Z, expected_Z, factor); !same) return failure() << "Z, " << same.message();
    return testing::AssertionSuccess();
  }

  bool has_Z() const { return number % 4 >= 2; }
  bool has_bias() const { return number % 4 == 1 || number % 4 == 2; }

 private:
  template <class ActivationType>
  void run(const GemmOptions& run_options, const Matrix<Output>& c, const Matrix<Output>& z,
           const ActivationType& activation) const {
    const auto call = [&](const auto& epilogue) { gemm(Space(), A.view(), B.view(), c.view(), epilogue, run_options); };
    if (has_Z() && has_bias()) return call(Epilogue(activation, bias.row(), z.view()));
    if (has_Z()) return call(Epilogue(activation, none, z.view()));
    if (has_bias()) return call(Epilogue(activation, bias.row()));
    call(Epilogue(activation));
  }
};

/// Bit by bit, NaN included.
inline bool are_same(const HostMatrix& first, const HostMatrix& second) {
  return std::memcmp(first.values.data(), second.values.data(), first.values.size() * sizeof(double)) == 0;
}

/// One drawn call of gemm_backward, and its results by both families.
template <class Space, class Input, class Output, class Bias>
struct BackwardTrial {
  template <class Scalar>
  using Matrix = StridedMatrix<typename Space::memory_space, Scalar>;

  int number;  // chooses the gradients that are wanted: all three, or some
  GemmShape shape;
  GemmBackwardOptions options;
  Matrix<Input> A, B, dC, saved;
  Matrix<Output> dA, dB;
  Matrix<Bias> dbias;
  Matrix<Output> expected_dA = dA, expected_dB = dB;
  Matrix<Bias> expected_dbias = dbias;
  HostMatrix before_dA = dA.values(), before_dB = dB.values(), before_dbias = dbias.values();

  /// Calls observe(plan) with the plan of the family that options name.
  template <class ActivationType, class Observe>
  void run(const ActivationType& activation, const Observe& observe) const {
    run(options, dA, dB, dbias, activation, observe);
    run(portable(options), expected_dA, expected_dB, expected_dbias, activation, [](const Plan&) {});
  }

  /// What errors of sums are relative to, for |act'| <= 1.
  struct Gauges {
    HostMatrix dA, dB, dbias;
  };
  Gauges gauges() const {
    const HostMatrix a = apply(options.op_a, A.values()), b = apply(options.op_b, B.values());
    return {apply(options.op_a, reference_product(options.alpha, dC.values(), transposed(b)).gauge),
            apply(options.op_b, reference_product(options.alpha, transposed(a), dC.values()).gauge),
            reference_column_sums(dC.values()).gauge};
  }

  /// As GemmTrial::agrees. `dZ_error` is what each dZ may err by, relatively.
  testing::AssertionResult agrees(double factor, double dZ_error) const { return agrees(factor, dZ_error, gauges()); }
  testing::AssertionResult agrees(double factor, double dZ_error, const Gauges& gauges) const {
    const auto failed = [&](const testing::AssertionResult& result, const char* which) {
      return testing::AssertionFailure() << which << ' ' << text_of(shape, options, number) << ": " << result.message();
    };
    if (const auto same = agree(wants_dA(), before_dA, dA, expected_dA, gauges.dA, factor, dZ_error); !same)
      return failed(same, "dA");
    if (const auto same = agree(wants_dB(), before_dB, dB, expected_dB, gauges.dB, factor, dZ_error); !same)
      return failed(same, "dB");
    if (const auto same = agree(wants_dbias(), before_dbias, dbias, expected_dbias, gauges.dbias, 1, 0); !same)
      return failed(same, "dbias");
    return testing::AssertionSuccess();
  }

  bool wants_dA() const { return number % 5 != 1 && number % 5 != 2; }
  bool wants_dB() const { return number % 5 != 0 && number % 5 != 2; }
  bool wants_dbias() const { return number % 5 != 0; }

 private:
  template <class ActivationType, class Observe>
  void run(const GemmBackwardOptions& o, const Matrix<Output>& da, const Matrix<Output>& db, const Matrix<Bias>& bias,
           const ActivationType& activation, const Observe& observe) const {
    const auto call = [&](const auto& a_view, const auto& b_view, const auto& bias_view) {
      const auto named = saved_in(saved.view(), activation);
      observe(make_plan(Space(), dC.view(), A.view(), B.view(), named, a_view, b_view, bias_view, activation, o));
      gemm_backward(Space(), dC.view(), A.view(), B.view(), named, a_view, b_view, bias_view, activation, o);
    };
    if (!wants_dB() && !wants_dbias()) return call(da.view(), none, none);
    if (!wants_dA() && wants_dB()) return call(none, db.view(), bias.row());
    if (!wants_dA()) return call(none, none, bias.row());
    call(da.view(), db.view(), bias.row());
  }

  // What is not wanted must be as before; a gradient that is added to lies within 1.
  template <class Scalar>
  static testing::AssertionResult agree(bool wanted, const HostMatrix& before, const Matrix<Scalar>& actual,
                                        const Matrix<Scalar>& expected, HostMatrix gauge, double factor,
                                        double dZ_error) {
    if (!actual.surroundings_untouched()) return testing::AssertionFailure() << "surroundings were written to";
    if (!wanted) {
      if (are_same(actual.values(), before)) return testing::AssertionSuccess();
      return testing::AssertionFailure() << "was written to";
    }
    for (double& value : gauge.values) value += 1;
    const HostMatrix reference = expected.values();
    HostMatrix allowed         = twice_allowed<Scalar>(reference, gauge, 3 * factor);
    for (std::size_t e = 0; e < allowed.values.size(); ++e) allowed.values[e] += dZ_error * gauge.values[e];
    return compare(actual.values(), reference, allowed);
  }
};

}  // namespace Tegula::Test

#endif
