// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_CONFIG_HPP
#define TEGULA_FP32_SPLIT_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"
#include "Tegula_AnyMatrix.hpp"
#include "Tegula_Fp32SplitScheme.hpp"
#include "Tegula_TileOrder.hpp"

/// The tiles of the fp32_split family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// A product of parts, by their numbers.
struct PartPair {
  int left, right;
};

/// The schemes of Tegula_Fp32SplitScheme.hpp: how many parts, and which products besides that of the first parts. These
/// further products have a sum of their own, smallest first, which counts `factor` times.
struct HalfParts {
  static constexpr Element input      = Element::f16;
  static constexpr int parts          = 2;
  static constexpr float factor       = 1 / split_low_factor;
  static constexpr PartPair further[] = {{0, 1}, {1, 0}};
};
struct BhalfParts {
  static constexpr Element input      = Element::bf16;
  static constexpr int parts          = 3;
  static constexpr float factor       = 1;
  static constexpr PartPair further[] = {{1, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 0}};
};

/// A tile of TileM x TileN sums; each of two consumer warpgroups has half of its rows. A third warpgroup fetches.
template <int TileM, int TileN>
struct Fp32SplitConfig {
  static constexpr int warpgroup = 128;
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = split_depth;
  static constexpr int consumers = 2, threads = warpgroup * (consumers + 1), teams = 1;
  static constexpr bool takes_turns = false, overlaps = false;
  static constexpr int row_blocks    = tile_m / 64 / consumers;  // of 64 rows, of a consumer
  static constexpr int column_blocks = tile_n / 64;              // of 64 columns, side by side
  static constexpr int blocks        = row_blocks * column_blocks;
  static_assert(row_blocks == 1 && tile_n % 64 == 0);

  // Scratch, in bytes from its beginning: the ring of stages; bias; barriers.
  static constexpr int line_bytes  = tile_k * 2;
  static constexpr int ring_bytes  = 192 * 1024;
  static constexpr int most_stages = ring_bytes / (HalfParts::parts * (tile_m + tile_n) * line_bytes);
  static constexpr int bias_at     = ring_bytes;
  static constexpr int row_floats  = tile_n;  // of a consumer's bias
  static constexpr int barriers_at = bias_at + consumers * row_floats * 4;
  static constexpr int used_bytes  = barriers_at + 2 * most_stages * 8;

  // Results are float, so that threads store them, without blocks in scratch.
  static constexpr int buffers = 0, stores_at = 0, fetches_at = 0;

  static constexpr int alignment     = 1024;  // of the 128-byte swizzle
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// The ring of a scheme, with as many stages as fit.
template <class Config, class Scheme>
struct Fp32SplitRing {
  static constexpr int left_part   = Config::tile_m * Config::line_bytes,
                       right_part  = Config::tile_n * Config::line_bytes;
  static constexpr int left_bytes  = Scheme::parts * left_part;
  static constexpr int stage_bytes = left_bytes + Scheme::parts * right_part;
  static constexpr int stages      = Config::ring_bytes / stage_bytes;
  static constexpr int barriers_at = Config::barriers_at;
  static constexpr int consumers = Config::consumers, tile_consumers = consumers, tile_teams = 1;
  static constexpr bool takes_turns = false;
};

/// Largest first.
using Fp32SplitConfigs = ConfigList<Fp32SplitConfig<128, 128>, Fp32SplitConfig<128, 64>>;

}  // namespace Tegula::Impl

#endif
