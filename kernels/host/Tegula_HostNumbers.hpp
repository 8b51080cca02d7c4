// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_NUMBERS_HPP
#define TEGULA_HOST_NUMBERS_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_HostVector.hpp"

/// A vector as a number: what the functions of Tegula_Math.hpp, and so the activations that Tegula brings, are computed
/// with on hosts. A compiler that vectorises a loop over single numbers must be given selects as arithmetic on bits; of
/// vectors each is an instruction or two.

#if TEGULA_HOST_X86_64 && !defined(__clang__)
#include <immintrin.h>
#endif

#if defined(__GNUC__)
namespace Tegula::Impl {

/// The larger and the smaller element of two vectors; of the second one if one is NaN.
template <class T, class InstructionSet>
struct VectorLimits {
  using Vector = host_vector_t<T, InstructionSet>;

  static void larger(const Vector& a, const Vector& b, Vector& to) { to = a > b ? a : b; }
  static void smaller(const Vector& a, const Vector& b, Vector& to) { to = a < b ? a : b; }
};

#if TEGULA_HOST_X86_64 && !defined(__clang__)
// What instructions of x86 do. clang takes the above for them, GCC 12 for a comparison and a blend; it warns of
// intrinsics of AVX-512 without a mask.
template <>
struct VectorLimits<float, Baseline> {
  using Vector = host_vector_t<float, Baseline>;

  __attribute__((target("sse2"))) static void larger(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm_max_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b)));
  }
  __attribute__((target("sse2"))) static void smaller(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm_min_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b)));
  }
};
template <>
struct VectorLimits<double, Baseline> {
  using Vector = host_vector_t<double, Baseline>;

  __attribute__((target("sse2"))) static void larger(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm_max_pd(reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b)));
  }
  __attribute__((target("sse2"))) static void smaller(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm_min_pd(reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b)));
  }
};
template <>
struct VectorLimits<float, Avx2> {
  using Vector = host_vector_t<float, Avx2>;

  __attribute__((target("avx2,fma"))) static void larger(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm256_max_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
  }
  __attribute__((target("avx2,fma"))) static void smaller(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm256_min_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
  }
};
template <>
struct VectorLimits<double, Avx2> {
  using Vector = host_vector_t<double, Avx2>;

  __attribute__((target("avx2,fma"))) static void larger(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm256_max_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
  }
  __attribute__((target("avx2,fma"))) static void smaller(const Vector& a, const Vector& b, Vector& to) {
    to = reinterpret_cast<Vector>(_mm256_min_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
  }
};
template <>
struct VectorLimits<float, Avx512> {
  using Vector = host_vector_t<float, Avx512>;

  __attribute__((target(TEGULA_AVX512_FEATURES))) static void larger(const Vector& a, const Vector& b, Vector& to) {
    to =
        reinterpret_cast<Vector>(_mm512_maskz_max_ps(0xffff, reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b)));
  }
  __attribute__((target(TEGULA_AVX512_FEATURES))) static void smaller(const Vector& a, const Vector& b, Vector& to) {
    to =
        reinterpret_cast<Vector>(_mm512_maskz_min_ps(0xffff, reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b)));
  }
};
template <>
struct VectorLimits<double, Avx512> {
  using Vector = host_vector_t<double, Avx512>;

  __attribute__((target(TEGULA_AVX512_FEATURES))) static void larger(const Vector& a, const Vector& b, Vector& to) {
    to =
        reinterpret_cast<Vector>(_mm512_maskz_max_pd(0xff, reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b)));
  }
  __attribute__((target(TEGULA_AVX512_FEATURES))) static void smaller(const Vector& a, const Vector& b, Vector& to) {
    to =
        reinterpret_cast<Vector>(_mm512_maskz_min_pd(0xff, reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b)));
  }
};
#endif

template <class T, class InstructionSet>
struct HostNumbers {
  using Constants = MathConstants<T>;
  using Vector    = host_vector_t<T, InstructionSet>;
  using Anywhere  = host_vector_anywhere_t<T, InstructionSet>;
  using Bits      = host_vector_t<typename Constants::Bits, InstructionSet>;

  Vector v;

  HostNumbers() = default;
  [[gnu::always_inline]] HostNumbers(T value) : v(value - Vector{}) {}  // in every place; -0 - 0 is -0
  [[gnu::always_inline]] explicit HostNumbers(const Vector& vector) : v(vector) {}

  [[gnu::always_inline]] static HostNumbers load(const T* from) {
    const Vector vector = *reinterpret_cast<const Anywhere*>(from);
    return HostNumbers(vector);
  }
  [[gnu::always_inline]] void store(T* to) const { *reinterpret_cast<Anywhere*>(to) = v; }

  [[gnu::always_inline]] HostNumbers operator-() const { return HostNumbers(-v); }
  [[gnu::always_inline]] friend HostNumbers operator+(const HostNumbers& a, const HostNumbers& b) {
    return HostNumbers(a.v + b.v);
  }
  [[gnu::always_inline]] friend HostNumbers operator-(const HostNumbers& a, const HostNumbers& b) {
    return HostNumbers(a.v - b.v);
  }
  [[gnu::always_inline]] friend HostNumbers operator*(const HostNumbers& a, const HostNumbers& b) {
    return HostNumbers(a.v * b.v);
  }
  [[gnu::always_inline]] friend HostNumbers operator/(const HostNumbers& a, const HostNumbers& b) {
    return HostNumbers(a.v / b.v);
  }

  // As Tegula_Math.hpp defines them.
  [[gnu::always_inline]] static HostNumbers multiply_add(const HostNumbers& a, const HostNumbers& b,
                                                         const HostNumbers& c) {
    return HostNumbers(a.v * b.v + c.v);
  }
  [[gnu::always_inline]] static HostNumbers clamp_below(const HostNumbers& x, const HostNumbers& low) {
    HostNumbers clamped;
    VectorLimits<T, InstructionSet>::larger(low.v, x.v, clamped.v);
    return clamped;
  }
  [[gnu::always_inline]] static HostNumbers clamp_above(const HostNumbers& x, const HostNumbers& high) {
    HostNumbers clamped;
    VectorLimits<T, InstructionSet>::smaller(high.v, x.v, clamped.v);
    return clamped;
  }
  [[gnu::always_inline]] static HostNumbers select_greater(const HostNumbers& a, const HostNumbers& b,
                                                           const HostNumbers& yes, const HostNumbers& no) {
    return HostNumbers(a.v > b.v ? yes.v : no.v);
  }
  [[gnu::always_inline]] static HostNumbers select_by_sign(const HostNumbers& x, const HostNumbers& yes,
                                                           const HostNumbers& no) {
    return HostNumbers((reinterpret_cast<Bits>(x.v) & sign) != 0 ? yes.v : no.v);
  }
  [[gnu::always_inline]] static HostNumbers absolute(const HostNumbers& x) {
    return of_bits(reinterpret_cast<Bits>(x.v) & ~sign);
  }
  [[gnu::always_inline]] static HostNumbers with_sign_of(const HostNumbers& size, const HostNumbers& x) {
    return of_bits((reinterpret_cast<Bits>(size.v) & ~sign) | (reinterpret_cast<Bits>(x.v) & sign));
  }
  [[gnu::always_inline]] static HostNumbers cut_to_half(const HostNumbers& x) {
    return of_bits(reinterpret_cast<Bits>(x.v) & Constants::high_half);
  }
  [[gnu::always_inline]] static HostNumbers power_of_two(const HostNumbers& n_and_magic) {
    return of_bits(reinterpret_cast<Bits>(n_and_magic.v) << (std::numeric_limits<T>::digits - 1));
  }

 private:
  static constexpr auto sign = ~(~typename Constants::Bits(0) >> 1);

  [[gnu::always_inline]] static HostNumbers of_bits(const Bits& bits) {
    return HostNumbers(reinterpret_cast<Vector>(bits));
  }
};

template <class T, class InstructionSet>
struct MathConstants<HostNumbers<T, InstructionSet>> : MathConstants<T> {};

template <class T, class InstructionSet>
inline constexpr bool has_many_numbers<HostNumbers<T, InstructionSet>> = true;

}  // namespace Tegula::Impl
#endif

#endif
