// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_COLUMN_SUMS_HPP
#define TEGULA_COLUMN_SUMS_HPP

#include "Tegula_TensorCall.hpp"

namespace Tegula::Impl {

/// Column sums in parts, parts x n, and the row vector that is their total. Null: there are none.
struct ColumnSums {
  const float* parts_of_sums = nullptr;
  std::int32_t parts = 0, n = 0;
  AnyMatrix total{};
  bool accumulates = false;
};

}  // namespace Tegula::Impl

#endif
