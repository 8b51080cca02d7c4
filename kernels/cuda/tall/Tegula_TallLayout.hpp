// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_LAYOUT_HPP
#define TEGULA_TALL_LAYOUT_HPP

#include <algorithm>

#include "../ptx/Tegula_Major.hpp"
#include "Tegula_TallConfig.hpp"

/// Where the elements of a tile lie in scratch, and which lane copies them.

namespace Tegula::Impl {

/// A line of scratch is a row of the tile if rows are contiguous in memory (Major::depth), a column otherwise. The
/// units of 16 bytes of a line are swizzled: their numbers are xor'ed with the number of the line, so that lanes that
/// read the same places of neighbouring lines at the same time reach different banks.
template <class Config, Major major>
struct TallLayout {
  using T                          = typename Config::element;
  static constexpr bool along_rows = major == Major::depth;
  static constexpr int size        = int(sizeof(T));
  static constexpr int length      = along_rows ? Config::width : Config::tile_rows;
  static constexpr int lines       = along_rows ? Config::tile_rows : Config::width;
  static constexpr int line_bytes  = length * size;

  // 128 bytes are all banks. Eight lanes read a unit each, or lanes read doubles one by one, two units of a line.
  static constexpr int unit = 16 / size, units = length / unit, bank_units = 8;
  static constexpr int grain = size / 4, lines_a_turn = std::max(1, bank_units / units),
                       turns = std::min(bank_units, units) / grain;

  TEGULA_HOST_DEVICE static constexpr int turn(int line) { return line / lines_a_turn % turns * grain * 16; }

  /// Bytes from the beginning of the tile.
  TEGULA_HOST_DEVICE static constexpr int offset(int line, int at) {
    return line * line_bytes + ((at * size) ^ turn(line));
  }
  TEGULA_HOST_DEVICE static constexpr int place(int row, int column) {
    return along_rows ? offset(row, column) : offset(column, row);
  }

  /// The address so many lines, or rows and columns, behind `address`. No bit of these numbers may be set in what they
  /// are added to: then they are constants, or nearly, even where the lane is not. Tiles begin at multiples of 128.
  TEGULA_HOST_DEVICE static constexpr std::uint32_t behind(std::uint32_t address, int lines_on, int on) {
    const int bytes = on * size, within = bytes % 128;
    return (address ^ static_cast<std::uint32_t>(within ^ turn(lines_on))) +
           static_cast<std::uint32_t>(bytes - within + lines_on * line_bytes);
  }
  TEGULA_HOST_DEVICE static constexpr std::uint32_t place_behind(std::uint32_t address, int rows, int columns) {
    return along_rows ? behind(address, rows, columns) : behind(address, columns, rows);
  }

  // In pass p lane l copies unit at(l) of line line(l) + p pass_lines.
  static constexpr int pass_lines = 32 / units, passes = lines / pass_lines;
  static_assert(pass_lines * units == 32 && passes * pass_lines == lines, "every lane copies as much");
  TEGULA_HOST_DEVICE static constexpr int line(int lane) { return lane / units; }
  TEGULA_HOST_DEVICE static constexpr int at(int lane) { return lane % units * unit; }
  TEGULA_HOST_DEVICE static constexpr int pass_offset(int lane, int pass) {
    return offset(line(lane) + pass * pass_lines, at(lane));
  }
};

}  // namespace Tegula::Impl

#endif
