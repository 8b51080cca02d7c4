// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_LAYOUT_HPP
#define TEGULA_MMA_LAYOUT_HPP

#include <cstdint>

#include "../async/Tegula_AsyncLayout.hpp"

/// Where the lanes of a warp find fragments in scratch that ldmatrix reads: elements of 16 bits, and floats whose depth
/// is contiguous.

namespace Tegula::Impl {

/// How four matrices follow each other: the second one has the next lines, or the next steps of depth. An mma takes the
/// registers of its right operand, 8 lines and 32 bytes of steps, only if steps follow each other.
enum class MatrixOrder { lines_first, depth_first };

/// The chunk whose address one lane of a warp gives to ldmatrix, which reads 16 lines x 16 steps of depth, of floats 8
/// steps, as four matrices of 8 chunks; `order` says which of them is second. To ldmatrix a float is two neighbours of
/// 16 bits, which no matrix may transpose. Row and chunk are those of the warp's first lines and step, whose numbers
/// are powers of two. So the rest is reached by adding rows and by xor'ing chunks, since the bits that change are 0
/// before.
template <class Element, Major major, int Lines, int Depth>
struct MmaLane {
  using Layout = AsyncLayout<Element, major, Lines, Depth>;
  static_assert(sizeof(Element) == 2 || (sizeof(Element) == 4 && major == Major::depth));

  int row, chunk;  // in bytes; the chunk is swizzled

  TEGULA_HOST_DEVICE constexpr MmaLane(MatrixOrder order, int first_line, int first_step, int lane) : row(0), chunk(0) {
    const int second = lane / 8 % 2, third = lane / 16;
    const int lines    = first_line + (order == MatrixOrder::lines_first ? second : third) * 8,
              depth    = first_step + (order == MatrixOrder::lines_first ? third : second) * Layout::chunk_elements;
    const int at_row   = (major == Major::depth ? lines : depth) + lane % 8;
    const int at_chunk = (major == Major::depth ? depth : lines) / Layout::chunk_elements;
    row                = at_row * Layout::row_bytes;
    chunk              = (at_chunk ^ Layout::swizzle(at_row)) * chunk_bytes;
  }

  /// Bytes to `number` times 16 rows further, where the swizzle is the same.
  TEGULA_HOST_DEVICE static constexpr int row_offset(int number) { return number * 16 * Layout::row_bytes; }

  /// The place `rows` times 16 rows and `columns` times two chunks of a row further.
  TEGULA_HOST_DEVICE constexpr int offset(int rows, int columns) const {
    return row + row_offset(rows) + (chunk ^ columns * 2 * chunk_bytes);
  }
};

}  // namespace Tegula::Impl

#endif
