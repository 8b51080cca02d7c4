// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_LAYOUT_HPP
#define TEGULA_MMA_LAYOUT_HPP

#include "../ptx/Tegula_Major.hpp"
#include "Tegula_TileOrder.hpp"

/// Where the elements of an operand's tile lie in scratch.

namespace Tegula::Impl {

/// A chunk is what a thread copies and what a row of ldmatrix reads: 8 elements of 16 bits.
inline constexpr int chunk_elements = 8, chunk_bytes = 16;

/// Rows of `row_chunks` chunks, a power of two, follow each other. Eight chunks are one pass over all banks of scratch.
/// ldmatrix reads one chunk of each of eight rows at a time, which without this would lie in the same banks: the number
/// of a chunk within its row is xor'ed with this. It is the same for rows 8 apart.
TEGULA_HOST_DEVICE constexpr int chunk_swizzle(int row, int row_chunks) {
  const int width = row_chunks < 8 ? row_chunks : 8, rows_per_pass = 8 / width;
  return row % 8 / rows_per_pass;
}

/// Bytes from the beginning of the tile.
TEGULA_HOST_DEVICE constexpr int chunk_offset(int row, int chunk, int row_chunks) {
  return (row * row_chunks + (chunk ^ chunk_swizzle(row, row_chunks))) * chunk_bytes;
}

/// How four matrices follow each other: after that of the first lines and steps of depth the next lines, or the next
/// steps. An mma takes the registers of its right operand, 8 lines and 16 steps, only if they follow each other.
enum class MatrixOrder { lines_first, depth_first };

/// A tile of Lines x Depth as it lies in scratch: rows run along the contiguous direction of the operand, so that
/// chunks are copied whole.
template <Major major, int Lines, int Depth>
struct MmaLayout {
  static constexpr int row_chunks = (major == Major::depth ? Depth : Lines) / chunk_elements;
  static constexpr int row_bytes  = row_chunks * chunk_bytes;

  /// Bytes to `number` times 16 rows further; the swizzle is the same there.
  TEGULA_HOST_DEVICE static constexpr int row_offset(int number) { return number * 16 * row_bytes; }

  /// The chunk that one lane of a warp names to ldmatrix. It reads 16 lines x 16 steps of depth as four matrices of 8 x
  /// 8; which of them comes second is what `order` says. The lane gives its row and chunk for the first of the warp's
  /// lines, whose number is a power of two; what follows is reached by adding rows and by xor'ing chunks, as bits of
  /// the number that are 0 before.
  struct Lane {
    int row, chunk;  // in bytes; the chunk is swizzled

    TEGULA_HOST_DEVICE constexpr Lane(MatrixOrder order, int first_line, int lane) : row(0), chunk(0) {
      const int second = lane / 8 % 2 * 8, third = lane / 16 * 8;
      const int lines    = first_line + (order == MatrixOrder::lines_first ? second : third),
                depth    = order == MatrixOrder::lines_first ? third : second;
      const int at_row   = (major == Major::depth ? lines : depth) + lane % 8;
      const int at_chunk = (major == Major::depth ? depth : lines) / chunk_elements;
      row                = at_row * row_bytes;
      chunk              = (at_chunk ^ chunk_swizzle(at_row, row_chunks)) * chunk_bytes;
    }

    /// Where that is, `rows` and `columns` times 16 rows and 16 elements of a row further.
    TEGULA_HOST_DEVICE constexpr int offset(int rows, int columns) const {
      return row + row_offset(rows) + (chunk ^ columns * 2 * chunk_bytes);
    }
  };
};

}  // namespace Tegula::Impl

#endif
