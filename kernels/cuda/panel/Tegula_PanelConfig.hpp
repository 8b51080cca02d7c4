// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_CONFIG_HPP
#define TEGULA_PANEL_CONFIG_HPP

#include "Tegula_TileOrder.hpp"

/// The one tile of the panel family, and the scratch that a team needs for it.

namespace Tegula::Impl {

/// A group of warps sums tiles of tile_m lines of the left operand times all lines of a panel of the right one, in
/// steps of tile_k along the inner dimension. Each warp has 32 x 32 sums. Wider tiles of a warp would leave fewer than
/// four warps for each scheduler: two that multiply, and two that store.
struct PanelConfig {
  using element = double;
  using sum     = double;

  static constexpr int tile_m = 32, tile_n = 128, tile_k = 16;
  static constexpr int warp_m = 32, warp_n = 32;
  static constexpr int groups = 4, turns = 2;  // all groups, and those that multiply at a time
  static constexpr int group_warps = tile_n / warp_n, group_threads = 32 * group_warps;
  static constexpr int threads = groups * group_threads, teams = 1;
  static constexpr int stages     = 3;    // steps of the left operand that are on their way or in use at a time
  static constexpr int most_depth = 128;  // the whole panel lies in scratch
  static_assert(tile_m == warp_m && 2 * turns <= groups, "a turn is not given twice before it is taken");

  // The threads that copy each operand.
  struct Streamed {
    using element               = double;
    static constexpr int tile_k = PanelConfig::tile_k, threads = group_threads;
  };
  struct Held {
    using element               = double;
    static constexpr int tile_k = PanelConfig::tile_k, threads = PanelConfig::threads;
  };

  // A warp's sums leave through scratch, 8 rows at a time.
  static constexpr int staged_rows = 8, staged_row_bytes = warp_n * int(sizeof(double));

  // Scratch, in bytes: the panel, step after step; the stages of every group; what every warp stores; the bias.
  static constexpr int held_step_bytes = tile_n * tile_k * int(sizeof(double));
  static constexpr int stage_bytes     = tile_m * tile_k * int(sizeof(double));
  static constexpr int staged_bytes    = staged_rows * staged_row_bytes;
  static constexpr int streamed_at     = most_depth / tile_k * held_step_bytes;
  static constexpr int staged_at       = streamed_at + groups * stages * stage_bytes;
  static constexpr int bias_at         = staged_at + groups * group_warps * staged_bytes;
  static constexpr int used_bytes      = bias_at + tile_n * int(sizeof(double));
  static constexpr int alignment       = 128;  // for TMA
  static constexpr int scratch_bytes   = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

}  // namespace Tegula::Impl

#endif
