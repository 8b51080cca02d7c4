// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_CONFIG_HPP
#define TEGULA_FP32_SPLIT_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"
#include "../wgmma/Tegula_WgmmaFloatPiece.hpp"
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

/// A tile of TileM x TileN sums; each consumer warpgroup has 64 of its rows. One more warpgroup fetches. Where Teams
/// run on a multiprocessor at once, one ends its tile while another one multiplies.
template <int TileM, int TileN, int Teams>
struct Fp32SplitConfig {
  static constexpr int warpgroup = 128;
  static constexpr int tile_m = TileM, tile_n = TileN, tile_k = split_depth;
  static constexpr int consumers = TileM / 64, threads = warpgroup * (consumers + 1), teams = Teams;
  static_assert(tile_m == 64 * consumers && tile_n % 64 == 0);

  // Scratch, in bytes from its beginning: the ring of stages; what the epilogue needs; scales of columns; barriers.
  using Ending                     = WgmmaFloatScratch<tile_n, consumers>;
  static constexpr int line_bytes  = tile_k * 2;
  static constexpr int ring_bytes  = 192 * 1024 / teams;
  static constexpr int most_stages = ring_bytes / (HalfParts::parts * (tile_m + tile_n) * line_bytes);
  static constexpr int ending_at   = ring_bytes;
  static constexpr int scales_at   = ending_at + Ending::bytes;
  static constexpr int barriers_at = scales_at + consumers * Ending::line_bytes;
  static constexpr int used_bytes  = barriers_at + 2 * most_stages * 8;

  static constexpr int alignment     = 1024;  // of the 128-byte swizzle
  static constexpr int scratch_bytes = used_bytes + alignment;

  static constexpr TileShape shape() { return {tile_m, tile_n, tile_k}; }
};

/// The sums of a consumer, of which each thread has some in registers, as Wgmma lays them out.
template <class Config>
using Fp32SplitSums = float[Config::tile_n / 2];

/// The ring of a scheme, with as many stages as fit.
template <class Config, class Scheme>
struct Fp32SplitRing {
  static constexpr int left_part   = Config::tile_m * Config::line_bytes,
                       right_part  = Config::tile_n * Config::line_bytes;
  static constexpr int left_bytes  = Scheme::parts * left_part;
  static constexpr int stage_bytes = left_bytes + Scheme::parts * right_part;
  static constexpr int stages      = Config::ring_bytes / stage_bytes;
  static_assert(stages >= 2, "a consumer waits for the next stage before it gives one back");
  static constexpr int barriers_at = Config::barriers_at;
  static constexpr int consumers = Config::consumers, tile_consumers = consumers, tile_teams = 1;
  static constexpr bool takes_turns = false;
};

/// Largest first.
using Fp32SplitConfigs =
    ConfigList<Fp32SplitConfig<128, 128, 1>, Fp32SplitConfig<128, 64, 1>, Fp32SplitConfig<64, 64, 2>>;

}  // namespace Tegula::Impl

#endif
