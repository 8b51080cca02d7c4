// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_MATRIX_HPP
#define TEGULA_STREAM_MATRIX_HPP

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "Tegula_AnyMatrix.hpp"
#include "Tegula_DeviceMacros.hpp"

/// Long matrices whose lines a kernel streams.

namespace Tegula::Impl {

/// How the chunks of 16 bytes of a tile are dealt over the banks of scratch: to the number of a chunk, as bits, others
/// of its bits are added.
struct ChunkDeal {
  std::uint8_t shift = 0, bits = 0;  // of an address

  TEGULA_HOST_DEVICE std::uint32_t place(std::uint32_t address) const { return address ^ (address >> shift & bits); }
};

/// For lines of so many chunks, one behind the other without gaps, of each of which a warp reaches as many beside each
/// other at once as `beside` says, 1 or 2: eight chunks of scratch, which has banks for as many, of neighbouring lines.
/// Those of lines of an odd number of chunks, or of odd times `beside`, lie in banks of their own anyway. For every
/// further factor of two they have a bit in common, which one of those that differ is added to.
constexpr ChunkDeal chunk_deal(int chunks, int beside) {
  constexpr int bits_of_chunk = 4, bits_of_banks = 3;  // of 16 bytes, of eight chunks
  const int first  = beside - 1;                       // bit of a chunk's number that lines differ in
  const int twos   = std::max(0, std::countr_zero(static_cast<unsigned>(chunks)) - first);
  const int common = std::min(twos, bits_of_banks - first);
  return {static_cast<std::uint8_t>(bits_of_banks - first + twos - common),
          static_cast<std::uint8_t>(((1 << common) - 1) << (first + bits_of_chunk))};
}

/// A long matrix as contiguous runs, which may begin anywhere: all rows one behind the other without gaps, or columns.
/// Its lines are rows here.
struct StreamedMatrix {
  void* data             = nullptr;
  std::int64_t run       = 0;  // elements from a column to the next; 0: rows without gaps
  std::int32_t columns   = 0;
  std::int32_t first_off = 0;  // elements from the last multiple of 16 bytes to the first element
  ChunkDeal deal{};            // of rows of whole chunks

  TEGULA_HOST_DEVICE bool is_packed() const { return run == 0; }

  /// Whether `count` elements behind each other of a line, or of a column where these are contiguous, that begin with a
  /// multiple of that lie at a multiple of their size: a power of two up to the elements of 16 bytes, a chunk.
  TEGULA_HOST_DEVICE bool has_runs_of(int count) const {
    return ((first_off | (is_packed() ? columns : static_cast<int>(run))) & (count - 1)) == 0;
  }
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
/// multiple of 16 bytes as there, but for chunks that are dealt otherwise.
template <class Config, bool is_packed>
class StreamImage {
 public:
  TEGULA_HOST_DEVICE explicit StreamImage(const StreamedMatrix& matrix)
      : line_(matrix.columns),
        off_(matrix.first_off),
        off_on_(static_cast<int>(matrix.run & (block - 1))),
        deal_(matrix.deal) {}

  /// Where in scratch, which begins at a multiple of 128 bytes, is what would lie at this address.
  TEGULA_HOST_DEVICE std::uint32_t place(std::uint32_t address) const {
    if constexpr (is_packed) {
      return deal_.place(address);
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
  static constexpr int block = Config::block;

  int line_, off_, off_on_;  // of columns, whose runs begin off_on elements further each, modulo a chunk
  ChunkDeal deal_;
};

}  // namespace Tegula::Impl

#endif
