// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_UNALIGNED_LINES_HPP
#define TEGULA_UNALIGNED_LINES_HPP

#include <cstdint>
#include <type_traits>

#include "Tegula_CudaOutput.hpp"

/// How a warp stores lines of a result that begin anywhere in memory.

namespace Tegula::Impl {

/// Elements whose bits a lane stores at a time.
template <int Bytes>
using bits_of_bytes_t =
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>;

/// Where a rectangle of a result lies in memory: lines of contiguous elements.
template <class Bits>
struct MemoryLines {
  Bits* data;                  // its first element
  std::int64_t stride;         // of lines
  std::int32_t lines, length;  // that lie within the result, which may be none

  TEGULA_HOST_DEVICE Bits* line(int number) const { return data + number * stride; }
};

/// What begins in this row and column of an m x n result, to whose lines `output` stores.
template <class Bits>
TEGULA_HOST_DEVICE inline MemoryLines<Bits> memory_lines(const CudaOutput& output, std::int32_t m, std::int32_t n,
                                                         std::int32_t row, std::int32_t column) {
  const AnyMatrix& matrix = output.matrix;
  Bits* const data        = static_cast<Bits*>(matrix.data) + row * matrix.row_stride + column * matrix.column_stride;
  if (output.by == StoreBy::unaligned_columns) return {data, matrix.column_stride, n - column, m - row};
  return {data, matrix.row_stride, m - row, n - column};
}

/// A rectangle of `Length` elements a line, which a warp writes to scratch as its fragments lie, and stores with
/// neighbouring lanes at neighbouring elements: memory gets whole sectors but for the ends of lines, however they are
/// aligned. Elements of 16 bits leave as words. So in a line that begins with half a word they are turned by one: the
/// last one waits beside the first one, and both leave by themselves.
template <int Bytes, int Length>
class UnalignedLines {
 public:
  using Bits = bits_of_bytes_t<Bytes>;

  /// Bytes of scratch for so many lines.
  static constexpr int bytes(int lines) { return lines * Length * Bytes; }

  TEGULA_HOST_DEVICE UnalignedLines(char* scratch, const MemoryLines<Bits>& memory)
      : scratch_(reinterpret_cast<Slot*>(scratch)),
        memory_(memory),
        first_is_odd_(reinterpret_cast<std::uintptr_t>(memory.data) / Bytes % 2),
        stride_is_odd_(static_cast<int>(memory.stride & 1)) {}

  /// Writes an element to scratch.
  TEGULA_HOST_DEVICE void put(int line, int at, Bits bits) const {
    if constexpr (Bytes == 2) {
      const int turned                                                                 = (at + is_odd(line)) % Length;
      reinterpret_cast<std::uint16_t*>(scratch_ + place(line, turned / 2))[turned % 2] = bits;
    } else {
      scratch_[place(line, at)] = bits;
    }
  }

  /// Stores `Lines` lines, which have been written.
  template <int Lines>
  TEGULA_HOST_DEVICE void store(int first_line, int lane) const {
    constexpr int slots = Lines * per_line, at_once = 4;
    static_assert(slots % (at_once * lanes) == 0);
    TEGULA_KEEP_LOOP_ON_DEVICE
    for (int first = lane; first < slots; first += at_once * lanes) {
      TEGULA_UNROLL_ON_DEVICE
      for (int number = first; number < first + at_once * lanes; number += lanes) {
        const int line = first_line + number / per_line, slot = number % per_line;
        if (line < memory_.lines) store_slot(line, slot, scratch_[place(line, slot)]);
      }
    }
  }

 private:
  using Slot                = std::conditional_t<Bytes == 8, std::uint64_t, std::uint32_t>;
  static constexpr int size = int(sizeof(Slot)) / Bytes, per_line = Length / size, lanes = 32;
  static_assert(per_line >= 16 && per_line <= 64 && (per_line & (per_line - 1)) == 0);

  // Eight lines at the same slots lie in different banks, as far as there are so many.
  TEGULA_HOST_DEVICE static int place(int line, int slot) {
    constexpr int bank_slots = 128 / int(sizeof(Slot)), lines_a_row = per_line < bank_slots ? bank_slots / per_line : 1;
    constexpr int chunks = (per_line < bank_slots ? per_line : bank_slots) / 4;
    return line * per_line + (slot ^ (line / lines_a_row % chunks * 4));
  }

  TEGULA_HOST_DEVICE void store_slot(int line, int slot, Slot bits) const {
    Bits* const to = memory_.line(line);
    if constexpr (Bytes != 2) {
      if (slot < memory_.length) to[slot] = bits;
    } else {
      const bool is_odd  = this->is_odd(line) != 0;
      const int second   = 2 * slot + 1 - is_odd;
      const bool is_turn = is_odd && slot == 0;
      const int first    = is_turn ? Length - 1 : second - 1;
      if (!is_turn && second < memory_.length) {
        *reinterpret_cast<std::uint32_t*>(to + first) = bits;
      } else {
        if (first < memory_.length) to[first] = static_cast<std::uint16_t>(bits);
        if (second < memory_.length) to[second] = static_cast<std::uint16_t>(bits >> 16);
      }
    }
  }

  // 1 if a line begins with the second half of a word.
  TEGULA_HOST_DEVICE int is_odd(int line) const { return first_is_odd_ ^ (line & stride_is_odd_); }

  Slot* scratch_;
  MemoryLines<Bits> memory_;
  int first_is_odd_, stride_is_odd_;
};

}  // namespace Tegula::Impl

#endif
