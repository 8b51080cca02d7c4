// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PACK_HPP
#define TEGULA_PORTABLE_PACK_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_MatrixRef.hpp"
#include "Tegula_PortableTiles.hpp"

/// Elements that a thread of a device moves at once.

namespace Tegula::Impl {

/// Whether elements of a type may be moved together.
template <class T>
inline constexpr bool is_packable = std::has_single_bit(sizeof(T)) && std::is_trivially_copyable_v<T>;

/// A bool that is known while a kernel is compiled; std::bool_constant is for hosts.
template <bool value>
struct Known {
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator bool() const { return value; }
};

/// Neighbours in memory. One that lies at a multiple of its size is moved by a single instruction.
template <class T, int Count>
struct alignas(is_packable<T> ? Count * sizeof(T) : alignof(T)) Pack {
  T elements[Count];

  KOKKOS_FUNCTION T& operator[](int i) { return elements[i]; }
  KOKKOS_FUNCTION const T& operator[](int i) const { return elements[i]; }
};

/// Of a matrix's elements.
template <class Matrix, int Count>
using PackOf = Pack<std::remove_const_t<typename Matrix::value_type>, Count>;

/// Reads the first Count elements of a matrix, along its contiguous dimension, as one pack.
template <int Count>
struct PackReader {
  template <class Matrix>
  KOKKOS_FUNCTION auto operator()(const Matrix& matrix) const {
    return *reinterpret_cast<const PackOf<Matrix, Count>*>(matrix.data);
  }
};

/// Reads them one by one along either dimension, and no more than `left` of them; the others are zero.
template <int Count>
struct ElementReader {
  bool along_depth;
  int left;

  template <class Matrix>
  KOKKOS_FUNCTION auto operator()(const Matrix& matrix) const {
    PackOf<Matrix, Count> pack{};
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) {
      if (i < left) pack[i] = along_depth ? matrix(0, i) : matrix(i, 0);
    }
    return pack;
  }
};

/// Whether every pack of Count elements along a dimension of a matrix, counted from its first one, may be read as one.
template <int Count>
struct PacksAreWhole {
  bool along_depth;

  template <class T>
  KOKKOS_FUNCTION bool operator()(const MatrixRef<const T>& matrix) const {
    if constexpr (!is_packable<T>) return false;
    const std::int64_t step = along_depth ? matrix.column_stride : matrix.row_stride;
    const std::int64_t leap = along_depth ? matrix.row_stride : matrix.column_stride;
    return step == 1 && leap % Count == 0 && reinterpret_cast<std::uintptr_t>(matrix.data) % (Count * sizeof(T)) == 0;
  }
};

}  // namespace Tegula::Impl

#endif
