// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_STORE_HPP
#define TEGULA_HOST_STORE_HPP

#include <algorithm>
#include <utility>

#include "Tegula_HostPartVector.hpp"
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

/// sums[e] = change(sums[e], e), a vector at a time. What is left of the sums goes to a vector of zeros.
template <class InstructionSet, class T, class Change>
void change_sums(T* sums, int count, const Change& change) {
  using Part          = PartVector<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  for (int first = 0; first < count; first += lanes) {
    host_vector_t<T, InstructionSet> vector;
    Part::load(sums + first, std::min(lanes, count - first), vector);
    T* const values = reinterpret_cast<T*>(&vector);
    for (int lane = 0; lane < lanes; ++lane) values[lane] = change(values[lane], first + lane);
    Part::store(vector, std::min(lanes, count - first), sums + first);
  }
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
    change_sums<InstructionSet>(sums, tile.columns, [&](T sum, int e) { return change(sum, other[e]); });
  });
}

/// Writes runs of sums that are neighbours across their direction in the matrix: they are transposed a vector of each
/// at a time.
template <class InstructionSet, class T>
void write_across(const SumTile<T>& tile, const HostMatrix<T>& matrix) {
  using Part               = PartVector<T, InstructionSet>;
  using Vector             = host_vector_t<T, InstructionSet>;
  using Anywhere           = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes      = host_lanes<T, InstructionSet>;
  const std::int64_t pitch = step(matrix, tile.along);
  T* const first           = static_cast<T*>(matrix.data) + tile.i * matrix.row_stride + tile.j * matrix.column_stride;
  for (int row = 0; row < tile.rows; row += lanes) {
    const int rows = std::min(lanes, tile.rows - row);
    with_power_of_two<lanes>(rows, [&](auto count) {
      alignas(64) T together[(count + 1) * lanes];
      for (int column = 0; column < tile.columns; column += lanes) {
        const int columns = std::min(lanes, tile.columns - column);
        T* const to       = first + column * pitch + row;
        Vector vectors[count];
        for (int r = 0; r < count; ++r)
          vectors[r] =
              *reinterpret_cast<const Anywhere*>(tile.sums + (row + std::min(r, rows - 1)) * tile.pitch + column);
        shuffle<count, lanes>(vectors);
        const bool is_whole = rows == count && pitch == count && columns == lanes;
        for (int v = 0; v < count; ++v) reinterpret_cast<Anywhere*>(is_whole ? to : together)[v] = vectors[v];
        for (int c = 0; c < columns && !is_whole; ++c) {
          Vector run;
          Part::load(together + c * count, rows, run);
          Part::store(run, rows, to + c * pitch);
        }
      }
    });
  }
}

template <class InstructionSet, class T>
void write_tile(const SumTile<T>& tile, const HostMatrix<T>& matrix) {
  constexpr int lanes  = host_lanes<T, InstructionSet>;
  const bool is_across = step(matrix, tile.along) != 1 && step(matrix, across(tile.along)) == 1;
  if constexpr (lanes > 1) {
    if (is_across && matrix.elements.write == nullptr && tile.rows > 1 && tile.pitch % lanes == 0)
      return write_across<InstructionSet>(tile, matrix);
  }
  tile.for_each_run(
      [&](std::int64_t i, std::int64_t j, const T* sums) { write_run(matrix, i, j, tile.along, tile.columns, sums); });
}

/// sums = sums act'(saved of the layer below), for all runs.
template <class T>
void multiply_by_slope(const HostBelow<T>& below, const SumTile<T>& tile) {
  alignas(64) T saved[longest_run] = {};
  tile.for_each_run([&](std::int64_t i, std::int64_t j, T* sums) {
    if (below.reads_saved()) read_run(below.saved, i, j, tile.along, tile.columns, saved);
    below.slope.multiply(saved, tile.columns, sums);
  });
}

/// Stores the sums as a result says. Overwrites them.
template <class InstructionSet, class T>
void finish(const HostResult<T>& result, const SumTile<T>& tile) {
  const int all = tile.rows * tile.pitch;
  if (result.alpha == T(0)) {
    std::fill(tile.sums, tile.sums + all, T(0));
  } else if (result.alpha != T(1)) {
    change_sums<InstructionSet>(tile.sums, all, [&](T sum, int) { return result.alpha * sum; });
  }
  if (result.beta != T(0))
    combine<InstructionSet>(tile, result.matrix, [&](T sum, T before) { return sum + result.beta * before; });
  if (result.bias.data != nullptr) combine<InstructionSet>(tile, result.bias, [](T sum, T bias) { return sum + bias; });
  if (result.Z.data != nullptr) write_tile<InstructionSet>(tile, result.Z);
  if (result.activation.function != nullptr) result.activation.function(result.activation.functor, all, tile.sums);
  if (result.below != nullptr) multiply_by_slope(*result.below, tile);
  write_tile<InstructionSet>(tile, result.matrix);
}

/// Stores a register tile. With split-k it goes to the slice of its split instead.
template <class T>
void store_tile(Instructions instructions, const HostProduct<T>& product, const TeamWork& work,
                const SumTile<T>& tile) {
  const HostMatrix<T> slice = product.slice_of(work.split);
  with_instructions(instructions, [&](auto set) {
    if (slice.data != nullptr) {
      write_tile<decltype(set)>(tile, slice);
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

/// The same for rows from `first` of a team's tile on, which go to the slice of its split if there is one.
template <class T>
void store_line_sums_of(const HostProduct<T>& product, const TeamWork& work, std::int64_t first, std::int64_t count,
                        T* sums) {
  if (product.partial_sums == nullptr) return store_row_sums(product.result, work.row0 + first, count, sums);
  std::copy(sums, sums + count, product.slice(work.split) + product.shape.m * product.shape.n + work.row0 + first);
}

/// A matrix of accumulators, or its transpose.
template <class T>
MatrixRef<T> turned(const HostMatrix<T>& m, bool is_turned) {
  T* const data = static_cast<T*>(m.data);
  return is_turned ? MatrixRef<T>{data, 0, 0, m.column_stride, m.row_stride}
                   : MatrixRef<T>{data, 0, 0, m.row_stride, m.column_stride};
}

/// Where microkernels store: Z = sums + bias, or sums + matrix + bias. Without Z, in the matrix. Where several register
/// tiles are done, matrix = act(Z) follows, or matrix = matrix act'(saved of the layer below). Without data: the sums
/// must be changed or converted otherwise.
template <class T>
struct DirectResult {
  MatrixRef<T> matrix, Z;  // one and the same if Z is not kept
  bool adds = false;
  MatrixRef<const T> bias{};  // one of its strides is 0
  HostValue activation{};
  const HostBelow<T>* below = nullptr;  // what it saved lies along the direction of the matrix
  bool is_turned            = false;    // the matrix is the transpose of the result
  bool clamps               = false;    // microkernels apply the activation: it is Relu, and Z is not kept

  bool keeps_Z() const { return Z.data != matrix.data; }
  bool is_final() const { return activation.function == nullptr && below == nullptr && !keeps_Z(); }

  /// What belongs to a result that lies elsewhere, and is like the one that this was made of.
  void move_to(const HostResult<T>& result) {
    matrix.data        = static_cast<T*>(result.matrix.data);
    Z.data             = result.Z.data == nullptr ? matrix.data : static_cast<T*>(result.Z.data);
    bias.data          = static_cast<const T*>(result.bias.data);
    activation.functor = result.activation.functor;
  }

  /// Finishes `rows` x `columns` elements from (i, j) on, which are contiguous in one direction, all at once if nothing
  /// lies between them.
  void finish(std::int64_t i, std::int64_t j, int rows, int columns) const {
    finish(matrix.data, Z.data, activation.functor, i, j, rows, columns);
  }
  /// The same of a matrix and a Z that lie elsewhere, with another functor.
  void finish(T* matrix_data, T* Z_data, const void* functor, std::int64_t i, std::int64_t j, int rows,
              int columns) const {
    const bool by_rows = matrix.columns_are_contiguous();
    const auto stride  = [&](const MatrixRef<T>& m) { return by_rows ? m.row_stride : m.column_stride; };
    const auto first   = [&](const MatrixRef<T>& m) { return i * m.row_stride + j * m.column_stride; };
    MatrixRef<T> saved{};
    if (below != nullptr && below->reads_saved()) saved = turned(below->saved, is_turned);
    int runs = by_rows ? rows : columns, length = by_rows ? columns : rows;
    if (stride(matrix) == length && stride(Z) == length && (saved.data == nullptr || stride(saved) == length))
      length *= std::exchange(runs, 1);
    T *to = matrix_data + first(matrix), *from = Z_data + first(Z);
    for (int run = 0; run < runs; ++run, to += stride(matrix), from += stride(Z)) {
      if (keeps_Z()) copy_run(from, length, to);
      if (activation.function != nullptr) activation.function(functor, length, to);
      if (below != nullptr)
        below->slope.multiply(saved.data == nullptr ? nullptr : &saved(i, j) + run * stride(saved), length, to);
    }
  }
};

/// Whether a matrix is left out, or its elements are accumulators.
template <class T>
bool is_as_it_is(const HostMatrix<T>& matrix) {
  return matrix.data == nullptr || matrix.elements.read == nullptr;
}

/// Whether what the layer below saved is read as microkernels store.
template <class T>
bool finds_saved(const DirectResult<T>& result) {
  if (result.below == nullptr || !result.below->reads_saved()) return true;
  const MatrixRef<T> saved = turned(result.below->saved, result.is_turned);
  return is_as_it_is(result.below->saved) &&
         (result.matrix.columns_are_contiguous() ? saved.columns_are_contiguous() : saved.rows_are_contiguous());
}

/// Where microkernels store a part of a product, or its slice, with rows along the direction of the vectors. Register
/// tiles store whole vectors.
template <class T>
DirectResult<T> direct_rows(const HostProduct<T>& product, std::int64_t split) {
  const HostResult<T>& r    = product.result;
  const HostMatrix<T> slice = product.slice_of(split);
  const bool is_slice       = slice.data != nullptr;
  const auto turned         = [&](const HostMatrix<T>& m) { return Impl::turned(m, product.transposed); };
  DirectResult<T> result;
  result.matrix           = turned(is_slice ? slice : r.matrix);
  result.Z                = is_slice || r.Z.data == nullptr ? result.matrix : turned(r.Z);
  const bool is_unchanged = r.alpha == T(1) && (r.beta == T(0) || r.beta == T(1)) && is_as_it_is(r.matrix) &&
                            is_as_it_is(r.Z) && is_as_it_is(r.bias);
  if (!is_slice) {
    const MatrixRef<T> bias = turned(r.bias);
    result.bias             = {bias.data, 0, 0, bias.row_stride, bias.column_stride};
    result.adds             = r.beta == T(1);
    result.activation       = r.activation;
    result.below            = r.below;
    result.is_turned        = product.transposed;
    result.clamps           = r.activation.is_relu && !result.keeps_Z();
    if (result.clamps) result.activation = {};
  }
  const MatrixRef<T>&m = result.matrix, &Z = result.Z;
  const bool by_columns = m.columns_are_contiguous() && Z.columns_are_contiguous();
  const bool is_stored =
      product.inner ? by_columns || (!m.columns_are_contiguous() && m.rows_are_contiguous() && Z.rows_are_contiguous())
                    : by_columns && (result.bias.data == nullptr || result.bias.column_stride <= 1);
  if (!is_stored || !(is_slice || (is_unchanged && finds_saved(result)))) result.matrix.data = nullptr;
  return result;
}

}  // namespace Tegula::Impl

#endif
