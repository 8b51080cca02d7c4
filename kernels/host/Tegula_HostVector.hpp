// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_VECTOR_HPP
#define TEGULA_HOST_VECTOR_HPP

#include <bit>
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

/// In a lane whose number has no bit of Distance, the sum of the first vector's elements in the two lanes that differ
/// in that bit; in the others that of the second vector's.
template <int Distance, class Vector, std::size_t... Lane>
inline void add_neighbours(const Vector& first, const Vector& second, Vector& sums, std::index_sequence<Lane...>) {
  constexpr int lanes   = sizeof...(Lane);
  constexpr auto vector = [](int lane) { return (lane & Distance) != 0 ? lanes : 0; };  // where its lanes begin
#ifdef __NVCC__
  using Mask = decltype(first < second);
  sums       = __builtin_shuffle(first, second, Mask{(vector(Lane) + static_cast<int>(Lane))...}) +
         __builtin_shuffle(first, second, Mask{(vector(Lane) + (static_cast<int>(Lane) ^ Distance))...});
#else
  sums   = __builtin_shufflevector(first, second, (vector(Lane) + static_cast<int>(Lane))...) +
         __builtin_shufflevector(first, second, (vector(Lane) + (static_cast<int>(Lane) ^ Distance))...);
#endif
}

/// Element i of the first of Count vectors, a power of two and at most Lanes, becomes the sum of the elements of vector
/// i; the other vectors are lost. Each round halves what is left to be added up in a lane: of two vectors in one, and
/// of the one vector in itself where there are fewer vectors than lanes.
template <int Lanes, int Count, class Vector>
inline void sum_each(Vector (&vectors)[Count]) {
  constexpr std::make_index_sequence<Lanes> lanes;
  constexpr int rounds = std::countr_zero(static_cast<unsigned>(Lanes));
  for_each_constant<rounds>([&](auto round) {
    constexpr int distance = 1 << round, left = Count >> round;
    for_each_constant<(left > 1 ? left / 2 : 1)>([&](auto i) {
      const Vector first = vectors[left > 1 ? 2 * i : 0], second = vectors[left > 1 ? 2 * i + 1 : 0];
      add_neighbours<distance>(first, second, vectors[i], lanes);
    });
  });
}
#else
template <int Factor, int Lanes, int Count, class Vector>
void shuffle(Vector (&)[Count]) {
  static_assert(Lanes == 1);
}

template <int Lanes, int Count, class Vector>
void sum_each(Vector (&)[Count]) {
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
/// element must fit the registers: 14 x 2 of 32, 6 x 2 of 16. Where all columns are one vector, more rows share a call;
/// where rows are few, more vectors, whose sums do not wait for each other and which are fetched together.
template <class T, class InstructionSet>
struct RegisterTile {
  static constexpr int vectors = 2, wide_vectors = 2 * vectors;
  static constexpr int rows        = InstructionSet::registers == 32 ? 14 : 6;
  static constexpr int narrow_rows = InstructionSet::registers == 32 ? 16 : 12;
  static constexpr int wide_rows   = InstructionSet::registers == 32 ? 4 : 2;
  static constexpr int columns     = vectors * host_lanes<T, InstructionSet>;

  /// Of tiles of so many vectors.
  static constexpr int rows_of(int count) { return count == 1 ? narrow_rows : count <= vectors ? rows : wide_rows; }

  static_assert((columns & (columns - 1)) == 0, "panels of whole vectors are counted by shifts");
};

}  // namespace Tegula::Impl

#endif
