// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_PLACE_CUH
#define TEGULA_SHALLOW_PLACE_CUH

#include "Tegula_ShallowArguments.hpp"
#include "Tegula_ShallowConfig.hpp"

namespace Tegula::Impl {

/// Where a unit is in its team, and what the team has of dC: a panel of columns, from row `first` up to row `last`, and
/// the depth from `depth_at` on. A team goes down `step` rows at a time.
struct ShallowPlace {
  std::int32_t panel_column, first, last, depth_at, step;
  int across, unit, lane, rows;  // units side by side; rows of a unit

  // In units.
  __device__ int row_block() const { return unit / across; }
  __device__ int column_block() const { return unit % across; }
  __device__ std::int32_t row() const { return first + row_block() * rows; }
};

}  // namespace Tegula::Impl

#endif
