// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MATRIX_HPP
#define TEGULA_STREAM_MATRIX_HPP

#include <algorithm>
#include <cstdint>
#include <optional>

#include "Tegula_AnyMatrix.hpp"
#include "Tegula_DeviceMacros.hpp"

/// Long matrices whose lines a kernel streams.

namespace Tegula::Impl {

/// A long matrix as contiguous runs, which may begin anywhere: all rows one behind the other without gaps, or columns.
/// Its lines are rows here.
struct StreamedMatrix {
  void* data             = nullptr;
  std::int64_t run       = 0;  // elements from a column to the next; 0: rows without gaps
  std::int32_t columns   = 0;
  std::int32_t first_off = 0;  // elements from the last multiple of 16 bytes to the first element

  TEGULA_HOST_DEVICE bool is_packed() const { return run == 0; }
};

/// How long matrices may lie.
enum class StreamedBy : std::uint8_t { rows_without_gaps, contiguous_columns };

/// A matrix that lies so; nothing if it does not. A single column does both.
template <class T>
std::optional<StreamedMatrix> streamed_matrix(const AnyMatrix& matrix, std::int64_t columns, StreamedBy by) {
  const bool is_packed = by == StreamedBy::rows_without_gaps;
  const bool lies_so   = is_packed ? matrix.row_stride == columns && (columns == 1 || matrix.column_stride == 1)
                                   : matrix.row_stride == 1 && (columns == 1 || matrix.column_stride > 0);
  if (!lies_so) return std::nullopt;
  const std::int64_t run = is_packed ? 0 : std::max<std::int64_t>(1, matrix.column_stride);
  const auto off         = static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(matrix.data) % 16 / sizeof(T));
  return StreamedMatrix{matrix.data, run, static_cast<std::int32_t>(columns), off};
}

/// Where the elements of a tile lie in scratch: as runs lie in memory, each beginning as many elements behind a
/// multiple of 16 bytes as there. A warp reads a chunk of each of eight lines at once. Those of rows of whole chunks
/// may lie in the same banks, so that every line of 128 bytes deals its chunks otherwise.
template <class Config, bool is_packed>
class StreamImage {
  static constexpr int block = Config::block;

 public:
  TEGULA_HOST_DEVICE explicit StreamImage(const StreamedMatrix& matrix)
      : line_(matrix.columns),
        off_(matrix.first_off),
        off_on_(static_cast<int>(matrix.run & (block - 1))),
        dealt_(has_chunks() ? 0x70 : 0) {}

  /// Whether the block elements behind each other of a line, or of a column, that begin with a multiple of that are a
  /// chunk.
  TEGULA_HOST_DEVICE bool has_chunks() const { return has_runs_of(block); }

  /// The same of `count` elements, a power of two, that begin with a multiple of their size.
  TEGULA_HOST_DEVICE bool has_runs_of(int count) const {
    return ((off_ | (is_packed ? line_ : off_on_)) & (count - 1)) == 0;
  }

  /// Where in scratch, which begins at a multiple of 128 bytes, is what would lie at this address.
  TEGULA_HOST_DEVICE std::uint32_t place(std::uint32_t address) const {
    if constexpr (is_packed) {
      return address ^ (address >> 3 & dealt_);
    } else {
      return address;
    }
  }

  /// Elements from a line to the next.
  TEGULA_HOST_DEVICE int line() const { return is_packed ? line_ : 1; }

  /// Elements from the beginning of scratch to a column of the first line.
  TEGULA_HOST_DEVICE int column(int j) const {
    return is_packed ? off_ + j : j * Config::pitch + ((off_ + j * off_on_) & (block - 1));
  }

 private:
  int line_, off_, off_on_;  // of columns, whose runs begin off_on elements further each, modulo a chunk
  std::uint32_t dealt_;      // bits of an address, in bytes
};

}  // namespace Tegula::Impl

#endif
