// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_INNER_PRODUCT_HPP
#define TEGULA_HOST_INNER_PRODUCT_HPP

#include "Tegula_HostMicrokernel.hpp"

/// The innermost loop where rows are few and the steps of a column are neighbours in memory. Transposing such columns
/// into vectors does not pay when few rows use them. So vectors lie along the inner dimension here: columns are read
/// where they lie, and a sum is a vector of partial sums until the end. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// These kernels take at most so many rows.
inline constexpr int inner_rows = 8;

/// A kernel of any number of columns, whose column_step is 1. Step k of row i lies at
///
///   rows[i row_stride + (k / lanes) row_step + k % lanes]
///
/// that is, a vector of steps is contiguous: of rows that are read where they lie, with lanes as row_step, and of
/// packed ones, which take turns vector by vector. What lies behind the last step of a row or a column is not read. For
/// 1 <= rows <= inner_rows.
template <class T>
Microkernel<T> inner_microkernel(Instructions instructions, int rows);

}  // namespace Tegula::Impl

#endif
