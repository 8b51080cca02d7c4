// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_PIECE_HPP
#define TEGULA_TF32_PIECE_HPP

#include "Tegula_TileOrder.hpp"

/// A piece of a consumer's sums in scratch, 64 rows x 16 columns, before it is stored.

namespace Tegula::Impl {

/// The swizzle of the place of a byte in rows of so many bytes.
template <int Width>
TEGULA_HOST_DEVICE constexpr int swizzled(int place) {
  return place ^ (place >> 7 & (Width / 16 - 1)) << 4;
}

/// Where the elements of a piece lie, in bytes: in boxes of TMA, along the rows of the result.
struct Tf32PieceByRows {  // rows of the result are rows of the piece
  static constexpr bool by_columns = false;
  static constexpr int length = 16, lines = 64;                     // of a row of the result
  static constexpr int boxes = 1, box_fast = 16, box_slow = lines;  // elements
  TEGULA_HOST_DEVICE static constexpr int place(int row, int column) { return swizzled<64>(row * 64 + column * 4); }
};
struct Tf32PieceByColumns {  // rows of the result are columns of the piece
  static constexpr bool by_columns = true;
  static constexpr int length = 64, lines = 16;
  static constexpr int boxes = 2, box_fast = 32, box_slow = lines;
  TEGULA_HOST_DEVICE static constexpr int place(int column, int row) {
    return swizzled<128>(row / 32 * 2048 + column * 128 + row % 32 * 4);
  }
};

}  // namespace Tegula::Impl

#endif
