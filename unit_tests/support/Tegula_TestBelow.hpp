// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_BELOW_HPP
#define TEGULA_TEST_BELOW_HPP

#include <string>

#include "Tegula_TestGradientCalls.hpp"

/// Calls of gemm_backward with a layer below, for every execution space, layout and scalar.

namespace Tegula::Test {

/// What is left out of such a call.
struct LeftOut {
  bool dB = false, dbias = false, dbias_below = false;
};

/// A fixture: compares dZ and dbias of the layer below with references, beside the other gradients.
template <class C>
class BelowTest : public GradientTest<C> {
 protected:
  using Base = GradientTest<C>;
  using typename Base::Matrix, typename Base::Scalar, typename Base::Space;

  template <class ActivationType, class BelowType>
  void expect_below(const GemmShape& shape, const ActivationType& act, const BelowType& below,
                    const GemmBackwardOptions& options, const LeftOut& left_out = {}) {
    const auto run = [&](const auto& dB, const auto& dbias, const auto& dbias_below) {
      expect(shape, act, below, options, left_out, dB, dbias, dbias_below);
    };
    const auto a_view = [](const Matrix& m) { return m.view(); };
    const auto a_row  = [](const Matrix& m) { return m.row(); };
    const auto nobody = [](const Matrix&) { return none; };
    if (!left_out.dB && !left_out.dbias && !left_out.dbias_below) return run(a_view, a_row, a_row);
    if (!left_out.dB && !left_out.dbias) return run(a_view, a_row, nobody);
    if (left_out.dbias_below) return run(nobody, nobody, nobody);
    run(nobody, nobody, a_row);
  }

  bool below_saved_A_ = false;  // the layer below saved its output, which is A, and not some other matrix

  int fused_ = 0;  // calls whose products' kernels formed dZ of the layer below

 private:
  template <class ActivationType, class BelowType, class DB, class DBias, class DBiasBelow>
  void expect(const GemmShape& shape, const ActivationType& act, const BelowType& below,
              const GemmBackwardOptions& options, const LeftOut& left_out, const DB& dB_of, const DBias& dbias_of,
              const DBiasBelow& dbias_below_of) {
    const Impl::Extents a = this->stored(options.op_a, shape.m, shape.k);
    const Impl::Extents b = this->stored(options.op_b, shape.k, shape.n);
    const Matrix A = this->random_device(a), B = this->random_device(b), dC = this->random_device({shape.m, shape.n});
    const Matrix saved       = this->random_device({shape.m, shape.n});
    const Matrix saved_below = below_saved_A_ ? A : this->random_device(a);
    const Matrix dA = this->output(a, options.dA), dB = this->output(b, options.dB);
    const Matrix dbias       = this->output({1, shape.n}, options.dbias);
    const Matrix dbias_below = this->output({1, shape.k}, options.dbias_below);

    const HostMatrix op_a = apply(options.op_a, A.values()), op_b = apply(options.op_b, B.values());
    auto expected = reference_gradients(reference_dZ(dC.values(), saved.values(), act), op_a, op_b, options.alpha);
    if (options.dA == Update::accumulate) add(expected.dA, 1, apply(options.op_a, dA.values()));
    if (options.dB == Update::accumulate) add(expected.dB, 1, apply(options.op_b, dB.values()));
    if (options.dbias == Update::accumulate) add(expected.dbias, 1, dbias.values());

    const auto call = [&](const auto& function) {
      return function(Space(), dC.const_view(), A.const_view(), B.const_view(), saved_in(saved.const_view(), act),
                      Below(dA.view(), below, saved_in(saved_below.const_view(), below), dbias_below_of(dbias_below)),
                      dB_of(dB), dbias_of(dbias), act, options);
    };
    const Plan plan = call([](const auto&... arguments) { return make_plan(arguments...); });
    fused_ += plan.products[0].forms_dZ_below;
    const HostMatrix dbias_before = dbias_below.values();
    call([](const auto&... arguments) { gemm_backward(arguments...); });

    // Tensor cores take a dZ of 16 bits, which a pass stores so, or narrow forms on the way, exact where act' is 0
    // or 1.
    constexpr bool is_exact          = std::is_same_v<ActivationType, Identity> || std::is_same_v<ActivationType, Relu>;
    const bool is_rounded_on_the_way = !is_exact && plan.products[0].family == std::string("narrow");
    if ((plan.gradient.stores_dZ || is_rounded_on_the_way) && sizeof(Scalar) == 2) {
      allow_rounded_dZ<Scalar>(expected.dA);
      allow_rounded_dZ<Scalar>(expected.dB);
    }
    const Reference dZ =
        dZ_below(expected.dA, apply(options.op_a, saved_below.values()), below, plan.below.is_in_place);
    Reference sums = sums_of(dZ);
    if (options.dbias_below == Update::accumulate) add(sums, 1, dbias_before);
    const auto what = [&] {
      return testing::Message() << shape.m << 'x' << shape.n << 'x' << shape.k << ' ' << act.name << " below "
                                << below.name << " ops " << static_cast<int>(options.op_a)
                                << static_cast<int>(options.op_b) << '\n'
                                << plan.text();
    };
    const auto check = [&](const Matrix& actual, const Reference& reference, Op op, bool is_left_out) {
      if (is_left_out) {
        ASSERT_TRUE(actual.untouched()) << what();
        return;
      }
      ASSERT_TRUE(matches<Scalar>(apply(op, actual.values()), reference)) << what();
      ASSERT_TRUE(actual.surroundings_untouched()) << what();
    };
    check(dA, dZ, options.op_a, false);
    check(dB, expected.dB, options.op_b, left_out.dB);
    check(dbias, expected.dbias, Op::none, left_out.dbias);
    check(dbias_below, sums, Op::none, left_out.dbias_below);
    ASSERT_TRUE(A.untouched() && B.untouched() && dC.untouched() && saved.untouched() && saved_below.untouched())
        << what();
  }

  // Gauges are in multiples of the errors of sums, 8 u.
  static constexpr double rounded =
      ScalarTraits<Scalar>::unit_roundoff / native_error_constant / ScalarTraits<accumulator_t<Scalar>>::unit_roundoff;

  template <class BelowType>
  static Reference dZ_below(const Reference& dA, const HostMatrix& saved, const BelowType& below, bool waited) {
    Reference dZ = dA;
    for (std::size_t e = 0; e < dZ.value.values.size(); ++e) {
      const double slope = exact_derivative(below, saved.values[e]), value = dA.value.values[e];
      dZ.value.values[e] = slope * value;
      dZ.gauge.values[e] *= std::abs(slope);
      if (waited) dZ.gauge.values[e] += 2 * rounded * std::abs(slope * value);
      // One more rounding, and those of the derivative.
      dZ.gauge.values[e] += std::abs(slope * value) + (derivative_is_exact<BelowType> ? 0 : std::abs(value));
    }
    return dZ;
  }

  // Of what was stored, as far as a test knows.
  static Reference sums_of(const Reference& dZ) {
    Reference sums = reference_column_sums(dZ.value);
    for (double& gauge : sums.gauge.values) gauge *= 1 + 2 * rounded;
    const Reference errors = reference_column_sums(dZ.gauge);
    for (std::size_t e = 0; e < sums.gauge.values.size(); ++e) sums.gauge.values[e] += errors.value.values[e];
    return sums;
  }
};

}  // namespace Tegula::Test

#endif
