// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_MICROKERNEL_HPP
#define TEGULA_HOST_MICROKERNEL_HPP

#include <cstdint>

#include "Tegula_HostInstructions.hpp"

/// The innermost loops of the host family, compiled into the library. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// The arguments of a microkernel:
///
///   sums(i, j) = before(i, j) + sum over k < depth of row(i, k) column(k, j)
///
/// row(i, k) lies at rows[i row_stride + k row_step], column(k, j) at columns[k column_step + j column_stride],
/// sums(i, j) at sums[i pitch + j], before(i, j) at before[i before_pitch + j]. Panels in scratch and matrices where
/// they lie are just different strides. The kernels of this file ask for a column_stride of 1.
template <class T>
struct RegisterProduct {
  std::int64_t depth;
  const T* rows;
  std::int64_t row_stride, row_step;
  const T* columns;
  std::int64_t column_stride, column_step;
  const T* before;  // null: sums begin at 0
  std::int64_t before_pitch;
  T* sums;
  std::int64_t pitch;
};

template <class T>
using Microkernel = void (*)(const RegisterProduct<T>&);

/// The size of register tiles on a set of instructions: at most `rows` x `columns`, whole vectors of `lanes` columns.
struct RegisterTileShape {
  int rows, columns, lanes;
};
template <class T>
RegisterTileShape register_tile(Instructions instructions);

/// The microkernels of a set of instructions.
template <class T>
class Microkernels {
 public:
  explicit Microkernels(Instructions instructions);

  /// For 1 <= rows <= shape.rows and a multiple of shape.lanes columns, at most shape.columns.
  Microkernel<T> operator()(int rows, int columns) const {
    return table_[(columns / shape.lanes - 1) * shape.rows + rows - 1];
  }

  const RegisterTileShape shape;

 private:
  const Microkernel<T>* table_;
};

extern template class Microkernels<float>;
extern template class Microkernels<double>;

}  // namespace Tegula::Impl

#endif
