// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_CONFIG_HPP
#define TEGULA_TF32_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"
#include "../wgmma/Tegula_WgmmaFloatPiece.hpp"

/// The tiles of the tf32 and tf32x3 families, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A tile of TileM x TileN sums; each consumer warpgroup has 64 rows of it. Stages tiles of both operands are on their
/// way or in use at a time. One more warpgroup fetches operands. With Splits, operands are multiplied in two parts
/// each, and a stage has both parts of the right one.
template <int TileM, int TileN, int Stages, int Teams = 1, bool Splits = false>
struct Tf32Config {
  static constexpr int warpgroup = 128;
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = 32;  // 32 floats: a row of 128 bytes
  static constexpr int stages = Stages, consumers = TileM / 64, teams = Teams;
  static constexpr int tile_consumers = consumers, tile_teams = 1;
  static constexpr bool takes_turns = false;
  static constexpr int threads      = warpgroup * (consumers + 1);
  static constexpr bool splits      = Splits;
  static_assert(tile_m == 64 * consumers && tile_n % 64 == 0);

  // Scratch, in bytes from its beginning: operands; what the epilogue needs; barriers.
  using Ending                           = WgmmaFloatScratch<tile_n, consumers>;
  static constexpr int line_bytes        = tile_k * 4;
  static constexpr int left_bytes        = tile_m * line_bytes;
  static constexpr int right_bytes       = tile_n * line_bytes;  // of a part
  static constexpr int stage_bytes       = left_bytes + (splits ? 2 : 1) * right_bytes;
  static constexpr int ending_at         = stages * stage_bytes;
  static constexpr int barriers_at       = ending_at + Ending::bytes;
  static constexpr int split_barriers_at = barriers_at + 2 * stages * 8;
  static constexpr int used_bytes        = split_barriers_at + (splits ? stages * 8 : 0);

  static constexpr int alignment     = 1024;  // of the 128-byte swizzle
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// Largest first, with as many stages as fit the scratch of a Hopper GPU.
using Tf32Configs =
    ConfigList<Tf32Config<128, 256, 4>, Tf32Config<128, 192, 5>, Tf32Config<128, 128, 6>, Tf32Config<128, 64, 8>>;

/// Those of tf32x3: the second has two teams a multiprocessor.
using Tf32x3Configs = ConfigList<Tf32Config<128, 64, 6, 1, true>, Tf32Config<64, 64, 4, 2, true>>;

}  // namespace Tegula::Impl

#endif
