// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_LAYOUT_HPP
#define TEGULA_ASYNC_LAYOUT_HPP

#include "../ptx/Tegula_Major.hpp"
#include "Tegula_TileOrder.hpp"

/// Where the elements of an operand's tile lie in scratch.

namespace Tegula::Impl {

/// A chunk is what a thread copies at once, or else a word or an element.
inline constexpr int chunk_bytes = 16, word_bytes = 4;

/// The swizzle. Rows of `row_chunks` chunks, a power of two, follow each other. Eight chunks are one pass over all
/// banks of scratch. Lanes that read at the same time read `together` chunks of each of 8 / together rows, in a column,
/// which without a swizzle lie in the same banks. The number of a chunk within its row is xor'ed with this value. It is
/// the same for rows 8 apart.
TEGULA_HOST_DEVICE constexpr int chunk_swizzle(int row, int row_chunks, int together = 1) {
  const int width = row_chunks < 8 ? row_chunks : 8, rows_per_pass = 8 / width;
  return row % (8 / together) / rows_per_pass * together;
}

/// Bytes from the beginning of the tile.
TEGULA_HOST_DEVICE constexpr int chunk_offset(int row, int chunk, int row_chunks, int together = 1) {
  return (row * row_chunks + (chunk ^ chunk_swizzle(row, row_chunks, together))) * chunk_bytes;
}

/// A tile of Lines x Depth in scratch. Its rows run along the contiguous direction of the operand, so that chunks are
/// copied whole.
template <class Element, Major major, int Lines, int Depth>
struct AsyncLayout {
  static constexpr int chunk_elements = chunk_bytes / int(sizeof(Element));
  static constexpr int row_chunks     = (major == Major::depth ? Depth : Lines) / chunk_elements;
  static constexpr int row_bytes      = row_chunks * chunk_bytes;
  // Sixteen lanes read a double each, four steps of four lines; 32 lanes a float each of contiguous lines, four steps
  // of eight lines. Of other elements every lane reads a chunk.
  static constexpr int together = sizeof(Element) == 8 || (sizeof(Element) == 4 && major == Major::lines) ? 2 : 1;

  TEGULA_HOST_DEVICE static constexpr int swizzle(int row) { return chunk_swizzle(row, row_chunks, together); }
  TEGULA_HOST_DEVICE static constexpr int offset(int row, int chunk) {
    return chunk_offset(row, chunk, row_chunks, together);
  }
};

}  // namespace Tegula::Impl

#endif
