// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTPUT_SLOPE_HPP
#define TEGULA_OUTPUT_SLOPE_HPP

#include "Tegula_Call.hpp"

/// Derivatives that kernels form while they read dC, without calling anything.

namespace Tegula::Impl {

/// act' as a function of y = act(z), for activations whose derivative is a few operations on it: (1 - y)(shift + y), or
/// 1 where y > 0 and a constant elsewhere. Nothing is called, which would cost registers.
template <class Sum>
struct OutputSlope {
  bool is_one    = true;   // and y is not read
  bool is_curved = false;  // or a step
  Sum number     = 0;      // shift, or the constant

  TEGULA_HOST_DEVICE Sum curve(Sum y) const { return (Sum(1) - y) * (number + y); }
  TEGULA_HOST_DEVICE Sum step(Sum y) const {
    const Sum other = y <= 0 ? number : y;  // NaN stays; without a branch
    return y > 0 ? Sum(1) : other;
  }
  /// Whether pairs of 16 bits have slopes of their own (ptx::relu_slopes).
  TEGULA_HOST_DEVICE bool is_relu() const { return !is_one && !is_curved && number == 0; }
  TEGULA_HOST_DEVICE Sum operator()(Sum y) const { return is_curved ? curve(y) : step(y); }
};

/// Of a layer whose activation is one of OutputActivations.
template <class Sum>
OutputSlope<Sum> output_slope(const CallActivation& layer) {
  const ActivationChoice& choice = layer.activation;
  if (layer.has_constant_slope) return {true, false, 0};
  if (is_activation<Tanh>(choice)) return {false, true, 1};
  if (is_activation<Sigmoid>(choice)) return {false, true, 0};
  return {false, false, static_cast<Sum>(is_activation<LeakyRelu>(choice) ? choice.slope : 0)};
}

}  // namespace Tegula::Impl

#endif
