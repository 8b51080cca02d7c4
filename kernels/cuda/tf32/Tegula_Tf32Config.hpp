// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_CONFIG_HPP
#define TEGULA_TF32_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"

/// The tiles of the tf32 family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A tile of 128 x TileN sums; each of two consumer warpgroups has 64 rows of it. Stages tiles of both operands are on
/// their way or in use at a time. A third warpgroup fetches operands.
template <int TileN, int Stages>
struct Tf32Config {
  static constexpr int warpgroup = 128;
  static constexpr int tile_m = 128, tile_n = TileN, tile_k = 32;  // 32 floats: a row of 128 bytes
  static constexpr int stages = Stages, buffers = 2, consumers = 2, teams = 1;
  static constexpr int tile_consumers = consumers, tile_teams = 1;
  static constexpr bool takes_turns = false;
  static constexpr int threads      = warpgroup * (consumers + 1);
  static_assert(tile_n % 64 == 0);

  // Scratch, in bytes from its beginning: operands; pieces of sums to be stored; barriers.
  static constexpr int line_bytes    = tile_k * 4;
  static constexpr int left_bytes    = tile_m * line_bytes;
  static constexpr int stage_bytes   = left_bytes + tile_n * line_bytes;
  static constexpr int piece_columns = 16;
  static constexpr int piece_bytes   = 64 * piece_columns * 4;
  static constexpr int pieces_at     = stages * stage_bytes;
  static constexpr int barriers_at   = pieces_at + consumers * buffers * piece_bytes;
  static constexpr int used_bytes    = barriers_at + 2 * stages * 8;

  static constexpr int alignment     = 1024;  // of the 128-byte swizzle
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// Largest first, with as many stages as fit the scratch of a Hopper GPU.
using Tf32Configs = ConfigList<Tf32Config<256, 4>, Tf32Config<192, 5>, Tf32Config<128, 6>, Tf32Config<64, 8>>;

}  // namespace Tegula::Impl

#endif
