// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LONG_ROWS_HPP
#define TEGULA_LONG_ROWS_HPP

#include <utility>

#include "Tegula_CudaCall.hpp"
#include "Tegula_TileOrder.hpp"

/// Products of a long matrix and a small one, whichever side is the long one.

namespace Tegula::Impl {

/// The call with rows as its long side, C^T = right left^T if need be, and its shape.
template <class T>
std::pair<ProductCall<T>, GemmShape> with_long_rows(const ProductCall<T>& call, const GemmShape& shape) {
  if (shape.m >= shape.n) return {call, shape};
  return {transposed(call), shape.transposed()};
}

/// A tile with its long side where the product has it: rows or columns.
inline TileShape with_long_side(const GemmShape& shape, const TileShape& tile) {
  return shape.m >= shape.n ? tile : tile.transposed();
}

}  // namespace Tegula::Impl

#endif
