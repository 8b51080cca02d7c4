// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ACTIVATION_HPP
#define TEGULA_ACTIVATION_HPP

#include <concepts>
#include <limits>
#include <stdexcept>
#include <string>

#include "Tegula_Math.hpp"

namespace Tegula {

/// What the backward pass needs of the forward pass to form act'(z).
enum class Saved {
  nothing,        ///< the derivative is a constant
  output,         ///< the derivative follows from y = act(z): the C that gemm wrote
  pre_activation  ///< the derivative needs z: the pre-activation that gemm stored
};

/// An activation is a functor with
///   T operator()(T z) const        act(z)
///   T derivative(T saved) const    act'(z), from what `saved` names; only gemm_backward calls it
///   static constexpr Saved saved
///   static constexpr const char* name     for labels
/// both callable in a kernel (KOKKOS_FUNCTION), for T the accumulator's type (float or double). A compiler vectorises a
/// loop over an activation that has no branch and no call; so these are written with the functions of Tegula_Math.hpp.
///
/// One of a user's own costs an elementwise pass on GPUs of NVIDIA, unless CMake's tegula_add_activation compiles it
/// into the kernels of gemm (Tegula_CompiledActivation.hpp), and needs Tegula_OwnTypes.hpp on other GPUs.
template <class F, class T>
concept Activation = std::copyable<F> && requires(const F f, T z) {
  { f(z) } -> std::convertible_to<T>;
  { F::saved } -> std::convertible_to<Saved>;
  { F::name } -> std::convertible_to<const char*>;
};

template <class F, class T>
concept DifferentiableActivation = Activation<F, T> && requires(const F f, T saved) {
  { f.derivative(saved) } -> std::convertible_to<T>;
};

namespace Impl {

// Where |z| is at least this, act(z) and act'(z) are their limits. Formulas in which an infinite z would meet a zero
// clamp z to it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T saturation() {
  if constexpr (has_many_numbers<T>) {
    return T(saturation<typename MathConstants<T>::Scalar>());
  } else {
    return T(sizeof(T) == sizeof(double) ? std::numeric_limits<double>::max_exponent
                                         : std::numeric_limits<float>::max_exponent);
  }
}

}  // namespace Impl

/// act(z) = z
struct Identity {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "identity";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return z;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T) const {
    return T(1);
  }
};

/// act(z) = max(z, 0); act'(0) = 0; NaN stays NaN.
struct Relu {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "relu";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::clamp_below(z, T(0)) + T(0);  // -0 + 0 = 0
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T y) const {
    const T flat = Impl::select_greater(T(1), y, T(0), y);  // not for NaN
    return Impl::select_greater(y, T(0), T(1), flat);
  }
};

/// act(z) = z for z > 0, slope z otherwise; act'(0) = slope.
/// The output shows on which side z was only if slope >= 0: a negative slope throws std::invalid_argument.
struct LeakyRelu {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "leaky_relu";

  explicit LeakyRelu(double slope_ = 0.01) : slope(slope_) {
    if (!(slope_ >= 0))
      throw std::invalid_argument("Tegula::LeakyRelu: slope is " + std::to_string(slope_) + ", not >= 0");
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::select_greater(z, T(0), z, T(slope) * z);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T y) const {
    const T gentle = Impl::select_greater(T(1), y, T(slope), y);  // not for NaN
    return Impl::select_greater(y, T(0), T(1), gentle);
  }

  double slope;
};

/// act(z) = tanh z; act' = 1 - y^2.
struct Tanh {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "tanh";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::tanh(z);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T y) const {
    return (T(1) - y) * (T(1) + y);
  }
};

/// act(z) = 1 / (1 + exp(-z)); act' = y (1 - y).
struct Sigmoid {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "sigmoid";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::sigmoid(z);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T y) const {
    return y * (T(1) - y);
  }
};

/// act(z) = z s, with s = 1 / (1 + exp(-z)); act' = s (1 + z (1 - s)).
struct Silu {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "silu";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::times_sigmoid(Impl::clamp_below(z, -Impl::saturation<T>()), z);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T z) const {
    const auto [s, rest] = Impl::sigmoid_pair(z);
    return s * (T(1) + Impl::clamp_both(z, Impl::saturation<T>()) * rest);
  }
};

/// act(z) = z (1 + tanh(u)) / 2 = z s, with u = sqrt(2 / pi) (z + 0.044715 z^3) and s = 1 / (1 + exp(-2 u));
/// act' = s + z s (1 - s) 2 u'.  Hendrycks and Gimpel, arXiv:1606.08415.
struct GeluTanh {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "gelu_tanh";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::times_sigmoid(Impl::clamp_below(z, -Impl::saturation<T>()), two_u(z));
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T z) const {
    const T a            = Impl::clamp_both(z, Impl::saturation<T>());
    const auto [s, rest] = Impl::sigmoid_pair(two_u(a));
    const T slope        = T(scale) + T(3 * scale * cubic) * (a * a);
    return s + (a * s) * (rest * slope);
  }

 private:
  static constexpr double scale = 1.59576912160573071176;  // 2 sqrt(2 / pi)
  static constexpr double cubic = 0.044715;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T two_u(T z) {
    return z * Impl::multiply_add(T(scale * cubic), z * z, T(scale));
  }
};

/// act(z) = z P(z), with P(z) = (1 + erf(z / sqrt 2)) / 2 = erfc(-z / sqrt 2) / 2, which keeps its relative accuracy
/// for negative z; act' = P(z) + z exp(-z^2 / 2) / sqrt(2 pi).  Hendrycks and Gimpel, arXiv:1606.08415.
struct GeluErf {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "gelu_erf";

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const {
    return Impl::clamp_below(z, -Impl::saturation<T>()) * (T(0.5) * Impl::erfc(T(-sqrt_half) * z));
  }
  // Both functions take one x, so that a compiler finds the exponential that they share.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T z) const {
    const T x       = T(-sqrt_half) * z;
    const T density = T(0.39894228040143267794) * Impl::gaussian(x);  // 1 / sqrt(2 pi)
    return Impl::multiply_add(Impl::clamp_both(z, Impl::saturation<T>()), density, T(0.5) * Impl::erfc(x));
  }

 private:
  static constexpr double sqrt_half = 0.70710678118654752440;
};

}  // namespace Tegula

#endif
