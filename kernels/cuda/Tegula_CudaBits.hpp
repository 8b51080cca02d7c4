// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_BITS_HPP
#define TEGULA_CUDA_BITS_HPP

#include <cstdint>
#include <type_traits>

#include "Tegula_MatrixRef.hpp"
#include "Tegula_Scalar.hpp"

/// The element types of the families for CUDA, and the types that operands of them are passed on as.

namespace Tegula::Impl {

template <class T>
inline constexpr bool is_half = TEGULA_HAS_HALF&& std::is_same_v<T, half_t>;
template <class T>
inline constexpr bool is_bhalf = TEGULA_HAS_BHALF&& std::is_same_v<T, bhalf_t>;
template <class T>
inline constexpr bool is_16_bit = is_half<T> || is_bhalf<T>;

template <class T>
inline constexpr bool is_half_or_float = is_16_bit<T> || std::is_same_v<T, float>;

/// What a product of T may be stored as.
template <class Result, class T>
inline constexpr bool is_half_result = std::is_same_v<Result, T> || std::is_same_v<Result, float>;

/// The type of elements that operands are passed on as: for both types of 16 bits, their bits.
template <class T>
using bits_t = std::conditional_t<is_16_bit<T>, std::uint16_t, T>;

template <class T>
MatrixRef<const bits_t<T>> bits_of(const MatrixRef<const T>& matrix) {
  return {reinterpret_cast<const bits_t<T>*>(matrix.data), matrix.rows, matrix.columns, matrix.row_stride,
          matrix.column_stride};
}

}  // namespace Tegula::Impl

#endif
