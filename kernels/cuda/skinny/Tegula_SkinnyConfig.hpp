// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_CONFIG_HPP
#define TEGULA_SKINNY_CONFIG_HPP

#include <type_traits>

#include "../Tegula_ConfigList.hpp"

/// The tiles of the skinny family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// The longest inner dimension: the whole short operand lies in scratch.
inline constexpr int skinny_depth = 128;

/// A warp sums tiles of tile_m lines of the long operand times all lines of the short one, tile_n at most, in steps of
/// TileK along the inner dimension. LaneRows of its lanes lie along the long side. Every lane has BlocksM x BlocksN
/// blocks of sums, which are 16 bytes wide in both directions. Registers are for Teams teams a multiprocessor. There
/// are up to Waves times as many teams, one after the other: with more teams all end at about the same time, but each
/// loads the short operand.
template <class T, int LaneRows, int BlocksM, int BlocksN, int TileK, int Teams, int Waves>
struct SkinnyConfig {
  using element               = T;
  static constexpr int stages = 2;  // steps of the long operand that are on their way or in use at a time
  static constexpr int warps = 4, threads = 32 * warps, teams = Teams, waves = Waves;

  static constexpr int block     = 16 / int(sizeof(T));
  static constexpr int lane_rows = LaneRows, lane_columns = 32 / LaneRows;
  static constexpr int blocks_m = BlocksM, blocks_n = BlocksN;
  static constexpr int rows = BlocksM * block, columns = BlocksN * block;  // sums of a lane
  static constexpr int tile_m = rows * lane_rows, tile_n = columns * lane_columns, tile_k = TileK;
  static_assert(lane_rows * lane_columns == 32 && tile_k % block == 0 && skinny_depth % tile_k == 0);

  // Scratch, in bytes: stages of every warp; the short operand with the bias.
  static constexpr int stage_bytes    = tile_m * tile_k * int(sizeof(T)) + tile_m / block * 16;
  static constexpr int streamed_bytes = warps * stages * stage_bytes;
  static constexpr int used_bytes     = streamed_bytes + (skinny_depth + 1) * tile_n * int(sizeof(T));
  static constexpr int alignment      = 16;
  static constexpr int scratch_bytes  = used_bytes + alignment;

  // Vectors of sums of a lane, and how many of them fit a stage.
  static constexpr int vectors = rows * blocks_n;
  static constexpr int batch   = [] {
    int batch = vectors;
    while (batch * 32 * 16 > stage_bytes) batch /= 2;
    return batch;
  }();
  static_assert(vectors % batch == 0);

  // Lines whose sums fit a stage, in rows or columns of elements.
  static constexpr int stored_lines = [] {
    int lines = tile_m;
    while ((lines * tile_n + lines) * int(sizeof(T)) > stage_bytes) lines /= 2;
    return lines;
  }();
  static_assert(stored_lines % block == 0);

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// From few columns to many.
template <class T>
struct SkinnyConfigList;
template <>
struct SkinnyConfigList<float> {
  using type = ConfigList<SkinnyConfig<float, 16, 1, 1, 8, 8, 4>, SkinnyConfig<float, 8, 2, 1, 16, 5, 1>,
                          SkinnyConfig<float, 8, 1, 2, 16, 5, 1>>;
};
template <>
struct SkinnyConfigList<double> {
  using type = ConfigList<SkinnyConfig<double, 8, 2, 1, 8, 6, 4>, SkinnyConfig<double, 8, 2, 2, 8, 4, 4>,
                          SkinnyConfig<double, 8, 2, 3, 8, 3, 1>>;
};
template <class T>
using SkinnyConfigs = typename SkinnyConfigList<T>::type;

}  // namespace Tegula::Impl

#endif
