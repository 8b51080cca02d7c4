// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_CONFIG_HPP
#define TEGULA_GEMV_CONFIG_HPP

#include "../Tegula_ConfigList.hpp"
#include "../ptx/Tegula_Major.hpp"

/// The tiles of the gemv family, and the scratch that a team needs for them.

namespace Tegula::Impl {

/// The short operand has up to Lines lines. A stage holds Rows rows of the long operand for each of Warps warps. A row
/// has 16 bytes for each lane, along the contiguous direction of the operand. Stages stages are on their way or in use
/// at a time. Registers are for Teams teams a multiprocessor.
template <class T, Major Along, int Lines, int Warps, int Rows, int Stages, int Teams>
struct GemvConfig {
  using element                  = T;
  static constexpr bool by_lines = Along == Major::lines;
  static constexpr int lines = Lines, warps = Warps, threads = 32 * Warps, rows = Rows, stages = Stages, teams = Teams;

  static constexpr int unit      = 16 / int(sizeof(T));  // elements
  static constexpr int row_bytes = 512, row = 32 * unit;
  static constexpr int tile_lines = by_lines ? row : warps * rows, tile_k = by_lines ? warps * rows : row;

  // A lane has sums of so many lines of the long operand; the sums of so many warps are added in the end.
  static constexpr int columns = by_lines ? unit : rows, parts = by_lines ? warps : 1;

  // Scratch, in bytes: stages of both operands; in the end the sums.
  static constexpr int long_bytes    = warps * rows * row_bytes;
  static constexpr int stage_bytes   = long_bytes + lines * tile_k * int(sizeof(T));
  static constexpr int used_bytes    = stages * stage_bytes;
  static constexpr int alignment     = 16;
  static constexpr int scratch_bytes = used_bytes + alignment;
  static_assert(parts * lines * tile_lines * int(sizeof(T)) <= used_bytes && Stages >= 2);
  static_assert(lines * tile_k % threads == 0 && lines % unit == 0);
  static_assert(by_lines || lines * columns % 32 == 0);

  static constexpr TileShape shape() { return {tile_lines, lines, tile_k}; }
};

/// One for each contiguous direction of the long operand, and number of lines of the short one. Sums of double take
/// twice the registers, those of twice the lines likewise. More than 8 lines in double are left to tensor cores, whose
/// family took no longer in any of the calls that were measured.
template <class T, Major Along, int Lines>
struct GemvTileOf;
template <class T, Major Along>
struct GemvTileOf<T, Along, 8> {
  using type = GemvConfig<T, Along, 8, 8, 8, 3, 2>;
};
template <>
struct GemvTileOf<double, Major::depth, 8> {
  using type = GemvConfig<double, Major::depth, 8, 8, 4, 4, 2>;
};
template <>
struct GemvTileOf<float, Major::depth, 16> {
  using type = GemvConfig<float, Major::depth, 16, 8, 8, 4, 1>;
};
template <>
struct GemvTileOf<float, Major::lines, 16> {
  using type = GemvConfig<float, Major::lines, 16, 8, 8, 3, 2>;
};
template <class T, Major Along, int Lines>
using GemvTile = typename GemvTileOf<T, Along, Lines>::type;

template <class T>
inline constexpr std::int64_t gemv_most_lines = sizeof(T) == 4 ? 16 : 8;

/// Calls function.operator()<Lines>() for the fewest lines that there are tiles for, and that hold so many.
template <class T, class Function>
decltype(auto) with_gemv_lines(std::int64_t lines, const Function& function) {
  if constexpr (gemv_most_lines < T >> 8) {
    if (lines > 8) return function.template operator()<16>();
  }
  return function.template operator()<8>();
}

}  // namespace Tegula::Impl

#endif
