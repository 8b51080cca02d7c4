// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_CONFIG_HPP
#define TEGULA_DIRECT_CONFIG_HPP

#include <cstdint>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaCall.hpp"

/// The tiles of the direct family: what a lane, a warp and a team have of a product.

namespace Tegula::Impl {

/// A lane multiplies Rows lines of the long operand by Columns lines of the short one. The lanes of a warp lie RowLanes
/// x ColumnLanes side by side, and DepthLanes behind each other, which share the depth. Batch chunks of depth are on
/// their way at a time.
template <int RowLanes, int ColumnLanes, int DepthLanes, int Rows, int Columns, int Batch>
struct DirectConfig {
  static_assert(RowLanes * ColumnLanes * DepthLanes == 32);
  static constexpr int row_lanes = RowLanes, column_lanes = ColumnLanes, depth_lanes = DepthLanes;
  static constexpr int rows = Rows, columns = Columns, batch = Batch;
  static constexpr int tile_m = row_lanes * rows, tile_n = column_lanes * columns;  // of a warp

  // Rows of sums in scratch, so far apart that lanes which write side by side reach different banks.
  static constexpr int pitch     = tile_n + tile_n / 4;
  static constexpr int warp_sums = tile_m * pitch;
};

/// Of the warps of a team some have lines of the long operand of their own, and the others share their depth with them.
inline constexpr int direct_warps_log2 = 3, direct_warps = 1 << direct_warps_log2,
                     direct_threads_log2 = 5 + direct_warps_log2, direct_threads = 1 << direct_threads_log2,
                     direct_teams = 2;

/// How a lane reads what it multiplies: in runs along the depth, or across neighbouring lines, or one by one.
enum class DirectRead : std::uint8_t { depth, lines, elements };

/// Depth of a chunk that a lane reads at a time: 16 bytes of each line, or 8 where elements of 16 bits come one by one.
template <class Bits>
constexpr int direct_depth(DirectRead left, DirectRead right) {
  const bool one_by_one = left != DirectRead::depth || right != DirectRead::depth;
  return 16 / static_cast<int>(sizeof(Bits)) / (sizeof(Bits) == 2 && one_by_one ? 2 : 1);
}

/// Chunks that are on their way at a time: those of double have room for half as many, since sums take more registers.
template <class Bits>
constexpr int direct_batch(int batch) {
  return sizeof(Bits) == 8 ? (batch + 1) / 2 : batch;
}

/// One that shares the depth among many lanes, and one for more results.
using DirectConfigs = ConfigList<DirectConfig<4, 2, 4, 2, 4, 3>, DirectConfig<4, 4, 2, 4, 4, 2>>;

}  // namespace Tegula::Impl

#endif
