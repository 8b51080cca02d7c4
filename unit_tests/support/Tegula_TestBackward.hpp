// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_BACKWARD_HPP
#define TEGULA_TEST_BACKWARD_HPP

#include "Tegula_TestReference.hpp"

namespace Tegula::Test {

/// dZ = dC act'(saved), element by element.
template <class ActivationType>
HostMatrix reference_dZ(const HostMatrix& dC, const HostMatrix& saved, const ActivationType& act) {
  HostMatrix dZ = dC;
  for (std::size_t e = 0; e < dZ.values.size(); ++e) dZ.values[e] *= act.derivative(saved.values[e]);
  return dZ;
}

/// The gradients that gemm_backward is to return for op(A), op(B), and the bias.
struct ReferenceGradients {
  Reference dA, dB, dbias;
};

inline ReferenceGradients reference_gradients(const HostMatrix& dZ, const HostMatrix& op_a, const HostMatrix& op_b,
                                              double alpha) {
  return {reference_product(alpha, dZ, transposed(op_b)), reference_product(alpha, transposed(op_a), dZ),
          reference_column_sums(dZ)};
}

/// act' is a few roundings of the accumulator off, which each product dC act' brings into the sums.
template <class Scalar>
testing::AssertionResult matches_gradient(const HostMatrix& actual, Reference expected) {
  constexpr double derivative_roundings = 3;
  for (double& gauge : expected.gauge.values) gauge *= derivative_roundings;
  return matches<Scalar>(actual, expected);
}

}  // namespace Tegula::Test

#endif
