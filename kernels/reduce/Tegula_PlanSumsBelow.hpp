// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLAN_SUMS_BELOW_HPP
#define TEGULA_PLAN_SUMS_BELOW_HPP

#include <algorithm>
#include <cstdint>

#include "Tegula_Call.hpp"

/// How the columns of dZ of the layer below are summed behind the product (Tegula_SumColumns.hpp). Nothing here needs
/// Kokkos.

namespace Tegula::Impl {

/// Columns that are summed at once: on a host as many as are neighbours in some lines of its cache.
template <bool IsHost>
inline constexpr int summed_at_once = IsHost ? 64 : 1;

/// Plans them where they are wanted, for a device that runs so many sums at once. Parts are of as many rows as make
/// them worth the workspace.
inline void plan_sums_below(Plan& plan, const Call& call, std::size_t accumulator_bytes, std::int64_t at_once,
                            int columns) {
  if (!call.below || call.below->dbias.data == nullptr || call.dA.columns == 0) return;
  constexpr std::int64_t shortest_part = 128;
  const std::int64_t m = call.dA.rows, k = call.dA.columns;
  GradientPlan& below      = plan.below;
  below.sums_columns       = true;
  below.strips             = ceil_div(k, std::int64_t(columns));
  const std::int64_t parts = std::clamp<std::int64_t>(at_once / below.strips, 1, ceil_div(m + 1, shortest_part));
  below.part_rows          = std::max<std::int64_t>(1, ceil_div(m, parts));
  below.parts              = std::max<std::int64_t>(1, ceil_div(m, below.part_rows));
  below.sums_bytes         = below.parts > 1 ? static_cast<std::size_t>(below.parts * k) * accumulator_bytes : 0;
}

}  // namespace Tegula::Impl

#endif
