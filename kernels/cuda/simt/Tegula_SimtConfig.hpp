// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_CONFIG_HPP
#define TEGULA_SIMT_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"

/// The tiles of the simt family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A tile of TileM x TileN sums in steps of TileK along the inner dimension. Stages tiles of both operands are on their
/// way or in use at a time. WarpsM x WarpsN warps divide the sums among them; WarpsK such groups divide the depth of
/// every step, and their sums are added in the end. Registers are for Teams teams a multiprocessor. LaneRows of the
/// lanes of a warp lie along the rows of its sums.
template <int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int WarpsK, int Teams, int LaneRows = 4>
struct SimtConfig {
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = TileK;
  static constexpr int stages = Stages, teams = Teams;
  static constexpr int warps_n = WarpsN, warps_k = WarpsK, group_warps = WarpsM * WarpsN;
  static constexpr int warps = group_warps * WarpsK, threads = 32 * warps;

  // A lane has blocks of 4 x 4.
  static constexpr int lane_rows = LaneRows, lane_columns = 32 / LaneRows, block = 4;
  static constexpr int warp_m = TileM / WarpsM, warp_n = TileN / WarpsN;
  static constexpr int blocks_m = warp_m / (lane_rows * block), blocks_n = warp_n / (lane_columns * block);
  static constexpr int slice = TileK / WarpsK;  // depth of a step that a warp multiplies
  static_assert(warp_m * WarpsM == TileM && warp_n * WarpsN == TileN && slice * WarpsK == TileK && Stages >= 2);
  static_assert(blocks_m * lane_rows * block == warp_m && blocks_n * lane_columns * block == warp_n && slice % 2 == 0);

  // Scratch, in bytes. A row of a tile holds all lines of one step of depth.
  static constexpr int padding       = 4;  // elements of a row
  static constexpr int left_bytes    = (tile_m + padding) * tile_k * 4;
  static constexpr int stage_bytes   = left_bytes + (tile_n + padding) * tile_k * 4;
  static constexpr int used_bytes    = stages * stage_bytes;
  static constexpr int alignment     = 16;
  static constexpr int scratch_bytes = used_bytes + alignment;

  // Vectors of sums of a thread, and how many of them scratch can hold for all threads at a time.
  static constexpr int vectors = blocks_m * block * blocks_n;
  static constexpr int batch   = [] {
    int batch = vectors;
    while (batch * threads * 16 > used_bytes) batch /= 2;
    return batch;
  }();
  static_assert(batch >= WarpsK && vectors % batch == 0 && batch % WarpsK == 0);

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// In order: for many tiles; for fewer, and for very few, whose warps share the depth; for short sums, of which the
/// first step should be there soon; for few rows and for few columns; for very few, where memory is the limit. Most
/// want no more than 40 KiB of scratch.
using SimtConfigs = ConfigList<SimtConfig<64, 128, 16, 3, 2, 2, 1, 4>, SimtConfig<128, 64, 16, 3, 2, 2, 1, 4, 8>,
                               SimtConfig<64, 64, 32, 3, 2, 1, 2, 4>, SimtConfig<32, 64, 64, 3, 1, 1, 8, 1>,
                               SimtConfig<32, 32, 32, 3, 1, 1, 4, 5>, SimtConfig<64, 64, 8, 4, 2, 2, 1, 5>,
                               SimtConfig<64, 32, 8, 4, 2, 1, 1, 10>, SimtConfig<32, 64, 16, 3, 1, 2, 1, 8>,
                               SimtConfig<128, 32, 16, 3, 4, 1, 1, 5>, SimtConfig<8, 128, 64, 3, 1, 1, 4, 2, 2>,
                               SimtConfig<128, 8, 64, 3, 1, 1, 4, 2, 16>>;

}  // namespace Tegula::Impl

#endif
