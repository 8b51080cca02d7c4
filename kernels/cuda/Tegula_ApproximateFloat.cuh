// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_APPROXIMATE_FLOAT_CUH
#define TEGULA_APPROXIMATE_FLOAT_CUH

#include <type_traits>

#include "Tegula_Activation.hpp"
#include "Tegula_CudaElement.cuh"
#include "ptx/Tegula_PtxApproximate.cuh"

/// Activations by the approximate instructions of a device, for kernels of tensor cores: these end a tile of tens of
/// thousands of results in the time of some steps, and what the activation takes is what the tensor cores wait for. And
/// for those of short sums, which are hardly more than their epilogue.
/// Nothing here has a branch or a call, so that a thread's results are computed beside each other and few registers are
/// needed.

namespace Tegula::Impl {

/// A float that becomes a result of type Result, F16, Bf16 or float. Functions of it (MathOfDevice) are off by up to a
/// quarter of a unit of a result of 16 bits, on top of the half that rounding is off by, and by 10 units of float.
/// Sums and products are those of float.
template <class Result>
struct ApproximateFloat {
  float value;

  ApproximateFloat() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number> __host__ __device__ constexpr explicit ApproximateFloat(Number number)
      : value(static_cast<float>(number)) {}

  __host__ __device__ friend ApproximateFloat operator+(ApproximateFloat a, ApproximateFloat b) {
    return ApproximateFloat(a.value + b.value);
  }
  __host__ __device__ friend ApproximateFloat operator-(ApproximateFloat a, ApproximateFloat b) {
    return ApproximateFloat(a.value - b.value);
  }
  __host__ __device__ friend ApproximateFloat operator*(ApproximateFloat a, ApproximateFloat b) {
    return ApproximateFloat(a.value * b.value);
  }
  __host__ __device__ friend ApproximateFloat operator-(ApproximateFloat a) { return ApproximateFloat(-a.value); }
  __host__ __device__ friend bool operator>(ApproximateFloat a, ApproximateFloat b) { return a.value > b.value; }
  __host__ __device__ friend bool operator<(ApproximateFloat a, ApproximateFloat b) { return a.value < b.value; }
};

/// Errors are relative. The instructions are off by 2 units of float; the argument of an exponential by half a unit of
/// itself, which for 16 bits may return 128 times as large: 2^-17.
template <class Result>
struct MathOfDevice<ApproximateFloat<Result>> {
  using T = ApproximateFloat<Result>;

  __device__ static T sigmoid(T x) { return T(ptx::reciprocal(1 + exp_of(-x.value))); }

  __device__ static SigmoidPair<T> sigmoid_pair(T x) {
    const float e      = exp_of(-std::abs(x.value));
    const float larger = ptx::reciprocal(1 + e), smaller = e * larger;
    return x.value < 0 ? SigmoidPair<T>{T(smaller), T(larger)} : SigmoidPair<T>{T(larger), T(smaller)};
  }

  /// 1 - 2 / (1 + exp(2 x)), which has few digits left near 0: within 1/2 an odd polynomial, the best one of its degree
  /// (2^-15 for F16, 2^-26 for float), found by linear programming. For Bf16 an instruction is good enough: 2^-11.
  __device__ static T tanh(T x) {
    if constexpr (std::is_same_v<Result, Bf16>) return T(ptx::tanh(x.value));
    const float square = x.value * x.value;
    const float near_0 = x.value + x.value * (square * slope_near_0(square));
    const float beyond = 1 - 2 * ptx::reciprocal(1 + exp_of(2 * x.value));
    return T(square < 0.25f ? near_0 : beyond);
  }

  __device__ static T gaussian(T x) { return T(gaussian_of(x.value)); }

  /// exp(-x^2) R(x) for x >= 0, 2 - erfc(-x) for x < 0.
  __device__ static T erfc(T x) {
    const float a     = std::abs(x.value);
    const float value = gaussian_of(a) * scaled_erfc(a);
    return T(x.value < 0 ? 2 - value : value);
  }

 private:
  static constexpr bool is_float = std::is_same_v<Result, float>;

  __device__ static float exp_of(float x) {
    if constexpr (is_float) return math::exp(x);
    return ptx::power_of_two(x * 1.44269504f);
  }

  // For float with what rounding x^2 loses.
  __device__ static float gaussian_of(float x) {
    const float square = x * x;
    if constexpr (!is_float) return exp_of(-square);
    const float rest = std::fma(x, x, -square), value = exp_of(-square);
    return value - value * rest;
  }

  __device__ static float slope_near_0(float square) {
    if constexpr (is_float) return polynomial(square, -0.333331439f, 0.13325879f, -0.0530454956f, 0.0172414948f);
    return polynomial(square, -0.332069151f, 0.116440596f);
  }

  // R(x) = exp(x^2) erfc(x). For float the rational function of Tegula_Math.hpp. For 16 bits t P(t) with t = 1 / (1 +
  // 0.54 x), within 2^-14.6: the form is that of Hastings, Approximations for Digital Computers, 1955; P is the best
  // one of its degree for 0 <= x <= 12.
  __device__ static float scaled_erfc(float x) {
    if constexpr (is_float) {
      const float p = polynomial(x, 1.0f, 1.24165352f, 0.735006701f, 0.230842849f, 0.0331381862f);
      const float q = polynomial(x, 1.0f, 2.37003331f, 2.40929296f, 1.33172100f, 0.409183149f, 0.0587352608f);
      return p * ptx::reciprocal(q);
    }
    const float t = ptx::reciprocal(1 + 0.54f * x);
    return t * polynomial(t, 0.304042193f, 0.315660321f, 0.190536419f, 0.36852162f, -0.178799485f);
  }
};

}  // namespace Tegula::Impl

#endif
