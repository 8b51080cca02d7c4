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
  static constexpr bool by_lines = is_along_lines(by);
  static constexpr int rows      = by_lines ? Config::tile_k : Config::tile_m;
  static constexpr int row       = by_lines ? Config::tile_m : Config::tile_k;  // elements
  static constexpr int row_bytes = row * int(sizeof(T)), group_bytes = Config::block * row_bytes + (by_lines ? 0 : 16);

  TEGULA_HOST_DEVICE static constexpr int offset(int line, int depth) {
    const int at_row = by_lines ? depth : line, along = by_lines ? line : depth;
    return at_row / Config::block * group_bytes + at_row % Config::block * row_bytes + along * int(sizeof(T));
  }

  // The unit that lane l copies in pass p is line(l) + line_of(p) lines and depth(l) + depth_of(p) steps from the first
  // one.
  static constexpr int unit      = is_by_elements(by) ? 1 : Config::block;                   // elements
  static constexpr int row_units = row / unit, turns = row_units > 32 ? row_units / 32 : 1;  // passes for a row
  static constexpr int pass_rows = turns > 1 ? 1 : 32 / row_units, passes = rows * turns / pass_rows;
  static_assert(pass_rows * row_units == 32 * turns && pass_rows * passes == rows * turns, "every lane copies as much");

  TEGULA_HOST_DEVICE static constexpr int line(int lane) { return by_lines ? along(lane) : at_row(lane); }
  TEGULA_HOST_DEVICE static constexpr int depth(int lane) { return by_lines ? at_row(lane) : along(lane); }
  TEGULA_HOST_DEVICE static constexpr int line_of(int pass) { return by_lines ? along_of(pass) : row_of(pass); }
  TEGULA_HOST_DEVICE static constexpr int depth_of(int pass) { return by_lines ? row_of(pass) : along_of(pass); }

 private:
  TEGULA_HOST_DEVICE static constexpr int along(int lane) { return lane % (row_units / turns) * unit; }
  TEGULA_HOST_DEVICE static constexpr int at_row(int lane) { return lane / (row_units / turns); }
  TEGULA_HOST_DEVICE static constexpr int along_of(int pass) { return pass % turns * 32 * unit; }
  TEGULA_HOST_DEVICE static constexpr int row_of(int pass) { return pass / turns * pass_rows; }
};

}  // namespace Tegula::Impl

#endif
