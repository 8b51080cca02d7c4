// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MATH_HPP
#define TEGULA_MATH_HPP

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "Tegula_KokkosBasics.hpp"

/// exp, sigmoid, tanh, exp(-x^2) and erfc of the activations, for float and double. On a device they are Kokkos', which
/// are fast there. On a host they are arithmetic alone, always inlined: no branch, no call, no conversion between
/// floating point and integers. So a compiler vectorises a loop over them, for whatever instructions the loop's
/// function is compiled, and a type with the arithmetic of many numbers can be put in (Tegula_HostNumbers.hpp, which
/// has its own of the selects that are bits here). They need round-to-nearest and must not be compiled with
/// -ffast-math; whether products and sums are contracted to fused multiply-adds matters little. NaN stays NaN.
///
/// Errors are the largest found, among all numbers in float and among 10^8 in double. They are those of the whole
/// computation, in ulp, for results that are not denormal. Coefficients are best approximations, found in 60 to 80
/// digits by Remez' exchange algorithm for this file.

namespace Tegula::Impl {

/// What the functions need to know of a type.
template <class T>
struct MathConstants {
  static_assert(sizeof(T) == 0, "Tegula: activations are computed in float or double, not in this type");
};

template <>
struct MathConstants<float> {
  using Scalar                    = float;  // T itself, or the type of its numbers if it has many
  using Bits                      = std::uint32_t;
  static constexpr Bits high_half = 0xfffff000;  // leaves 12 significant bits, whose square is exact
  // Adding it rounds to an integer n, and leaves n and the bias of exponents in the lowest bits of the sum.
  static constexpr float magic         = 0x1.8p23f + 127;
  static constexpr float ln2_high      = 0x1.62e4p-1f;  // 16 bits, so that its products with exponents are exact
  static constexpr float ln2_low       = 1.42860682e-6f;
  static constexpr float exp_limit     = 104.5f;  // exp rounds to 0 and to infinity from here on
  static constexpr float power_zero    = -88;     // exp(x) would be 2^-127, whose bits are those of 0
  static constexpr float power_inf     = 88.5f;   // and 2^128, whose bits are those of infinity
  static constexpr float tanh_one      = 10;      // tanh rounds to 1
  static constexpr float gaussian_zero = 10.5f;   // exp(-x^2) and erfc round to 0
  static constexpr float lift          = 64;      // no exp(-x^2) is less than 2^-lift times a normal number
};

template <>
struct MathConstants<double> {
  using Scalar                          = double;
  using Bits                            = std::uint64_t;
  static constexpr Bits high_half       = 0xfffffffff8000000;
  static constexpr double magic         = 0x1.8p52 + 1023;
  static constexpr double ln2_high      = 0x1.62e42fefa38p-1;  // 42 bits
  static constexpr double ln2_low       = 5.4979230187083712e-14;
  static constexpr double exp_limit     = 746;
  static constexpr double power_zero    = -709;
  static constexpr double power_inf     = 709.9;
  static constexpr double tanh_one      = 20;
  static constexpr double gaussian_zero = 28;
  static constexpr double lift          = 512;
};

/// Whether T has many numbers, and functions on them in place of those that are arithmetic on bits here.
template <class T>
inline constexpr bool has_many_numbers = false;

/// Whether the numbers of T are float.
template <class T>
inline constexpr bool is_single = std::is_same_v<typename MathConstants<T>::Scalar, float>;

/// a b + c in one expression, which is what compilers contract.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T multiply_add(T a, T b, T c) {
  if constexpr (has_many_numbers<T>) {
    return T::multiply_add(a, b, c);
  } else {
    return a * b + c;
  }
}

/// c0 + c1 x + c2 x^2 + ...
template <class T, class Coefficient>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(T, Coefficient c0) {
  return T(c0);
}
template <class T, class Coefficient, class... Coefficients>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(T x, Coefficient c0, Coefficients... others) {
  return multiply_add(x, polynomial(x, others...), T(c0));
}

/// `yes` if the sign bit of x is set, else `no`, by arithmetic on bits. A compiler may turn a conditional expression
/// into two paths, which it cannot vectorise if their arithmetic could trap.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select_by_sign(T x, T yes, T no) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return std::signbit(x) ? yes : no;  // std::bit_cast is not for devices
#else
  if constexpr (has_many_numbers<T>) {
    return T::select_by_sign(x, yes, no);
  } else {
    using Bits      = typename MathConstants<T>::Bits;
    const Bits mask = Bits(0) - (std::bit_cast<Bits>(x) >> (std::numeric_limits<Bits>::digits - 1));
    return std::bit_cast<T>((std::bit_cast<Bits>(yes) & mask) | (std::bit_cast<Bits>(no) & ~mask));
  }
#endif
}

/// a > b ? yes : no; on a host 0 may be greater than -0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select_greater(T a, T b, T yes, T no) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return a > b ? yes : no;
#else
  if constexpr (has_many_numbers<T>) {
    return T::select_greater(a, b, yes, no);
  } else {
    // Adding a mantissa of ones carries the sign away from a NaN, but from no other negative number.
    using Bits              = typename MathConstants<T>::Bits;
    constexpr Bits mantissa = (Bits(1) << (std::numeric_limits<T>::digits - 1)) - 1;
    const Bits difference   = std::bit_cast<Bits>(b - a);
    return select_by_sign(std::bit_cast<T>(difference & (difference + mantissa)), yes, no);
  }
#endif
}

/// The larger of x and low, NaN for NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T clamp_below(T x, T low) {
  if constexpr (has_many_numbers<T>) {
    return T::clamp_below(x, low);
  } else {
    return select_greater(low, x, low, x);
  }
}

/// The smaller of x and high, NaN for NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T clamp_above(T x, T high) {
  if constexpr (has_many_numbers<T>) {
    return T::clamp_above(x, high);
  } else {
    return select_greater(x, high, high, x);
  }
}

/// |x|
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T absolute(T x) {
  if constexpr (has_many_numbers<T>) {
    return T::absolute(x);
  } else {
    return std::abs(x);
  }
}

/// |size| with the sign of x.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T with_sign_of(T size, T x) {
  if constexpr (has_many_numbers<T>) {
    return T::with_sign_of(size, x);
  } else {
    return std::copysign(size, x);
  }
}

/// x without its last digits: MathConstants::high_half.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T cut_to_half(T x) {
  if constexpr (has_many_numbers<T>) {
    return T::cut_to_half(x);
  } else {
    using Bits = typename MathConstants<T>::Bits;
    return std::bit_cast<T>(std::bit_cast<Bits>(x) & MathConstants<T>::high_half);
  }
}

/// The smaller of |x| and limit, NaN for NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T clamp_size(T x, T limit) {
  return clamp_above(absolute(x), limit);
}

/// x within [-limit, limit], NaN for NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T clamp_both(T x, T limit) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return x > limit ? limit : (x < -limit ? -limit : x);
#else
  return with_sign_of(clamp_size(x, limit), x);
#endif
}

/// 2^n for an integer n, given n + magic: its low bits are shifted to where exponents are. n must be the exponent of a
/// normal number, or the one below, which gives 0, or the one above, which gives infinity.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T power_of_two(T n_and_magic) {
  if constexpr (has_many_numbers<T>) {
    return T::power_of_two(n_and_magic);
  } else {
    using Bits = typename MathConstants<T>::Bits;
    return std::bit_cast<T>(std::bit_cast<Bits>(n_and_magic) << (std::numeric_limits<T>::digits - 1));
  }
}

/// exp(x) = 2^n (1 + m), m = r + r^2 q
template <class T>
struct ReducedExp {
  T r, q;
  T n_and_magic;  // n + MathConstants::magic

  KOKKOS_FORCEINLINE_FUNCTION T n() const { return n_and_magic - T(MathConstants<T>::magic); }
  KOKKOS_FORCEINLINE_FUNCTION T m() const { return multiply_add(r * r, q, r); }
  /// 1 + m with one operation less, and an error of up to 0.75 ulp.
  KOKKOS_FORCEINLINE_FUNCTION T one_and_m() const { return multiply_add(r, multiply_add(r, q, T(1)), T(1)); }
};

/// exp(a - b), where b is a small correction. With n = round((a - b) log2 e) and r = a - b - n ln 2, |r| <= ln(2) / 2:
/// m = exp(r) - 1 = r + r^2 q, q(r) of degree 4 (relative error of exp 3.1e-9) in float and 9 (3.7e-18) in double.
/// ln 2 is subtracted in two parts: Cody and Waite, Software Manual for the Elementary Functions, 1980.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION ReducedExp<T> reduced_exp(T a, T b) {
  using Constants = MathConstants<T>;
  ReducedExp<T> e;
  e.n_and_magic = multiply_add(a - b, T(1.4426950408889634), T(Constants::magic));
  const T n     = e.n();
  e.r           = multiply_add(n, T(-Constants::ln2_low), multiply_add(n, T(-Constants::ln2_high), a)) - b;
  if constexpr (is_single<T>) {
    e.q = polynomial(e.r, 0.499999934f, 0.16666520f, 0.0416683958f, 8.3687966e-3f, 1.38144313e-3f);
  } else {
    e.q = polynomial(e.r, 0.5000000000000011, 0.16666666666666413, 0.04166666666653003, 8.333333333494626e-3,
                     1.3888888943669345e-3, 1.9841269506318656e-4, 2.4801493053762435e-5, 2.7557586516127707e-6,
                     2.7630265890478075e-7, 2.5000045469588005e-8);
  }
  return e;
}

/// 1 / (1 + exp(-x)) and 1 / (1 + exp(x)).
template <class T>
struct SigmoidPair {
  T of_x, of_minus_x;
};

#ifndef TEGULA_WITHOUT_KOKKOS
/// The functions below on a device: Kokkos'. Kernels that round what they compute have cheaper ones, for a type of
/// their own (kernels/cuda/Tegula_ApproximateFloat.cuh).
template <class T>
struct MathOfDevice {
  KOKKOS_FORCEINLINE_FUNCTION static T sigmoid(T x) { return T(1) / (T(1) + math::exp(-x)); }
  KOKKOS_FORCEINLINE_FUNCTION static SigmoidPair<T> sigmoid_pair(T x) {
    const T e      = math::exp(-std::abs(x));
    const T larger = T(1) / (T(1) + e), smaller = e * larger;
    return {select_by_sign(x, smaller, larger), select_by_sign(x, larger, smaller)};
  }
  KOKKOS_FORCEINLINE_FUNCTION static T tanh(T x) { return math::tanh(x); }
  KOKKOS_FORCEINLINE_FUNCTION static T gaussian(T x) { return math::exp(-x * x); }
  KOKKOS_FORCEINLINE_FUNCTION static T erfc(T x) { return math::erfc(x); }
};
#endif

/// exp(x), within 1.04 ulp. 2^n is applied as two powers of two, since n reaches beyond the exponents of normal
/// numbers: the last multiplication overflows to infinity or rounds to a denormal number or 0, as it must.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp(T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return math::exp(x);
#else
  const T magic         = T(MathConstants<T>::magic);
  const ReducedExp<T> e = reduced_exp(clamp_both(x, T(MathConstants<T>::exp_limit)), T(0));
  const T half          = multiply_add(T(0.5), e.n(), magic);
  return (T(1) + e.m()) * power_of_two(half) * power_of_two(e.n_and_magic - (half - magic));
#endif
}

/// 1 + exp(-x). Where exp(-x) would be 2^-127 or less it is 0, and where it would be 2^128 or so it is infinity; in
/// double 2^-1023 and 2^1024.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T one_and_exp_of_minus(T x) {
  using Constants = MathConstants<T>;
  const T a       = clamp_above(clamp_below(x, T(-Constants::power_inf)), T(-Constants::power_zero));
  const auto e    = reduced_exp(-a, T(0));
  return multiply_add(e.one_and_m(), power_of_two(e.n_and_magic), T(1));
}

/// z sigmoid(x) = z / (1 + exp(-x)), within 2.5 ulp if z is 1. Where sigmoid(x) would be denormal it may be 0. z is not
/// minus infinity.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid(T z, T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return z * MathOfDevice<T>::sigmoid(x);
#else
  return z / one_and_exp_of_minus(x);
#endif
}

/// 1 / (1 + exp(-x)), within 2.5 ulp. A result that would be denormal may be 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sigmoid(T x) {
  return times_sigmoid(T(1), x);
}

/// sigmoid(x) and 1 - sigmoid(x) = sigmoid(-x), which the difference would leave no digits of for large x; within 3
/// ulp. The smaller of them is 0 where it would be denormal.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION SigmoidPair<T> sigmoid_pair(T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return MathOfDevice<T>::sigmoid_pair(x);
#else
  const auto reduced = reduced_exp(-clamp_size(x, T(-MathConstants<T>::power_zero)), T(0));
  const T e          = reduced.one_and_m() * power_of_two(reduced.n_and_magic);
  const T larger = T(1) / (T(1) + e), smaller = e * larger;
  return {select_by_sign(x, smaller, larger), select_by_sign(x, larger, smaller)};
#endif
}

/// tanh(x) = d / (d + 2) with d = exp(2 |x|) - 1 = 2^n m + (2^n - 1), and the sign of x; within 2.8 ulp. Where the
/// terms of d differ in sign 2^n is at least 2, so little cancels, and small x need no formula of their own.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T tanh(T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return MathOfDevice<T>::tanh(x);
#else
  const ReducedExp<T> e = reduced_exp(T(2) * clamp_size(x, T(MathConstants<T>::tanh_one)), T(0));
  const T power         = power_of_two(e.n_and_magic);
  const T d             = multiply_add(power, e.m(), power - T(1));
  return with_sign_of(d / (d + T(2)), x);
#endif
}

/// exp(-x^2), within 1.2 ulp. An error of x^2 would return x^2 times as large. So h, x cut to half its digits, is
/// squared without error, and x^2 - h^2 = (x - h)(x + h) is the correction. The result is computed 2^lift times as
/// large, so that but one rounding meets a denormal number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T gaussian(T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return MathOfDevice<T>::gaussian(x);
#else
  using Constants       = MathConstants<T>;
  constexpr double down = is_single<T> ? 0x1p-64 : 0x1p-512;
  const T a             = clamp_size(x, T(Constants::gaussian_zero));
  const T h             = cut_to_half(a);
  const ReducedExp<T> e = reduced_exp(-(h * h), (a - h) * (a + h));
  return ((T(1) + e.m()) * power_of_two(e.n_and_magic + T(Constants::lift))) * T(down);
#endif
}

/// erfc(x) = exp(-x^2) R(x) for x >= 0 and 2 - erfc(-x) for x < 0; within 8.5 ulp in float (5.1e-7) and 11 in double
/// (1.2e-15). R(x) = exp(x^2) erfc(x) is p / q, of degrees 4 and 5 on [0, 10.5] in float (relative error 6.2e-9), 9 and
/// 10 on [0, 28] in double (5.3e-17). All coefficients are positive, so that no sum cancels. One rational function is
/// enough because the range is clamped; Cody, Math. Comp. 23 (1969), pp. 631-637, takes three for erfc.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erfc(T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return MathOfDevice<T>::erfc(x);
#else
  const T a = clamp_size(x, T(MathConstants<T>::gaussian_zero));
  T p, q;
  if constexpr (is_single<T>) {
    p = polynomial(a, 1.0f, 1.24165352f, 0.735006701f, 0.230842849f, 0.0331381862f);
    q = polynomial(a, 1.0f, 2.37003331f, 2.40929296f, 1.33172100f, 0.409183149f, 0.0587352608f);
  } else {
    p = polynomial(a, 1.0, 2.1927535755326109, 2.3783983655767768, 1.6389502095218904, 0.78301637500963692,
                   0.26787197343285671, 0.065613831683832132, 0.011134710288523418, 1.1969972725109002e-3,
                   6.3016386904758788e-5);
    q = polynomial(a, 1.0, 3.3211327426281088, 5.1258953635177825, 4.8540237858506918, 3.1326316601005525,
                   1.4449482575871154, 0.48460274741459213, 0.11735829973093123, 0.01979160695149285,
                   2.1216224251392827e-3, 1.1169363763980375e-4);
  }
  // For negative x: 2 minus the value for |x|, by arithmetic.
  const T sign = with_sign_of(T(1), x);
  return multiply_add(sign, gaussian(x) * (p / q), T(1) - sign);
#endif
}

}  // namespace Tegula::Impl

#endif
