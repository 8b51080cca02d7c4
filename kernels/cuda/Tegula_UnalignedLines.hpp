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

/// What of a line of 16-bit elements goes to memory together: windows of 16 bytes that are aligned there, and at both
/// ends of the line words of a window that others share. Windows and words are counted from that of the first element.
class LineWindows {
 public:
  static constexpr int elements = 8, words = 4;  // of a window

  /// A word of which both elements are the line's, or one of them, or none.
  struct EdgeWord {
    int word       = 0;
    bool has_first = false, has_second = false;
  };

  /// Of so many elements that begin at this address, of which low bits are enough.
  TEGULA_HOST_DEVICE LineWindows(std::uint32_t address, std::int32_t length)
      : begin_(int(address / 2 % elements)), end_(begin_ + (length > 0 ? length : 0)) {}

  /// Whether a line begins with the second element of a word.
  TEGULA_HOST_DEVICE bool is_odd() const { return begin_ % 2 != 0; }
  /// Words before the one in which a line begins.
  TEGULA_HOST_DEVICE static int words_before(std::uint32_t address) { return int(address / 4 % words); }

  TEGULA_HOST_DEVICE bool is_whole(int window) const {
    return window * elements >= begin_ && (window + 1) * elements <= end_;
  }
  /// Word `number` of the first and of the last window, if it is not stored with the others.
  TEGULA_HOST_DEVICE EdgeWord first_edge(int number) const { return edge(0, number); }
  TEGULA_HOST_DEVICE EdgeWord last_edge(int number) const {
    const int window = (end_ - 1) / elements;
    return window > 0 ? edge(window, number) : EdgeWord();
  }

  /// The place in the line of the first element of a word.
  TEGULA_HOST_DEVICE int place_of_word(int word) const { return 2 * word - begin_; }

 private:
  TEGULA_HOST_DEVICE EdgeWord edge(int window, int number) const {
    const int word = window * words + number, first = 2 * word;
    const bool stores = !is_whole(window);
    return {word, stores && first >= begin_ && first < end_, stores && first + 1 >= begin_ && first + 1 < end_};
  }

  int begin_, end_;  // elements
};

/// What a lane stores of a line of 16-bit elements whose words are shared out among lanes: a word, and at an end of the
/// line an element. Where a line begins with the second element of a word, a lane's word in memory is the second half
/// of the word before its own in scratch, and the first half of that.
struct LaneWord {
  bool is_odd = false, is_whole = false;
  int first = 0, alone = -1;                            // places in the line, of the word and of the element
  bool alone_is_before = false, alone_is_high = false;  // where the element is

  /// Of a lane with word `slot` of `slots` in scratch, of a line that ends after `length` elements.
  TEGULA_HOST_DEVICE LaneWord(bool odd, int slot, int slots, int length) : is_odd(odd), first(2 * slot - odd) {
    is_whole = first >= 0 && first + 1 < length;
    if (first < 0) {
      alone = length > 0 ? 0 : -1;
    } else if (first < length && !is_whole) {
      alone           = first;
      alone_is_before = alone_is_high = odd;
    } else if (odd && slot + 1 == slots && 2 * slots <= length) {
      alone         = 2 * slots - 1;
      alone_is_high = true;
    }
  }

  TEGULA_HOST_DEVICE std::uint16_t element(std::uint32_t before, std::uint32_t own) const {
    return static_cast<std::uint16_t>((alone_is_before ? before : own) >> (alone_is_high ? 16 : 0));
  }
};

/// A rectangle of `Length` elements a line, which a warp writes to scratch as its fragments lie, in pairs, and stores
/// with neighbouring lanes at neighbouring elements: memory gets whole sectors but for the ends of lines, however they
/// are aligned. Elements of 16 bits leave in windows of 16 bytes, of short lines in words: more instructions, but two
/// lines of 64 bytes have as many ends as windows, and memory would get parts of sectors twice.
template <int Bytes, int Length>
class UnalignedLines {
 public:
  using Bits = bits_of_bytes_t<Bytes>;
  using Pair = bits_of_pair_t<Bytes>;

  /// Bytes of scratch for so many lines, a multiple of 8. It begins at a multiple of 16.
  static constexpr int bytes(int lines) { return lines * line_bytes; }

  TEGULA_HOST_DEVICE UnalignedLines(char* scratch, const MemoryLines<Bits>& memory)
      : scratch_(scratch), memory_(memory) {}

  /// Writes a pair of neighbours to scratch: pair `pair` of the 8 elements from `at` on, in line `line + of_8`. Both
  /// `line` and `at` are multiples of 8.
  TEGULA_HOST_DEVICE void put(int line, int of_8, int at, int pair, const Pair& elements) const {
    char* const to = scratch_ + line * line_bytes;
    if constexpr (in_windows) {
      const int word = at / 2 + pair + LineWindows::words_before(address(of_8));
      *reinterpret_cast<Pair*>(to + place_of_word(of_8, word)) = elements;
    } else {
      *reinterpret_cast<Pair*>(to + place(of_8, at / 8) + pair * 2 * Bytes) = elements;
    }
  }

  /// Stores `Lines` lines from a multiple of 8 on, which have been written.
  template <int Lines>
  TEGULA_HOST_DEVICE void store(int first_line, int lane) const {
    static_assert(Lines % 8 == 0);
    if constexpr (in_windows) {
      store_windows<Lines>(first_line, lane / lanes_of_line, lane % lanes_of_line);
    } else {
      store_words<Lines>(first_line, lane);
    }
  }

 private:
  static constexpr bool in_windows = Bytes == 2 && Length >= 64;

  // Elements lie in scratch in chunks of 8. Those that leave in windows are turned within their line, so that these are
  // chunks: a word that is so many words behind a multiple of 16 bytes in memory is that in scratch, too, and what is
  // behind the last chunk is in the first.
  static constexpr int line_bytes = Length * Bytes, chunk_bytes = 8 * Bytes, chunks = Length / 8;
  static constexpr int lines_a_row = line_bytes < 128 ? 128 / line_bytes : 1;  // of all banks of scratch
  static_assert(chunks >= 2 && (chunks & (chunks - 1)) == 0);

  // Where a chunk of a line lies behind the first of 8 lines. The same chunk of neighbouring lines lies in other banks.
  TEGULA_HOST_DEVICE static int place(int of_8, int chunk) {
    return of_8 * line_bytes + (chunk ^ (of_8 / lines_a_row % chunks)) * chunk_bytes;
  }
  TEGULA_HOST_DEVICE static int place_of_word(int of_8, int word) {
    return place(of_8, word / LineWindows::words % chunks) + word % LineWindows::words * 4;
  }

  // Of a line, its low bits: the same for lines 8 apart, as far as windows are concerned.
  TEGULA_HOST_DEVICE std::uint32_t address(int line) const {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory_.data)) +
           static_cast<std::uint32_t>(line) * static_cast<std::uint32_t>(memory_.stride) * Bytes;
  }

  // Four lanes share a line that leaves in windows.
  static constexpr int lanes_of_line = 4;

  // A word of memory, whose elements are one of its own in scratch and one of the word before, if the line is odd.
  TEGULA_HOST_DEVICE static std::uint32_t shifted(std::uint32_t before, std::uint32_t own, bool is_odd) {
    return static_cast<std::uint32_t>((std::uint64_t(own) << 32 | before) << (is_odd ? 16 : 0) >> 32);
  }

  struct alignas(16) Window {
    std::uint32_t words[LineWindows::words];
  };

  // An edge word of a lane.
  struct Edge {
    LineWindows::EdgeWord of;
    int before, own;  // places in scratch

    TEGULA_HOST_DEVICE Edge(const LineWindows::EdgeWord& word, int of_8)
        : of(word), before(place_of_word(of_8, word.word + 4 * chunks - 1)), own(place_of_word(of_8, word.word)) {}

    TEGULA_HOST_DEVICE void store(Bits* line, const char* from, const LineWindows& windows) const {
      if (!of.has_first && !of.has_second) return;
      const std::uint32_t word = shifted(word_at(from + before), word_at(from + own), windows.is_odd());
      Bits* const to           = line + windows.place_of_word(of.word);
      if (of.has_first && of.has_second) {
        *reinterpret_cast<std::uint32_t*>(to) = word;
      } else {
        to[of.has_second] = static_cast<Bits>(of.has_second ? word >> 16 : word);
      }
    }
  };
  TEGULA_HOST_DEVICE static std::uint32_t word_at(const char* from) {
    return *reinterpret_cast<const std::uint32_t*>(from);
  }

  template <int Lines>
  TEGULA_HOST_DEVICE void store_windows(int first_line, int of_8, int number) const {
    const LineWindows windows(address(of_8), memory_.length < Length ? memory_.length : Length);
    const Edge first(windows.first_edge(number), of_8), last(windows.last_edge(number), of_8);
    Bits* to = memory_.line(first_line + of_8);
    TEGULA_KEEP_LOOP_ON_DEVICE
    for (int line = first_line; line < first_line + Lines; line += 8, to += 8 * memory_.stride) {
      if (line + of_8 >= memory_.lines) return;
      const char* const from = scratch_ + line * line_bytes;
      TEGULA_UNROLL_ON_DEVICE
      for (int window = 0; window < chunks; window += lanes_of_line)
        if (windows.is_whole(window + number)) store_window(to, from, of_8, window + number, windows);
      first.store(to, from, windows);
      last.store(to, from, windows);
    }
  }

  TEGULA_HOST_DEVICE static void store_window(Bits* line, const char* from, int of_8, int window,
                                              const LineWindows& windows) {
    Window own           = *reinterpret_cast<const Window*>(from + place(of_8, window));
    std::uint32_t before = word_at(from + place_of_word(of_8, (window + chunks) * LineWindows::words - 1));
    TEGULA_UNROLL_ON_DEVICE
    for (std::uint32_t& word : own.words) {
      const std::uint32_t next = word;
      word                     = shifted(before, word, windows.is_odd());
      before                   = next;
    }
    *reinterpret_cast<Window*>(line + windows.place_of_word(window * LineWindows::words)) = own;
  }

  // A lane reads words of 4 bytes, or an element that is larger.
  using Word                 = std::conditional_t<Bytes == 8, std::uint64_t, std::uint32_t>;
  static constexpr int slots = line_bytes / int(sizeof(Word)), lines_at_once = slots < 32 ? 32 / slots : 1;
  static_assert(slots >= 16 && slots <= 64 && (slots & (slots - 1)) == 0);

  template <int Lines>
  TEGULA_HOST_DEVICE void store_words(int first_line, int lane) const {
    const int own_line = lane / slots, slot = lane % slots;
    const LaneWord lane_word(address(own_line) % 4 != 0, slot, slots, memory_.length);
    Bits* to = memory_.line(first_line + own_line);
    TEGULA_KEEP_LOOP_ON_DEVICE
    for (int line = first_line; line < first_line + Lines; line += 8) {
      const char* const from = scratch_ + line * line_bytes;
      TEGULA_UNROLL_ON_DEVICE
      for (int of_8 = 0; of_8 < 8; of_8 += lines_at_once, to += lines_at_once * memory_.stride) {
        const bool is_inside = line + of_8 + own_line < memory_.lines;
        if constexpr (Bytes == 2) {
          store_word(to, from, of_8 + own_line, slot, is_inside, lane_word);
        } else {
          store_elements(to, from, of_8 + own_line, slot, is_inside);
        }
      }
    }
  }

  TEGULA_HOST_DEVICE static Word read(const char* from, int of_8, int slot) {
    const int byte = slot * int(sizeof(Word));
    return *reinterpret_cast<const Word*>(from + place(of_8, byte / chunk_bytes) + byte % chunk_bytes);
  }

  TEGULA_HOST_DEVICE static void store_word(Bits* line, const char* from, int of_8, int slot, bool is_inside,
                                            const LaneWord& lane) {
    static_assert(Bytes > 2 || lines_at_once % 2 == 0, "a lane's lines are all odd, or none of them is");
    const Word before = read(from, of_8, slot == 0 ? 0 : slot - 1), own = read(from, of_8, slot);
    if (is_inside && lane.is_whole)
      *reinterpret_cast<std::uint32_t*>(line + lane.first) = shifted(before, own, lane.is_odd);
    if (is_inside && lane.alone >= 0) line[lane.alone] = lane.element(before, own);
  }

  TEGULA_HOST_DEVICE void store_elements(Bits* line, const char* from, int of_8, int slot, bool is_inside) const {
    TEGULA_UNROLL_ON_DEVICE
    for (int more = 0; more < slots; more += 32) {
      const Word own = read(from, of_8, slot + more);
      if (is_inside && slot + more < memory_.length) line[slot + more] = own;
    }
  }

  char* scratch_;
  MemoryLines<Bits> memory_;
};

}  // namespace Tegula::Impl

#endif
