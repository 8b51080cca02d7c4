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

/// A kernel of any number of columns, whose column_step is 1. Its rows are packed a vector of steps at a time: `lanes`
/// steps of the first row, of the second and so on, then the next steps. Element (i, k) lies at
///
///   rows[(k / lanes) rows lanes + i lanes + k % lanes]
///
/// and zeros follow the last step to the end of its vector. What lies behind the last step of a column is not read.
/// For 1 <= rows <= inner_rows.
template <class T>
Microkernel<T> inner_microkernel(Instructions instructions, int rows);

}  // namespace Tegula::Impl

#endif
