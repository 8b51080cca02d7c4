// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PART_VECTOR_HPP
#define TEGULA_HOST_PART_VECTOR_HPP

#include "Tegula_HostVector.hpp"

#if TEGULA_HOST_X86_64
#include <immintrin.h>
#endif

/// The first elements of a vector, read from memory and written to it: nothing behind them is touched. For the files
/// that hold innermost loops.

namespace Tegula::Impl {

/// By powers of two.
template <class T, class InstructionSet>
struct PartVector {
  using Vector   = host_vector_t<T, InstructionSet>;
  using Anywhere = host_vector_anywhere_t<T, InstructionSet>;

  static constexpr int lanes      = host_lanes<T, InstructionSet>;
  static constexpr bool is_masked = false;  // a part takes as long as the whole

  /// Zeros follow the `count` elements, at most `lanes`.
  static void load(const T* from, int count, Vector& to) {
    if (count == lanes) {
      to = *reinterpret_cast<const Anywhere*>(from);
    } else {
      to = Vector{};
      copy_rest<lanes / 2>(from, count, reinterpret_cast<T*>(&to));
    }
  }
  static void store(const Vector& from, int count, T* to) {
    if (count == lanes) {
      *reinterpret_cast<Anywhere*>(to) = from;
    } else {
      const Vector values = from;  // which need not be in memory otherwise
      copy_rest<lanes / 2>(reinterpret_cast<const T*>(&values), count, to);
    }
  }
};

#if TEGULA_HOST_X86_64
template <>
struct PartVector<float, Avx512> {
  using Vector = host_vector_t<float, Avx512>;

  static constexpr bool is_masked = true;

  __attribute__((target(TEGULA_AVX512_FEATURES))) static void load(const float* from, int count, Vector& to) {
    to = reinterpret_cast<Vector>(_mm512_maskz_loadu_ps(mask(count), from));
  }
  __attribute__((target(TEGULA_AVX512_FEATURES))) static void store(const Vector& from, int count, float* to) {
    _mm512_mask_storeu_ps(to, mask(count), reinterpret_cast<__m512>(from));
  }

 private:
  static __mmask16 mask(int count) { return static_cast<__mmask16>((1u << count) - 1); }
};

template <>
struct PartVector<double, Avx512> {
  using Vector = host_vector_t<double, Avx512>;

  static constexpr bool is_masked = true;

  __attribute__((target(TEGULA_AVX512_FEATURES))) static void load(const double* from, int count, Vector& to) {
    to = reinterpret_cast<Vector>(_mm512_maskz_loadu_pd(mask(count), from));
  }
  __attribute__((target(TEGULA_AVX512_FEATURES))) static void store(const Vector& from, int count, double* to) {
    _mm512_mask_storeu_pd(to, mask(count), reinterpret_cast<__m512d>(from));
  }

 private:
  static __mmask8 mask(int count) { return static_cast<__mmask8>((1u << count) - 1); }
};
#endif

}  // namespace Tegula::Impl

#endif
