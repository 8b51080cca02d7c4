// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_COLUMN_SUMS_HPP
#define TEGULA_COLUMN_SUMS_HPP

#include "Tegula_CudaCall.hpp"

namespace Tegula::Impl {

/// Partial sums of columns, parts x n, and the row vector that their total goes to. Null: there are none.
template <class Sum>
struct ColumnSumsOf {
  const Sum* parts_of_sums = nullptr;
  std::int32_t parts = 0, n = 0;
  AnyMatrix total{};
  bool accumulates = false;
};

using ColumnSums = ColumnSumsOf<float>;

}  // namespace Tegula::Impl

#endif
