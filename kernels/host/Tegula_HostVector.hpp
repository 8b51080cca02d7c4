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

/// Asks for the cache line of an address, to be read, close by.
inline void prefetch_near(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

#if defined(__GNUC__)
/// Lane l of the result is lane From(l) of two vectors, one behind the other.
template <auto From, class Vector, std::size_t... Lane>
inline void pick(const Vector& first, const Vector& second, Vector& result, std::index_sequence<Lane...>) {
#ifdef __NVCC__
  // nvcc hands the pack in the other function's arguments on to GCC without its expansion. A comparison of vectors has
  // integers of the elements' size.
  using Mask = decltype(first < second);
  result     = __builtin_shuffle(first, second, Mask{From(static_cast<int>(Lane))...});
#else
  result = __builtin_shufflevector(first, second, From(static_cast<int>(Lane))...);
#endif
}

/// Interleaves one half of two vectors: first[h], second[h], first[h + 1], second[h + 1], ...
template <int Half, int Lanes, class Vector>
inline void interleave(const Vector& first, const Vector& second, Vector& result) {
  constexpr auto from = [](int lane) { return Half * Lanes / 2 + lane / 2 + (lane % 2 != 0 ? Lanes : 0); };
  pick<from>(first, second, result, std::make_index_sequence<Lanes>());
}

/// The even lanes of two vectors, one behind the other, or the odd ones.
template <int Odd, int Lanes, class Vector>
inline void every_other(const Vector& first, const Vector& second, Vector& result) {
  constexpr auto from = [](int lane) { return 2 * lane + Odd; };
  pick<from>(first, second, result, std::make_index_sequence<Lanes>());
}

/// Moves every element of Count vectors of Lanes elements, both powers of two, to where its number among all of them
/// points when the number's bits are rotated to the left by log2(Factor). So lines of Factor elements, one behind the
/// other, become their columns. Each round interleaves vectors half of all apart, which rotates by one bit: the perfect
/// shuffle of Stone, doi:10.1109/T-C.1971.223205.
template <int Factor, int Lanes, int Count, class Vector>
inline void shuffle(Vector (&vectors)[Count]) {
  for_each_constant<std::countr_zero(static_cast<unsigned>(Factor))>([&](auto) {
    Vector shuffled[Count];
    for_each_constant<Count / 2>([&](auto i) {
      interleave<0, Lanes>(vectors[i], vectors[i + Count / 2], shuffled[2 * i]);
      interleave<1, Lanes>(vectors[i], vectors[i + Count / 2], shuffled[2 * i + 1]);
    });
    for_each_constant<Count>([&](auto i) { vectors[i] = shuffled[i]; });
  });
}

/// The other way: rotates to the right. So Count columns, one behind the other, become lines of as many elements.
template <int Factor, int Lanes, int Count, class Vector>
inline void shuffle_back(Vector (&vectors)[Count]) {
  for_each_constant<std::countr_zero(static_cast<unsigned>(Factor))>([&](auto) {
    Vector shuffled[Count];
    for_each_constant<Count / 2>([&](auto i) {
      every_other<0, Lanes>(vectors[2 * i], vectors[2 * i + 1], shuffled[i]);
      every_other<1, Lanes>(vectors[2 * i], vectors[2 * i + 1], shuffled[i + Count / 2]);
    });
    for_each_constant<Count>([&](auto i) { vectors[i] = shuffled[i]; });
  });
}

/// In a lane whose number has no bit of Distance, the sum of the first vector's elements in the two lanes that differ
/// in that bit; in the others that of the second vector's.
template <int Distance, int Lanes, class Vector>
inline void add_neighbours(const Vector& first, const Vector& second, Vector& sums) {
  constexpr auto own       = [](int lane) { return lane + ((lane & Distance) != 0 ? Lanes : 0); };
  constexpr auto neighbour = [](int lane) { return (lane ^ Distance) + ((lane & Distance) != 0 ? Lanes : 0); };
  constexpr std::make_index_sequence<Lanes> lanes;
  Vector one, other;
  pick<own>(first, second, one, lanes);
  pick<neighbour>(first, second, other, lanes);
  sums = one + other;
}

/// Element i of the first of Count vectors, a power of two and at most Lanes, becomes the sum of the elements of vector
/// i; the other vectors are lost. Each round halves what is left to be added up in a lane: of two vectors in one, and
/// of the one vector in itself where there are fewer vectors than lanes.
template <int Lanes, int Count, class Vector>
inline void sum_each(Vector (&vectors)[Count]) {
  constexpr int rounds = std::countr_zero(static_cast<unsigned>(Lanes));
  for_each_constant<rounds>([&](auto round) {
    constexpr int distance = 1 << round, left = Count >> round;
    for_each_constant<(left > 1 ? left / 2 : 1)>([&](auto i) {
      const Vector first = vectors[left > 1 ? 2 * i : 0], second = vectors[left > 1 ? 2 * i + 1 : 0];
      add_neighbours<distance, Lanes>(first, second, vectors[i]);
    });
  });
}
#else
template <int Half, int Lanes, class Vector>
void interleave(const Vector&, const Vector&, Vector&) {
  static_assert(Lanes == 1);
}

template <int Factor, int Lanes, int Count, class Vector>
void shuffle(Vector (&)[Count]) {
  static_assert(Lanes == 1);
}

template <int Factor, int Lanes, int Count, class Vector>
void shuffle_back(Vector (&)[Count]) {
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
