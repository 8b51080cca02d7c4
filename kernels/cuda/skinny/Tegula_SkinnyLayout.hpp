// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_LAYOUT_HPP
#define TEGULA_SKINNY_LAYOUT_HPP

#include "Tegula_SkinnyArguments.hpp"
#include "Tegula_SkinnyConfig.hpp"

/// Where the elements of a step of the long operand lie in scratch, and which lane copies them.

namespace Tegula::Impl {

/// Rows run along the direction in which the operand is copied. Where that is the depth, lanes that read at the same
/// time read the same chunk of rows that are `block` rows apart, so that 16 bytes of padding follow each group of rows.
/// Where it is the lines, they read one row.
template <class Config, StreamBy by>
struct SkinnyLayout {
  using T                        = typename Config::element;
  static constexpr bool by_lines = by == StreamBy::lines;
  static constexpr int rows      = by_lines ? Config::tile_k : Config::tile_m;
  static constexpr int row       = by_lines ? Config::tile_m : Config::tile_k;  // elements
  static constexpr int row_bytes = row * int(sizeof(T)), group_bytes = Config::block * row_bytes + (by_lines ? 0 : 16);

  TEGULA_HOST_DEVICE static constexpr int offset(int line, int depth) {
    const int at_row = by_lines ? depth : line, along = by_lines ? line : depth;
    return at_row / Config::block * group_bytes + at_row % Config::block * row_bytes + along * int(sizeof(T));
  }

  // The unit that lane l copies in pass p is line(l) + line_of(p) lines and depth(l) + depth_of(p) steps from the first
  // one.
  static constexpr int unit      = by == StreamBy::elements ? 1 : Config::block;  // elements
  static constexpr int row_units = row / unit, pass_rows = 32 / row_units, passes = rows / pass_rows;
  static_assert(row_units * pass_rows == 32 && pass_rows * passes == rows, "every lane copies as much");

  TEGULA_HOST_DEVICE static constexpr int line(int lane) {
    return by_lines ? lane % row_units * unit : lane / row_units;
  }
  TEGULA_HOST_DEVICE static constexpr int depth(int lane) {
    return by_lines ? lane / row_units : lane % row_units * unit;
  }
  TEGULA_HOST_DEVICE static constexpr int line_of(int pass) { return by_lines ? 0 : pass * pass_rows; }
  TEGULA_HOST_DEVICE static constexpr int depth_of(int pass) { return by_lines ? pass * pass_rows : 0; }
};

}  // namespace Tegula::Impl

#endif
