// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_ELEMENT_LAYOUT_HPP
#define TEGULA_MMA_ELEMENT_LAYOUT_HPP

#include "../async/Tegula_AsyncLayout.hpp"

/// Where the lanes of a warp find fragments in scratch that they read element by element: doubles, and floats whose
/// lines are contiguous.

namespace Tegula::Impl {

/// The element that lane l of a warp reads of its first 8 lines and 4 steps of depth: line l / 4, step l mod 4. The
/// numbers of the warp's first line and step are multiples of its lines and steps, powers of two. So the rest is
/// reached by adding rows and by xor'ing chunks, since the bits that change are 0 before. Lanes that read at a time,
/// half a warp of doubles and all of it of floats, name two chunks of each of 4 rows.
template <class Element, Major major, int Lines, int Depth>
struct MmaElementLane {
  using Layout                        = AsyncLayout<Element, major, Lines, Depth>;
  static constexpr int chunk_elements = Layout::chunk_elements;
  static_assert(Layout::together == 2);

  int row, chunk;  // in bytes; the chunk is swizzled, and the place within it is added

  TEGULA_HOST_DEVICE constexpr MmaElementLane(int first_line, int first_step, int lane) : row(0), chunk(0) {
    const int line = first_line + lane / 4, depth = first_step + lane % 4;
    const int at_row = major == Major::depth ? line : depth, along = major == Major::depth ? depth : line;
    row   = at_row * Layout::row_bytes;
    chunk = (along / chunk_elements ^ Layout::swizzle(at_row)) * chunk_bytes +
            along % chunk_elements * int(sizeof(Element));
  }

  // Eight lines or 4 steps further are rows further, or chunks of a row, eight of which are swizzled.
  static constexpr int rows_apart    = major == Major::depth ? 8 : 4,
                       chunks_apart  = (major == Major::depth ? 4 : 8) / chunk_elements;
  static constexpr int columns_apart = 8 / chunks_apart;  // with the same swizzle

  /// Bytes to `number` times 8 lines, or 4 steps, further, whichever changes the row.
  TEGULA_HOST_DEVICE static constexpr int row_offset(int number) { return number * rows_apart * Layout::row_bytes; }
  /// The same along a row, for the part that is added.
  TEGULA_HOST_DEVICE static constexpr int column_offset(int number) { return number / columns_apart * 8 * chunk_bytes; }

  /// The place `rows` and `columns` times further; column_offset is still to be added.
  TEGULA_HOST_DEVICE constexpr int offset(int rows, int columns) const {
    return row + row_offset(rows) + (chunk ^ columns % columns_apart * chunks_apart * chunk_bytes);
  }
};

}  // namespace Tegula::Impl

#endif
