// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_RUN_HPP
#define TEGULA_HOST_RUN_HPP

#include <cstring>

#include "Tegula_HostCall.hpp"
#include "Tegula_HostVector.hpp"

/// Runs: some elements of a line of a matrix, read and written all at once, so that loops over them vectorise wherever
/// they are contiguous.

namespace Tegula::Impl {

/// The direction of a run in a matrix: along a row (the column changes) or along a column.
enum class Along { row, column };

inline Along across(Along along) { return along == Along::row ? Along::column : Along::row; }

template <class T>
std::int64_t step(const HostMatrix<T>& matrix, Along along) {
  return along == Along::row ? matrix.column_stride : matrix.row_stride;
}

/// to[e] = from[e], in blocks of a size that the compiler knows; it would make a loop over single elements a call of
/// memmove, which costs more than a run.
template <class T>
void copy_run(const T* __restrict from, int count, T* __restrict to) {
  constexpr int block = 64 / sizeof(T);
  for (; count >= block; count -= block, from += block, to += block) std::memcpy(to, from, block * sizeof(T));
  copy_rest<block / 2>(from, count, to);
}

/// values[e] = matrix element e of the run that begins at (i, j).
template <class T>
void read_run(const HostMatrix<T>& matrix, std::int64_t i, std::int64_t j, Along along, int count,
              T* __restrict values) {
  const std::int64_t first = i * matrix.row_stride + j * matrix.column_stride, distance = step(matrix, along);
  if (matrix.elements.read != nullptr) return matrix.elements.read(matrix.data, first, distance, count, values);
  const T* const begin = static_cast<const T*>(matrix.data) + first;
  if (distance == 1) {
    copy_run(begin, count, values);
  } else {
    for (int e = 0; e < count; ++e) values[e] = begin[e * distance];
  }
}

template <class T>
void write_run(const HostMatrix<T>& matrix, std::int64_t i, std::int64_t j, Along along, int count,
               const T* __restrict values) {
  const std::int64_t first = i * matrix.row_stride + j * matrix.column_stride, distance = step(matrix, along);
  if (matrix.elements.write != nullptr) return matrix.elements.write(matrix.data, first, distance, count, values);
  T* const begin = static_cast<T*>(matrix.data) + first;
  if (distance == 1) {
    copy_run(values, count, begin);
  } else {
    for (int e = 0; e < count; ++e) begin[e * distance] = values[e];
  }
}

/// Runs are at most this long.
inline constexpr int longest_run = 64;

}  // namespace Tegula::Impl

#endif
