// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ACTIVATION_HPP
#define TEGULA_ACTIVATION_HPP

#include <concepts>
#include <stdexcept>
#include <string>

#include "Tegula_KokkosCompat.hpp"

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
/// both callable in a kernel (KOKKOS_FUNCTION), for T the accumulator's type (float or double).
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

/// act(z) = z
struct Identity {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "identity";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T) const {
    return T(1);
  }
};

/// act(z) = max(z, 0); act'(0) = 0; NaN stays NaN.
struct Relu {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "relu";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z <= T(0) ? T(0) : z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    return y > T(0) ? T(1) : (y <= T(0) ? T(0) : y);
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
  KOKKOS_FUNCTION T operator()(T z) const {
    return z > T(0) ? z : T(slope) * z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    return y > T(0) ? T(1) : (y <= T(0) ? T(slope) : y);
  }

  double slope;
};

/// act(z) = tanh z; act' = 1 - y^2.
struct Tanh {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "tanh";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return Impl::math::tanh(z);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    return (T(1) - y) * (T(1) + y);
  }
};

/// act(z) = 1 / (1 + exp(-z)); act' = y (1 - y).
struct Sigmoid {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "sigmoid";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return T(1) / (T(1) + Impl::math::exp(-z));
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    return y * (T(1) - y);
  }
};

/// act(z) = z s, with s = 1 / (1 + exp(-z)); act' = s (1 + z (1 - s)).
struct Silu {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "silu";

  // Where s has reached 0 or 1 the limit is taken, since infinity times zero is not a number.
  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    const T s = Sigmoid()(z);
    return s == T(0) ? T(0) : z * s;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T z) const {
    const T s = Sigmoid()(z);
    return s == T(0) || s == T(1) ? s : s * (T(1) + z * (T(1) - s));
  }
};

/// act(z) = z (1 + t) / 2, with t = tanh(u) and u = sqrt(2 / pi) (z + 0.044715 z^3);
/// act' = (1 + t) / 2 + z (1 - t^2) u' / 2.  Hendrycks and Gimpel, arXiv:1606.08415.
struct GeluTanh {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "gelu_tanh";

  // Where t has reached -1 or 1 the limit is taken, since infinity times zero is not a number.
  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    const T t = inner_tanh(z);
    return t == T(-1) ? T(0) : T(0.5) * z * (T(1) + t);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T z) const {
    const T t    = inner_tanh(z);
    const T flat = T(0.5) * (T(1) + t);
    if (t == T(-1) || t == T(1)) return flat;
    const T slope = T(scale) * (T(1) + T(3 * cubic) * z * z);
    return flat + T(0.5) * z * (T(1) - t * t) * slope;
  }

 private:
  static constexpr double scale = 0.79788456080286535588;  // sqrt(2 / pi)
  static constexpr double cubic = 0.044715;

  template <class T>
  KOKKOS_FUNCTION static T inner_tanh(T z) {
    return Impl::math::tanh(T(scale) * (z + T(cubic) * z * z * z));
  }
};

/// act(z) = z P(z), with P(z) = (1 + erf(z / sqrt 2)) / 2; act' = P(z) + z exp(-z^2 / 2) / sqrt(2 pi).
/// Hendrycks and Gimpel, arXiv:1606.08415.
struct GeluErf {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "gelu_erf";

  // P by erfc keeps its relative accuracy for negative z; where a factor has reached 0 the limit is taken.
  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    const T p = normal_distribution(z);
    return p == T(0) ? T(0) : z * p;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T z) const {
    const T density = T(0.39894228040143267794) * Impl::math::exp(T(-0.5) * z * z);  // 1 / sqrt(2 pi)
    const T p       = normal_distribution(z);
    return density == T(0) ? p : p + z * density;
  }

 private:
  template <class T>
  KOKKOS_FUNCTION static T normal_distribution(T z) {
    return T(0.5) * Impl::math::erfc(T(-0.70710678118654752440) * z);  // 1 / sqrt(2)
  }
};

}  // namespace Tegula

#endif
