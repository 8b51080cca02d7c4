// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_APPROXIMATE_ACTIVATION_CUH
#define TEGULA_APPROXIMATE_ACTIVATION_CUH

#include <numbers>

#include "Tegula_ApproximateFloat.cuh"
#include "ptx/Tegula_PtxRelu.cuh"

/// Activations of many results by the approximate instructions of a device, in few of them: what an epilogue computes
/// tensor cores wait for.

namespace Tegula::Impl {

/// act(z) for a result of type Result: as the activation computes it, but for those below.
template <class Activation, class Result>
struct ApproximateActivation {
  using T = ApproximateFloat<Result>;
  __device__ static float value(float z) { return Activation()(T(z)).value; }
};

/// z times a logistic function: z / (1 + 2^p(z)) with p odd and falling. Two at a time share a quotient, which takes
/// the unit for such functions as long as a power: with a = |z| and e = 2^p(a), at most 1, a value is
///
///   max(z, 0) - a e / (1 + e)
///
/// and the product of two of these sums does not overflow. From a = `saturated` on e is 0, as it is in infinity.
template <class Gate>
struct ApproximateGate {
  static constexpr float saturated = 128;

  __device__ static float value(float z) {
    return ::fmaxf(z, -saturated) * ptx::reciprocal(1 + ptx::power_of_two(Gate::power(z)));
  }
  __device__ static void values(float& first, float& second) {
    const float a = ::fminf(std::abs(first), saturated), b = ::fminf(std::abs(second), saturated);
    const float e = ptx::power_of_two(Gate::power(a)), f = ptx::power_of_two(Gate::power(b));
    const float shared = ptx::reciprocal((1 + e) * (1 + f));
    first              = std::fma(-(a * e) * (1 + f), shared, ptx::max_or_nan(first, 0));
    second             = std::fma(-(b * f) * (1 + e), shared, ptx::max_or_nan(second, 0));
  }
};

/// p(z) = -2 u(z) log2 e, as one polynomial.
struct GeluTanhGate {
  __device__ static float power(float z) {
    constexpr double scale = -std::numbers::log2e * 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    return z * std::fma(static_cast<float>(0.044715 * scale), z * z, static_cast<float>(scale));
  }
};
template <>
struct ApproximateActivation<GeluTanh, Bf16> : ApproximateGate<GeluTanhGate> {};
template <>
struct ApproximateActivation<GeluTanh, F16> : ApproximateGate<GeluTanhGate> {};

/// p(z) = -z log2 e.
struct SiluGate {
  __device__ static float power(float z) { return static_cast<float>(-std::numbers::log2e) * z; }
};
template <>
struct ApproximateActivation<Silu, Bf16> : ApproximateGate<SiluGate> {};
template <>
struct ApproximateActivation<Silu, F16> : ApproximateGate<SiluGate> {};

/// max(z, 0) - a Q(a) with a = |z| and Q(a) = erfc(a / sqrt 2) / 2 = 2^p(a), p being the best polynomial of its degree
/// up to where a Q(a) is 0 in 16 bits. Errors of Q are relative ones where z < 0, and smaller ones where z > 0: 2^-10.8
/// for Bf16, 2^-14.4 for F16.
template <>
struct ApproximateActivation<GeluErf, Bf16> {
  __device__ static float value(float z) {
    const float a = ::fminf(std::abs(z), 13.3f);
    return less(z, a,
                polynomial(a, -1.00080919f, -1.14268736f, -0.473297406f, -0.044222104f, 0.00541048298f, -0.00041281677f,
                           1.74733364e-05f, -3.11339922e-07f));
  }

  // NaN for NaN.
  __device__ static float less(float z, float a, float power) {
    return std::fma(-a, ptx::power_of_two(power), ptx::max_or_nan(z, 0));
  }
};
template <>
struct ApproximateActivation<GeluErf, F16> : ApproximateActivation<GeluErf, Bf16> {
  __device__ static float value(float z) {
    const float a = ::fminf(std::abs(z), 6.0f);
    return less(z, a,
                polynomial(a, -1.00006479f, -1.15017425f, -0.461271917f, -0.0511853565f, 0.00719557551f,
                           -0.000611101928f, 2.29901851e-05f));
  }
};

/// An activation in the place of its argument, or, as some are cheaper, of two arguments.
template <class Activation, class Result>
struct ApproximateInPlace {
  using Approximate = ApproximateActivation<Activation, Result>;

  __device__ void operator()(float& z) const { z = Approximate::value(z); }
  __device__ void operator()(float& first, float& second) const requires requires {
    Approximate::values(first, second);
  }
  { Approximate::values(first, second); }
};

/// Calls function(act), where act(z) replaces a sum z by what is good enough for a result of type Result. The choice is
/// known to be this activation.
template <class Activation, class Result, class Function>
__device__ inline void with_approximate_of(const ActivationChoice& choice, const Function& function) {
  using T = ApproximateFloat<Result>;
  if constexpr (std::is_same_v<Activation, Identity>) {
    function([](float&) {});
  } else if constexpr (std::is_same_v<Activation, LeakyRelu>) {
    const ChosenLeakyRelu<T> act{static_cast<T>(choice.slope)};
    function([&](float& z) { z = act(T(z)).value; });
  } else {
    function(ApproximateInPlace<Activation, Result>());
  }
}

/// The same where it may be any of Tegula's.
template <class Result, class Function>
__device__ inline void with_approximate(const ActivationChoice& choice, const Function& function) {
  with_chosen(choice, [&]<class Activation>() { with_approximate_of<Activation, Result>(choice, function); });
}

/// A user's is computed in float.
template <class Result, class Activation, class Function>
__device__ inline void with_approximate(const OwnActivation<Activation>& own, const Function& function) {
  function([&](float& z) { z = static_cast<float>(own.activation(z)); });
}

/// The same for results that are elements of this type: Rounded, of 16 bits, or float.
template <class Rounded, class Activation, class Function>
__device__ inline void activate(const Activation& activation, Element element, const Function& function) {
  if constexpr (std::is_same_v<Activation, ActivationChoice>)
    if (element == Element::f32) return with_approximate<float>(activation, function);
  with_approximate<Rounded>(activation, function);
}

}  // namespace Tegula::Impl

#endif
