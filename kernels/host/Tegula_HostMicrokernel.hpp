// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_MICROKERNEL_HPP
#define TEGULA_HOST_MICROKERNEL_HPP

#include <cstdint>

#include "Tegula_HostInstructions.hpp"

/// The innermost loops of the host family, compiled into the library. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// The arguments of a microkernel:
///
///   sums(i, j) = (sum over k < depth of row(i, k) column(k, j)) + before(i, j) + bias(i, j)
///
/// and Relu of that if it `clamps`: an instruction or two on registers, where other activations take a loop of their
/// own. row(i, k) lies at rows[i row_stride + k row_step], column(k, j) at columns[k column_step + j column_stride],
/// sums(i, j) at sums[i pitch + j sum_stride], before(i, j) at before[i before_pitch + j before_stride], bias(i, j) at
/// bias[i bias_row_stride + j bias_column_stride], one of which is 0. Panels in scratch and matrices where they lie are
/// just different strides. Columns that are read from far caches are asked for some steps before they are
/// multiplied, and the first steps of those that come next with the last ones of these. The kernels of this file ask
/// for a column_stride, sum_stride and before_stride of 1 and a bias_column_stride of 0 or 1.
template <class T>
struct RegisterProduct {
  std::int64_t depth;
  const T* rows;
  std::int64_t row_stride, row_step;
  const T* columns;
  std::int64_t column_stride, column_step;
  const T* before;  // null: nothing is added
  std::int64_t before_pitch, before_stride;
  const T* bias;  // likewise
  std::int64_t bias_row_stride, bias_column_stride;
  T* sums;
  std::int64_t pitch, sum_stride;
  bool clamps;
  const T* next_columns = nullptr;  // nothing is asked for
};

/// Multiplies any number of columns that takes as many vectors as the kernel has. Stores no more than those. Reads them
/// as whole vectors, unless its set of instructions reads parts of them.
template <class T>
using Microkernel = void (*)(const RegisterProduct<T>&, int columns);

/// The size of register tiles on a set of instructions: at most `rows` x `columns`, in vectors of `lanes` columns.
struct RegisterTileShape {
  int rows, columns, lanes;
  bool reads_parts = false;  // of vectors of columns: these need no padding
  int narrow_rows = 0, wide_rows = 0;

  /// That of a tile of a team: columns that are all one vector have tiles of up to narrow_rows rows, and up to
  /// wide_rows rows have tiles of twice as many columns, if these are read where they lie.
  RegisterTileShape fitted(std::int64_t all_rows, std::int64_t all_columns, bool reads_columns_in_place) const {
    RegisterTileShape shape = *this;
    if (all_columns <= lanes) {
      if (narrow_rows > rows) shape.rows = narrow_rows;
    } else if (all_rows <= wide_rows && reads_columns_in_place) {
      shape.rows    = wide_rows;
      shape.columns = 2 * columns;
    }
    return shape;
  }
};
template <class T>
RegisterTileShape register_tile(Instructions instructions);

/// The microkernels of a set of instructions.
template <class T>
class Microkernels {
 public:
  explicit Microkernels(Instructions instructions);

  /// For a tile that is no larger than a fitted shape.
  Microkernel<T> operator()(int rows, int columns) const {
    int first = 0;  // of those with as many vectors
    if (columns > shape.lanes) first += shape.narrow_rows;
    if (columns > shape.columns) first += shape.rows;
    if (columns > shape.columns + shape.lanes) first += shape.wide_rows;
    return table_[first + rows - 1];
  }

  const RegisterTileShape shape;

 private:
  const Microkernel<T>* table_;
};

extern template class Microkernels<float>;
extern template class Microkernels<double>;

}  // namespace Tegula::Impl

#endif
