// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FLOAT_PIECE_HPP
#define TEGULA_WGMMA_FLOAT_PIECE_HPP

#include "Tegula_TileOrder.hpp"

/// A piece of a consumer's sums in scratch, 64 rows x 16 columns of floats, before it is stored.

namespace Tegula::Impl {

/// The swizzle of the place of a byte in rows of so many bytes.
template <int Width>
TEGULA_HOST_DEVICE constexpr int swizzled(int place) {
  return place ^ (place >> 7 & (Width / 16 - 1)) << 4;
}

/// Where the elements of a piece lie, in bytes: in boxes of TMA, along the rows of the result.
struct WgmmaPieceByRows {  // rows of the result are rows of the piece
  static constexpr bool by_columns = false;
  static constexpr int length = 16, lines = 64;                     // of a row of the result
  static constexpr int boxes = 1, box_fast = 16, box_slow = lines;  // elements
  TEGULA_HOST_DEVICE static constexpr int place(int row, int column) { return swizzled<64>(row * 64 + column * 4); }
};
struct WgmmaPieceByColumns {  // rows of the result are columns of the piece
  static constexpr bool by_columns = true;
  static constexpr int length = 64, lines = 16;
  static constexpr int boxes = 2, box_fast = 32, box_slow = lines;
  TEGULA_HOST_DEVICE static constexpr int place(int column, int row) {
    return swizzled<128>(row / 32 * 2048 + column * 128 + row % 32 * 4);
  }
};

/// Scratch of the epilogue for tiles with so many columns, in bytes from a multiple of 1024 on: each consumer's ring of
/// pieces, then each one's share of a line of the tile's columns, as of the bias.
template <int TileN, int Consumers>
struct WgmmaFloatScratch {
  static constexpr int piece_columns = 16, piece_bytes = 64 * piece_columns * 4;
  static constexpr int buffers  = 2;
  static constexpr int lines_at = Consumers * buffers * piece_bytes, line_bytes = TileN * 4;
  static constexpr int bytes = lines_at + Consumers * line_bytes;

  static constexpr int pieces = TileN / piece_columns;  // of a tile
  static_assert(TileN % piece_columns == 0);
  static_assert(pieces % buffers == 0, "the next tile begins with the buffer that has been read longest");
};

}  // namespace Tegula::Impl

#endif
