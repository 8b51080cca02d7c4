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
/// row(i, k) lies at rows[i row_stride + k row_step], column(k, j) at columns[k column_step + j column_stride],
/// sums(i, j) at sums[i pitch + j sum_stride], before(i, j) at before[i before_pitch + j before_stride], bias(i, j) at
/// bias[i bias_row_stride + j bias_column_stride], one of which is 0. Panels in scratch and matrices where they lie are
/// just different strides. The kernels of this file ask for a column_stride, sum_stride and before_stride of 1 and a
/// bias_column_stride of 0 or 1.
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
};

/// Multiplies any number of columns that takes as many vectors as the kernel has. Stores no more than those. Reads them
/// as whole vectors, unless its set of instructions reads parts of them.
template <class T>
using Microkernel = void (*)(const RegisterProduct<T>&, int columns);

/// The size of register tiles on a set of instructions: at most `rows` x `columns`, in vectors of `lanes` columns.
struct RegisterTileShape {
  int rows, columns, lanes;
  bool reads_parts = false;  // of vectors of columns: these need no padding
};
template <class T>
RegisterTileShape register_tile(Instructions instructions);

/// The microkernels of a set of instructions.
template <class T>
class Microkernels {
 public:
  explicit Microkernels(Instructions instructions);

  /// For 1 <= rows <= shape.rows and 1 <= columns <= shape.columns.
  Microkernel<T> operator()(int rows, int columns) const {
    return table_[(columns > shape.lanes ? shape.rows : 0) + rows - 1];
  }

  const RegisterTileShape shape;

 private:
  const Microkernel<T>* table_;
};

extern template class Microkernels<float>;
extern template class Microkernels<double>;

}  // namespace Tegula::Impl

#endif
