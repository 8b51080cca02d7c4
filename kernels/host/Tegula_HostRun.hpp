// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_RUN_HPP
#define TEGULA_HOST_RUN_HPP

#include <cstring>
#include <type_traits>

#include "Tegula_Activation.hpp"
#include "Tegula_HostVector.hpp"
#include "Tegula_MatrixRef.hpp"
#include "product/Tegula_Operand.hpp"

/// Runs: some elements of a line of a matrix, read and written all at once, so that loops over them vectorise wherever
/// they are contiguous.

namespace Tegula::Impl {

/// The direction of a run in a matrix: along a row (the column changes) or along a column.
enum class Along { row, column };

template <class T>
std::int64_t step(const MatrixRef<T>& matrix, Along along) {
  return along == Along::row ? matrix.column_stride : matrix.row_stride;
}

/// to[e] = from[e]. Elements that need no conversion move in blocks of a size that the compiler knows; it would make a
/// loop over single ones a call of memmove, which costs more than a run.
template <class From, class To>
void copy_converted(const From* __restrict from, int count, To* __restrict to) {
  if constexpr (std::is_same_v<From, To> && std::is_trivially_copyable_v<To>) {
    constexpr int block = 64 / sizeof(To);
    for (; count >= block; count -= block, from += block, to += block) std::memcpy(to, from, block * sizeof(To));
    copy_rest<block / 2>(from, count, to);
  } else {
    for (int e = 0; e < count; ++e) to[e] = static_cast<To>(from[e]);
  }
}

/// values[e] = matrix element e of the run that begins at (i, j).
template <class T, class Storage>
void read_run(const MatrixRef<Storage>& matrix, std::int64_t i, std::int64_t j, Along along, int count,
              T* __restrict values) {
  const Storage* const begin  = &matrix(i, j);
  const std::int64_t distance = step(matrix, along);
  if (distance == 1) {
    copy_converted(begin, count, values);
  } else {
    for (int e = 0; e < count; ++e) values[e] = static_cast<T>(begin[e * distance]);
  }
}

template <class T, class Storage>
void write_run(const MatrixRef<Storage>& matrix, std::int64_t i, std::int64_t j, Along along, int count,
               const T* __restrict values) {
  Storage* const begin        = &matrix(i, j);
  const std::int64_t distance = step(matrix, along);
  if (distance == 1) {
    copy_converted(values, count, begin);
  } else {
    for (int e = 0; e < count; ++e) begin[e * distance] = static_cast<Storage>(values[e]);
  }
}

/// Runs of operands are at most this long.
inline constexpr int longest_run = 64;

template <class T, class Storage>
void read_run(const MatrixOperand<T, Storage>& operand, std::int64_t line, std::int64_t k, Along along, int count,
              T* __restrict values) {
  read_run(operand.matrix, line, k, along, count, values);
}

template <class T, class DC, class SavedScalar, class Activation>
void read_run(const GradientOperand<T, DC, SavedScalar, Activation>& operand, std::int64_t line, std::int64_t k,
              Along along, int count, T* __restrict values) {
  read_run(operand.dC, line, k, along, count, values);
  if constexpr (Activation::saved == Saved::nothing) {
    const T slope = static_cast<T>(operand.activation.derivative(T(0)));
    for (int e = 0; e < count; ++e) values[e] *= slope;
  } else {
    alignas(64) T saved[longest_run];
    read_run(operand.saved, line, k, along, count, saved);
    for (int e = 0; e < count; ++e) values[e] *= static_cast<T>(operand.activation.derivative(saved[e]));
  }
}

/// The matrix that a microkernel can read where it lies, or one without data: elements must be of the accumulator's
/// type, and nothing may be left to do while they are read.
template <class T>
MatrixRef<const T> in_place(const MatrixOperand<T, T>& operand) {
  return operand.matrix;
}
template <class T, class Operand>
MatrixRef<const T> in_place(const Operand&) {
  return {};
}

}  // namespace Tegula::Impl

#endif
