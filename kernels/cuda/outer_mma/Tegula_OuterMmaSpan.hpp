// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_SPAN_HPP
#define TEGULA_OUTER_MMA_SPAN_HPP

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"

/// How four lanes store a row of results of 16 bits in whole runs of 16 bytes and whole sectors of 32, wherever it
/// begins: each has 16 bytes of every 64, and shifts them, with what its neighbour has before its own, to where a run
/// begins.

namespace Tegula::Impl {

inline constexpr int run_bytes = 16, run_words = 4, sector_bytes = 32, lanes_of_row = 4,
                     group_bytes = lanes_of_row * run_bytes;

/// Which bytes of a row of a tile are stored, from that of the tile's first column on.
struct OuterMmaSpan {
  int begin, end;

  /// `address` is that of the first column, `width` the bytes of a tile, and `left` those up to the end of the row,
  /// of which none are the row's if it lies beyond the matrix. Tiles that lap begin and end where sectors do.
  TEGULA_HOST_DEVICE static OuterMmaSpan of(std::uintptr_t address, bool is_first, bool laps, int width, int left) {
    const int skipped = laps ? static_cast<int>(-address % sector_bytes) : 0;
    const int last    = width + skipped;
    return {is_first ? 0 : skipped, left < last ? left : last};
  }
};

/// What a lane stores at once.
struct alignas(run_bytes) OuterMmaRun {
  std::uint32_t words[run_words];
};

/// Words of a lane and, before them, of its neighbour: the run that has the lane's first byte, so many bytes behind its
/// own first one.
TEGULA_HOST_DEVICE inline OuterMmaRun shifted_run(const OuterMmaRun& before, const OuterMmaRun& own, int shift) {
  const int from = run_words - (shift + 3) / 4;  // a word of both; the first one, if half of it is wanted
  std::uint32_t by_two[run_words + 2], by_one[run_words + 1];
  const auto word = [&](int w) { return w < run_words ? before.words[w] : own.words[w - run_words]; };
  for (int w = 0; w < run_words + 2; ++w) by_two[w] = from & 2 ? word(w + 2) : word(w);
  for (int w = 0; w < run_words + 1; ++w) by_one[w] = from & 1 ? by_two[w + 1] : by_two[w];
  OuterMmaRun run;
  for (int w = 0; w < run_words; ++w) {
    const std::uint32_t halves = by_one[w] >> 16 | by_one[w + 1] << 16;
    run.words[w]               = shift == 0 ? own.words[w] : shift & 2 ? halves : by_one[w];
  }
  return run;
}

/// What one of four lanes has of a row that they store together, a group of 64 bytes behind the other.
class OuterMmaRow {
 public:
  OuterMmaRow() = default;
  /// `row` is where the tile's first column lies.
  TEGULA_HOST_DEVICE OuterMmaRow(char* row, const OuterMmaSpan& span)
      : row_(row),
        span_(span),
        shift_(static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % run_bytes)),
        is_between_sectors_(reinterpret_cast<std::uintptr_t>(row) / run_bytes % 2 != 0) {}

  TEGULA_HOST_DEVICE const OuterMmaSpan& span() const { return span_; }

  /// What lane `q` hands to the one behind it, the last one to the first: before that lie those of the group before.
  TEGULA_HOST_DEVICE OuterMmaRun handed_on(const OuterMmaRun& own, int q) const {
    return q == lanes_of_row - 1 ? of_group_before_ : own;
  }

  /// Stores runs of a group that begins `at` bytes behind the tile's first column. `before` was handed to lane `q`,
  /// which has its own at 16 q.
  TEGULA_HOST_DEVICE void store_shifted(const OuterMmaRun& before, const OuterMmaRun& own, int at, int q) {
    of_group_before_       = own;
    const OuterMmaRun next = shifted_run(before, own, shift_);
    // The runs of a group are whole sectors if those of the last lane wait for the next group.
    const bool waits      = q == lanes_of_row - 1 && is_between_sectors_;
    const OuterMmaRun run = waits ? waiting_ : next;
    waiting_              = next;
    store_at(run, at + q * run_bytes - shift_ - (waits ? group_bytes : 0));
  }

  /// The same for rows that begin where sectors do.
  TEGULA_HOST_DEVICE void store(const OuterMmaRun& own, int at, int q) const { store_at(own, at + q * run_bytes); }

 private:
  TEGULA_HOST_DEVICE bool has(int at) const { return at >= span_.begin && at < span_.end; }

  TEGULA_HOST_DEVICE void store_at(const OuterMmaRun& run, int at) const {
    if (at >= span_.begin && at + run_bytes <= span_.end) {
      *reinterpret_cast<OuterMmaRun*>(row_ + at) = run;
    } else if (at + run_bytes > span_.begin && at < span_.end) {
      store_part(run, at);
    }
  }

  TEGULA_HOST_DEVICE void store_part(const OuterMmaRun& run, int at) const {
    for (int w = 0; w < run_words; ++w) {
      const int first = at + 4 * w, second = first + 2;
      if (has(first) && has(second)) {
        *reinterpret_cast<std::uint32_t*>(row_ + first) = run.words[w];
      } else if (has(first)) {
        *reinterpret_cast<std::uint16_t*>(row_ + first) = static_cast<std::uint16_t>(run.words[w]);
      } else if (has(second)) {
        *reinterpret_cast<std::uint16_t*>(row_ + second) = static_cast<std::uint16_t>(run.words[w] >> 16);
      }
    }
  }

  char* row_;
  OuterMmaSpan span_;
  int shift_;
  bool is_between_sectors_;
  OuterMmaRun of_group_before_{}, waiting_{};
};

}  // namespace Tegula::Impl

#endif
