// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_COST_HPP
#define TEGULA_CUDA_COST_HPP

#include "Tegula_TileOrder.hpp"

/// What the cost models of the families for CUDA share. Costs are cycles of a multiprocessor; only ratios matter.
/// Fitted to an H200.

namespace Tegula::Impl {

inline double number(std::int64_t count) { return static_cast<double>(count); }

inline std::int64_t count_tiles(const GemmShape& shape, const TileShape& tile) {
  return ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n);
}

/// The cost of the second kernel, which adds the slices of a product with split-k.
inline double reduction_cost(const GemmShape& shape, std::int64_t splits, int multiprocessors,
                             double sum_bytes = sizeof(float)) {
  constexpr double kernel = 8000;  // cycles that it takes at least
  constexpr double bytes  = 2.5;   // per cycle and multiprocessor
  if (splits == 1) return 0;
  return kernel + sum_bytes * number(shape.m * shape.n * (splits + 1)) / (bytes * multiprocessors);
}

}  // namespace Tegula::Impl

#endif
