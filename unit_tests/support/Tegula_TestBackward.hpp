// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_BACKWARD_HPP
#define TEGULA_TEST_BACKWARD_HPP

#include "Tegula_TestReference.hpp"

namespace Tegula::Test {

/// act'(saved) with all the digits of double. Where act' has a root and is a difference near it, it is written anew, in
/// long double.
template <class ActivationType>
double exact_derivative(const ActivationType& act, double saved) {
  return act.derivative(saved);
}
inline double exact_derivative(const Silu&, double saved) {
  const long double z = saved;
  const long double s = 1 / (1 + std::exp(-z));
  return static_cast<double>(s + z * s / (1 + std::exp(z)));
}
inline double exact_derivative(const GeluTanh&, double saved) {
  const long double z     = saved;
  const long double scale = std::sqrt(2 / std::acos(-1.0L)), cubic = 0.044715L;
  const long double t = std::tanh(scale * (z + cubic * z * z * z)), slope = scale * (1 + 3 * cubic * z * z);
  return static_cast<double>((1 + t + z * (1 - t) * (1 + t) * slope) / 2);
}
inline double exact_derivative(const GeluErf&, double saved) {
  const long double z       = saved;
  const long double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0L));
  return static_cast<double>(std::erfc(-z / std::sqrt(2.0L)) / 2 + z * density);
}

/// Whether act' errs by a few roundings of itself. Derivatives that are differences err by a few roundings of 1.
template <class F>
inline constexpr bool derivative_is_exact =
    std::is_same_v<F, Identity> || std::is_same_v<F, Relu> || std::is_same_v<F, LeakyRelu> || std::is_same_v<F, Tanh> ||
    std::is_same_v<F, Sigmoid>;

/// dZ = dC act'(saved), element by element. Its gauge is |dZ|, plus |dC| unless the derivative is exact.
template <class ActivationType>
Reference reference_dZ(const HostMatrix& dC, const HostMatrix& saved, const ActivationType& act) {
  Reference dZ{dC, dC};
  for (std::size_t e = 0; e < dC.values.size(); ++e) {
    dZ.value.values[e] *= exact_derivative(act, saved.values[e]);
    dZ.gauge.values[e] =
        std::abs(dZ.value.values[e]) + (derivative_is_exact<ActivationType> ? 0 : std::abs(dC.values[e]));
  }
  return dZ;
}

/// The gradients that gemm_backward is to return for op(A), op(B), and the bias. Their gauges are those of the
/// contract: |alpha| gauge(dZ) |op(B)|^T and so on.
struct ReferenceGradients {
  Reference dA, dB, dbias;
};

ReferenceGradients reference_gradients(const Reference& dZ, const HostMatrix& op_a, const HostMatrix& op_b,
                                       double alpha);

}  // namespace Tegula::Test

#endif
