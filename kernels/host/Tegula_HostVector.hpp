// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_VECTOR_HPP
#define TEGULA_HOST_VECTOR_HPP

#include <cstddef>
#include <utility>

#include "Tegula_HostInstructions.hpp"

/// Vectors of the host as GCC and clang know them: a type with the arithmetic of its elements. Elsewhere a vector is
/// one element, and the same code is left to the compiler's own vectoriser.

namespace Tegula::Impl {

#if defined(__GNUC__)
/// Bytes / sizeof(T) elements: in registers, and in memory at any address that an element may have.
template <class T, std::size_t Bytes>
struct HostVector {
  typedef T type __attribute__((vector_size(Bytes), may_alias));
  typedef T anywhere __attribute__((vector_size(Bytes), aligned(alignof(T)), may_alias));
};
#else
template <class T, std::size_t Bytes>
struct HostVector {
  using type     = T;
  using anywhere = T;
};
#endif

template <class T, class InstructionSet>
using host_vector_t = typename HostVector<T, InstructionSet::vector_bytes>::type;

template <class T, class InstructionSet>
using host_vector_anywhere_t = typename HostVector<T, InstructionSet::vector_bytes>::anywhere;

/// Calls visit(0), ..., visit(Count - 1), each with a constant. GCC keeps an array in registers only if it sees nothing
/// but constant indices before it unrolls loops. It drops a prefetch from such a visit.
template <int Count, class Visit>
inline void for_each_constant(const Visit& visit) {
  [&]<int... Index>(std::integer_sequence<int, Index...>) { (visit(std::integral_constant<int, Index>()), ...); }
  (std::make_integer_sequence<int, Count>());
}

/// Asks for the cache line of an address, to be written.
inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 1);
#else
  (void)address;
#endif
}

/// Asks for the cache line of an address, to be read, no closer than the second cache.
inline void prefetch_far(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 0, 2);
#else
  (void)address;
#endif
}

#if defined(__GNUC__)
/// Interleaves one half of two vectors: first[h], second[h], first[h + 1], second[h + 1], ...
template <int Half, class Vector, std::size_t... Lane>
inline void interleave(const Vector& first, const Vector& second, Vector& result, std::index_sequence<Lane...>) {
  constexpr int lanes = sizeof...(Lane), begin = Half * lanes / 2;
#ifdef __NVCC__
  // nvcc hands the pack in the other function's arguments on to GCC without its expansion. A comparison of vectors has
  // integers of the elements' size.
  using Mask = decltype(first < second);
  result     = __builtin_shuffle(first, second, Mask{(begin + static_cast<int>(Lane) / 2 + (Lane % 2 ? lanes : 0))...});
#else
  result = __builtin_shufflevector(first, second, (begin + static_cast<int>(Lane) / 2 + (Lane % 2 ? lanes : 0))...);
#endif
}

/// Moves every element of Count vectors of Lanes elements, both powers of two, to where its number among all of them
/// points when the number's bits are rotated to the left by log2(Factor). So lines of Factor elements, one behind the
/// other, become their columns. Each round interleaves vectors half of all apart, which rotates by one bit: the perfect
/// shuffle of Stone, doi:10.1109/T-C.1971.223205.
template <int Factor, int Lanes, int Count, class Vector>
inline void shuffle(Vector (&vectors)[Count]) {
  constexpr std::make_index_sequence<Lanes> lanes;
  for (int round = 1; round < Factor; round *= 2) {
    Vector shuffled[Count];
    for (int i = 0; i < Count / 2; ++i) {
      interleave<0>(vectors[i], vectors[i + Count / 2], shuffled[2 * i], lanes);
      interleave<1>(vectors[i], vectors[i + Count / 2], shuffled[2 * i + 1], lanes);
    }
    for (int i = 0; i < Count; ++i) vectors[i] = shuffled[i];
  }
}

/// Element i of the first vector becomes the sum of the elements of vector i; the other vectors are lost. These are the
/// rounds of `shuffle`, each of which adds what it has interleaved, so that half as many vectors go on to the next.
template <int Lanes, class Vector>
inline void sum_each(Vector (&square)[Lanes]) {
  constexpr std::make_index_sequence<Lanes> lanes;
  for (int half = Lanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      Vector low, high;
      interleave<0>(square[i], square[i + half], low, lanes);
      interleave<1>(square[i], square[i + half], high, lanes);
      square[i] = low + high;
    }
  }
}
#else
template <int Factor, int Lanes, int Count, class Vector>
void shuffle(Vector (&)[Count]) {
  static_assert(Lanes == 1);
}

template <int Lanes, class Vector>
void sum_each(Vector (&)[Lanes]) {
  static_assert(Lanes == 1);
}
#endif

/// Transposes the square of Lanes vectors.
template <int Lanes, class Vector>
inline void transpose(Vector (&square)[Lanes]) {
  shuffle<Lanes, Lanes>(square);
}

/// Calls visit(count) with the smallest constant power of two from 2 on that is not less than `length`, at most Most.
template <int Most, int Count = 2, class Visit>
inline void with_power_of_two(int length, const Visit& visit) {
  if constexpr (Count >= Most) {
    visit(std::integral_constant<int, Most>());
  } else {
    if (length <= Count) return visit(std::integral_constant<int, Count>());
    with_power_of_two<Most, 2 * Count>(length, visit);
  }
}

/// The largest register tile: `rows` broadcast elements times `vectors` vectors. The sums, one set of vectors and an
/// element must fit the registers: 14 x 2 of 32, 6 x 2 of 16.
template <class T, class InstructionSet>
struct RegisterTile {
  static constexpr int vectors = 2;
  static constexpr int rows    = InstructionSet::registers == 32 ? 14 : 6;
  static constexpr int columns = vectors * host_lanes<T, InstructionSet>;
  static_assert((columns & (columns - 1)) == 0, "panels of whole vectors are counted by shifts");
};

}  // namespace Tegula::Impl

#endif
