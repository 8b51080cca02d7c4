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

/// Two of them, side by side.
template <class Bits>
struct alignas(2 * sizeof(Bits)) BitsOfPair {
  Bits of[2];
};
template <int Bytes>
using bits_of_pair_t = std::conditional_t<Bytes == 2, std::uint32_t, BitsOfPair<bits_of_bytes_t<Bytes>>>;

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

/// What a lane stores of a line of 16-bit elements, which begins with a whole word of memory or with the second half of
/// one. Then its word has the second half of the word before in scratch, and the first half of its own. Halves at the
/// ends of a line go alone: a lane has one of them at most.
class LaneWord {
 public:
  LaneWord() = default;
  /// Of a lane with word `slot` of `slots` in scratch, of a line that ends after `length` elements.
  TEGULA_HOST_DEVICE LaneWord(bool is_odd, int slot, int slots, int length)
      : first_(2 * slot - is_odd), is_odd_(is_odd), is_whole_(first_ >= 0 && first_ + 1 < length) {
    if (first_ < 0) {
      alone_ = length > 0 ? 0 : nothing;
    } else if (first_ < length && !is_whole_) {
      alone_      = first_;
      is_cut_off_ = true;
    } else if (is_odd && slot + 1 == slots && 2 * slots <= length) {
      alone_   = 2 * slots - 1;
      is_last_ = true;
    }
  }

  /// Stores it, where `before` and `own` are the words in scratch.
  TEGULA_HOST_DEVICE void store(std::uint16_t* line, std::uint32_t before, std::uint32_t own) const {
    const std::uint32_t word = is_odd_ ? before >> 16 | own << 16 : own;
    if (is_whole_) *reinterpret_cast<std::uint32_t*>(line + first_) = word;
    if (alone_ != nothing) line[alone_] = static_cast<std::uint16_t>(is_cut_off_ ? word : is_last_ ? own >> 16 : own);
  }

 private:
  static constexpr int nothing = -1;

  int first_ = 0, alone_ = nothing;  // elements of the line
  bool is_odd_ = false, is_whole_ = false, is_cut_off_ = false, is_last_ = false;
};

/// A rectangle of `Length` elements a line, which a warp writes to scratch as its fragments lie, in pairs, and stores
/// with neighbouring lanes at neighbouring elements: memory gets whole sectors but for the ends of lines, however they
/// are aligned. Elements of 16 bits leave as words.
template <int Bytes, int Length>
class UnalignedLines {
 public:
  using Bits = bits_of_bytes_t<Bytes>;
  using Pair = bits_of_pair_t<Bytes>;

  /// Bytes of scratch for so many lines, a multiple of 8.
  static constexpr int bytes(int lines) { return lines * line_bytes; }

  TEGULA_HOST_DEVICE UnalignedLines(char* scratch, const MemoryLines<Bits>& memory)
      : scratch_(scratch), memory_(memory) {}

  /// Writes a pair of neighbours to scratch: pair `pair` of the 8 elements from `at` on, in line `line + of_8`. Both
  /// `line` and `at` are multiples of 8.
  TEGULA_HOST_DEVICE void put(int line, int of_8, int at, int pair, const Pair& elements) const {
    *reinterpret_cast<Pair*>(scratch_ + line * line_bytes + place(of_8, at / 8) + pair * 2 * Bytes) = elements;
  }

  /// Stores `Lines` lines from a multiple of 8 on, which have been written.
  template <int Lines>
  TEGULA_HOST_DEVICE void store(int first_line, int lane) const {
    static_assert(Lines % 8 == 0);
    const int own_line = lane / slots;
    LaneWord words[2];
    if constexpr (Bytes == 2) {
      TEGULA_UNROLL_ON_DEVICE
      for (int odd = 0; odd < 2; ++odd)
        words[odd] = LaneWord(is_odd(lines_at_once > 1 ? own_line : odd), lane % slots, slots, memory_.length);
    }
    Bits* to = memory_.line(first_line + own_line);
    TEGULA_KEEP_LOOP_ON_DEVICE
    for (int line = first_line; line < first_line + Lines; line += 8) {
      const char* const from = scratch_ + line * line_bytes;
      TEGULA_UNROLL_ON_DEVICE
      for (int of_8 = 0; of_8 < 8; of_8 += lines_at_once, to += lines_at_once * memory_.stride) {
        const bool is_inside = line + of_8 + own_line < memory_.lines;
        store_line(to, from, of_8 + own_line, lane % slots, is_inside, words[of_8 % 2]);
      }
    }
  }

 private:
  // A lane reads words of 4 bytes, or an element that is larger. Elements lie in scratch in chunks of 8.
  using Word                      = std::conditional_t<Bytes == 8, std::uint64_t, std::uint32_t>;
  static constexpr int line_bytes = Length * Bytes, chunk_bytes = 8 * Bytes, chunks = Length / 8;
  static constexpr int slots = line_bytes / int(sizeof(Word)), lines_at_once = slots < 32 ? 32 / slots : 1;
  static constexpr int lines_a_row = line_bytes < 128 ? 128 / line_bytes : 1;  // of all banks of scratch
  static_assert(slots >= 16 && slots <= 64 && (slots & (slots - 1)) == 0);

  // Where a chunk of a line lies behind the first of 8 lines. The same chunk of neighbouring lines lies in other banks.
  TEGULA_HOST_DEVICE static int place(int of_8, int chunk) {
    return of_8 * line_bytes + (chunk ^ (of_8 / lines_a_row % chunks)) * chunk_bytes;
  }

  TEGULA_HOST_DEVICE static Word read(const char* from, int of_8, int slot) {
    const int byte = slot * int(sizeof(Word));
    return *reinterpret_cast<const Word*>(from + place(of_8, byte / chunk_bytes) + byte % chunk_bytes);
  }

  TEGULA_HOST_DEVICE void store_line(Bits* to, const char* from, int of_8, int slot, bool is_inside,
                                     const LaneWord& word) const {
    if constexpr (Bytes == 2) {
      const Word before = read(from, of_8, slot == 0 ? 0 : slot - 1), own = read(from, of_8, slot);
      if (is_inside) word.store(to, before, own);
    } else {
      TEGULA_UNROLL_ON_DEVICE
      for (int more = 0; more < slots; more += 32) {
        const Word own = read(from, of_8, slot + more);
        if (is_inside && slot + more < memory_.length) to[slot + more] = own;
      }
    }
  }

  // Whether a line that is so many lines behind an even one begins with the second half of a word.
  TEGULA_HOST_DEVICE bool is_odd(int line) const {
    return (reinterpret_cast<std::uintptr_t>(memory_.line(line)) / Bytes) % 2 != 0;
  }

  char* scratch_;
  MemoryLines<Bits> memory_;
};

}  // namespace Tegula::Impl

#endif
