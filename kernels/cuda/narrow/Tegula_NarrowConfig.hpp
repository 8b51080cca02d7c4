// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_CONFIG_HPP
#define TEGULA_NARROW_CONFIG_HPP

#include "../direct/Tegula_DirectConfig.hpp"

/// The tiles of the narrow family: what a warp has of a product. Teams are those of the direct family, whose warps
/// share lines of the long operand and depth likewise.

namespace Tegula::Impl {

/// Lines of the long operand that a warp has; and depth that it multiplies at a time, a line of the cache.
inline constexpr int narrow_lines = 64;
template <class Bits>
inline constexpr int narrow_step = 128 / static_cast<int>(sizeof(Bits));

/// Beside Blocks times 8 lines of the short one.
template <int Blocks, class Bits>
struct NarrowConfig {
  static constexpr int blocks = Blocks;
  static constexpr int tile_m = narrow_lines, tile_n = 8 * Blocks;

  // Rows of sums in scratch.
  static constexpr int pitch     = tile_n + tile_n / 4;
  static constexpr int warp_sums = tile_m * pitch;

  // Teams on a multiprocessor that the planner reckons with, by what is left of its registers; its numbers are fitted
  // to that. But two with twice the sums have too few for what is on its way: by one products take 0.8 of the time.
  static constexpr int sum_registers = tile_m * tile_n * static_cast<int>(sizeof(sum_t<Bits>)) / (4 * 32);
  static constexpr int planned_teams = sum_registers > 32 ? 1 : direct_teams;
  static constexpr int teams         = Blocks == 1 ? direct_teams : 1;
};

/// For elements whose bits are of this type. Products of 17 to 64 columns took three to four times as long as by other
/// families, also with tiles of 32 and 64: every warp reads the short operand for itself.
template <class Bits>
using NarrowConfigs = ConfigList<NarrowConfig<1, Bits>, NarrowConfig<2, Bits>>;

/// How the long operand lies: in runs of 16 bytes that are aligned or not, along its depth or along its lines.
enum class NarrowForm : std::uint8_t { depth, lines, unaligned_depth, unaligned_lines };

/// How the short one is read: in runs of 16 bytes along its depth, in pairs of neighbouring lines (of 16 bits), or
/// element by element.
enum class NarrowShortRead : std::uint8_t { runs, pairs_of_lines, elements };

constexpr bool runs_along_lines(NarrowForm form) {
  return form == NarrowForm::lines || form == NarrowForm::unaligned_lines;
}
constexpr bool has_aligned_runs(NarrowForm form) { return form == NarrowForm::depth || form == NarrowForm::lines; }

}  // namespace Tegula::Impl

#endif
