// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_STORE_HPP
#define TEGULA_HOST_STORE_HPP

#include <algorithm>

#include "Tegula_HostRun.hpp"

/// The sums of a register tile on their way through the epilogue.

namespace Tegula::Impl {

/// The sums of a register tile in scratch, whose first is element (i, j) of the product: `rows` runs of `columns` sums
/// along `along`, `pitch` apart. What lies between the runs are numbers that are stored nowhere.
template <class T>
struct SumTile {
  std::int64_t i, j;
  Along along;
  int rows, columns;
  T* sums;
  int pitch;

  /// Calls visit(i, j, sums) with where each run begins.
  template <class Visit>
  void for_each_run(const Visit& visit) const {
    for (int row = 0; row < rows; ++row)
      visit(along == Along::row ? i + row : i, along == Along::row ? j : j + row, sums + row * pitch);
  }
};

/// sums[e] = change(sums[e], e), a vector at a time, for `count` sums and what lies between them and a whole vector.
template <class InstructionSet, class T, class Change>
void change_sums(T* sums, int count, int end, const Change& change) {
  constexpr int lanes = host_lanes<T, InstructionSet>;
  int first           = 0;
  for (; first < count && first + lanes <= end; first += lanes) {
    alignas(64) T values[lanes];
    for (int lane = 0; lane < lanes; ++lane) values[lane] = change(sums[first + lane], first + lane);
    for (int lane = 0; lane < lanes; ++lane) sums[first + lane] = values[lane];
  }
  for (; first < count; ++first) sums[first] = change(sums[first], first);
}

/// sums = change(sums, element of the matrix), for all runs.
template <class InstructionSet, class T, class Change>
void combine(const SumTile<T>& tile, const HostMatrix<T>& matrix, const Change& change) {
  alignas(64) T other[longest_run] = {};
  const bool is_vector             = step(matrix, across(tile.along)) == 0;  // all runs meet the same elements
  bool is_read                     = false;
  tile.for_each_run([&](std::int64_t i, std::int64_t j, T* sums) {
    if (!is_read) read_run(matrix, i, j, tile.along, tile.columns, other);
    is_read = is_vector;
    change_sums<InstructionSet>(sums, tile.columns, tile.pitch, [&](T sum, int e) { return change(sum, other[e]); });
  });
}

template <class T>
void write_tile(const SumTile<T>& tile, const HostMatrix<T>& matrix) {
  tile.for_each_run(
      [&](std::int64_t i, std::int64_t j, const T* sums) { write_run(matrix, i, j, tile.along, tile.columns, sums); });
}

/// Stores the sums as a result says. Overwrites them.
template <class InstructionSet, class T>
void finish(const HostResult<T>& result, const SumTile<T>& tile) {
  const int all = tile.rows * tile.pitch;
  if (result.alpha == T(0)) {
    std::fill(tile.sums, tile.sums + all, T(0));
  } else if (result.alpha != T(1)) {
    change_sums<InstructionSet>(tile.sums, all, all, [&](T sum, int) { return result.alpha * sum; });
  }
  if (result.beta != T(0))
    combine<InstructionSet>(tile, result.matrix, [&](T sum, T before) { return sum + result.beta * before; });
  if (result.bias.data != nullptr) combine<InstructionSet>(tile, result.bias, [](T sum, T bias) { return sum + bias; });
  if (result.Z.data != nullptr) write_tile(tile, result.Z);
  if (result.activation.function != nullptr) result.activation.function(result.activation.functor, all, tile.sums);
  write_tile(tile, result.matrix);
}

/// Stores a register tile. With split-k it goes to the slice of its split instead.
template <class T>
void store_tile(Instructions instructions, const HostProduct<T>& product, const TeamWork& work,
                const SumTile<T>& tile) {
  const HostMatrix<T> slice = product.slice_of(work.split);
  with_instructions(instructions, [&](auto set) {
    if (slice.data != nullptr) {
      write_tile(tile, slice);
    } else {
      finish<decltype(set)>(product.result, tile);
    }
  });
}

/// Stores the sums of `count` rows of the left operand, from row `first` on. Overwrites them.
template <class T>
void store_row_sums(const HostResult<T>& result, std::int64_t first, std::int64_t count, T* sums) {
  for (std::int64_t done = 0; done < count; done += longest_run) {
    const int here = static_cast<int>(std::min<std::int64_t>(longest_run, count - done));
    if (result.adds_row_sums) {
      T before[longest_run];
      read_run(result.row_sums, 0, first + done, Along::row, here, before);
      for (int e = 0; e < here; ++e) sums[done + e] += before[e];
    }
    write_run(result.row_sums, 0, first + done, Along::row, here, sums + done);
  }
}

/// A matrix that takes sums as they are, or adds them to what it holds. Without data: the sums must be changed or
/// converted first.
template <class T>
struct PlainResult {
  MatrixRef<T> matrix;
  bool adds = false;
};

template <class T>
PlainResult<T> plain_result(const HostResult<T>& result) {
  const bool unchanged = result.alpha == T(1) && result.bias.data == nullptr && result.Z.data == nullptr &&
                         result.activation.function == nullptr;
  if (!unchanged || (result.beta != T(0) && result.beta != T(1))) return {};
  return {result.matrix.in_place(), result.beta == T(1)};
}

/// The matrix that takes a team's sums as they are, with its rows along the direction of the vectors, or one without
/// data.
template <class T>
PlainResult<T> plain_rows(const HostProduct<T>& product, const TeamWork& work, Along along) {
  PlainResult<T> result{product.slice_of(work.split).in_place()};
  if (result.matrix.data == nullptr) result = plain_result(product.result);
  if (along == Along::column) result.matrix = result.matrix.transposed();
  return result.matrix.columns_are_contiguous() ? result : PlainResult<T>{};
}

}  // namespace Tegula::Impl

#endif
