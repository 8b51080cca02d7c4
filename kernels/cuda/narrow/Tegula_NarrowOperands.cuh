// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_OPERANDS_CUH
#define TEGULA_NARROW_OPERANDS_CUH

#include <algorithm>

#include "Tegula_NarrowArguments.hpp"
#include "Tegula_NarrowRun.cuh"

/// What a lane has of operands: neighbours along the depth, as tensor cores take them, straight from memory.
///
/// Of a chunk of depth, lane l has a run of steps, the one number l mod 4, for line l / 4 of every 8 lines. An
/// instruction sums over the same steps of every lane's run. Their order is nobody's business, as long as both operands
/// have the same.

namespace Tegula::Impl {

/// Words of 16 bytes that a lane has of 64 lines of the long operand and a chunk of depth.
inline constexpr int narrow_words = 8;

/// Those words, as they were asked for.
template <class Bits, bool is_aligned>
class NarrowAsked {
 public:
  /// Asks for the word that begins there, if any of its first `count` elements is wanted.
  __device__ void ask(int number, const Bits* from, int count) {
    words_[number] = count > 0 ? load_word(from) : uint4{};
  }
  __device__ uint4 word(int number) const { return words_[number]; }

 private:
  uint4 words_[narrow_words];
};

template <class Bits>
class NarrowAsked<Bits, false> {
 public:
  __device__ void ask(int number, const Bits* from, int count) {
    words_[number] = load_split_word(from, count);
    lows_[number]  = static_cast<std::uint8_t>(low_bits(from));
  }
  __device__ uint4 word(int number) const { return joined<Bits>(words_[number], lows_[number]); }

 private:
  SplitWord words_[narrow_words];
  std::uint8_t lows_[narrow_words];
};

/// A lane's part of 64 lines of the long operand and a chunk of depth, for instructions of 16 lines each.
template <class Bits, NarrowForm form>
class NarrowLong {
  static constexpr bool by_lines = runs_along_lines(form);

  using Run  = NarrowRun<Bits>;
  using Part = typename Run::Part;

  // Elements of a word; words across the lines, if there they run, of each of as many steps.
  static constexpr int elements = narrow_run<Bits>, across = narrow_words / elements;

 public:
  static constexpr int groups = narrow_lines / 16;

  /// The line, of 64, of the first or the other 8 lines of an instruction that lane l has results of.
  __device__ static constexpr int line_of(int lane, int group, int half) {
    if constexpr (!by_lines) return group * 16 + half * 8 + lane / 4;
    // Each word has lines of all groups, or of one.
    return sizeof(Bits) == 2 ? lane / 4 * 8 + group + 4 * half : group * 16 + lane / 4 * 2 + half;
  }

  /// Asks for what lies from `line` and `depth` on, of which so many steps are left. Lines beyond the last one are read
  /// as if they were others: their sums are not stored.
  __device__ void ask(const NarrowArguments<Bits>& p, std::int32_t line, std::int32_t depth, std::int32_t left,
                      int lane) {
    const std::int32_t at = lane % 4 * elements;
    if constexpr (by_lines) {
#pragma unroll
      for (int word = 0; word < across; ++word) {
        const std::int32_t own = line + (word * 8 + lane / 4) * elements, first = own < p.m ? own : 0;
        const std::int32_t count = min(elements, p.m - first);
        const Bits* const from   = p.left + first + std::int64_t(depth + at) * p.left_depth;
#pragma unroll
        for (int step = 0; step < elements; ++step)
          asked_.ask(step * across + word, from + step * p.left_depth, at + step < left ? count : 0);
      }
    } else {
      const std::int32_t own = line + lane / 4;
#pragma unroll
      for (int number = 0; number < narrow_words; ++number)
        asked_.ask(number, p.left + std::int64_t(min(own + number * 8, p.m - 1)) * p.left_line + (depth + at),
                   min(left - at, elements));
    }
    left_ = left - at;
  }

  /// When it is there: calls multiply(group, number of the instruction, registers of its left operand).
  template <bool is_whole, class Multiply>
  __device__ void for_each(const Multiply& multiply) const {
    if constexpr (!by_lines) {
      for_each_along<is_whole>(multiply);
    } else if constexpr (sizeof(Bits) == 2) {
      for_each_across_pairs(multiply);
    } else {
      for_each_across(multiply);
    }
  }

 private:
  template <bool is_whole, class Multiply>
  __device__ void for_each_along(const Multiply& multiply) const {
#pragma unroll
    for (int group = 0; group < groups; ++group) {
      const Run first = run<is_whole>(2 * group), other = run<is_whole>(2 * group + 1);
#pragma unroll
      for (int i = 0; i < Run::instructions; ++i) {
        const Part left[] = {first.parts[2 * i], other.parts[2 * i], first.parts[2 * i + 1], other.parts[2 * i + 1]};
        multiply(group, i, left);
      }
    }
  }

  template <bool is_whole>
  __device__ Run run(int number) const {
    return Run::of_word(asked_.word(number), is_whole ? elements : left_);
  }

  // Words lie across the lines: pairs are put together of two of them. Steps beyond the last one are zero.
  template <class Multiply>
  __device__ void for_each_across_pairs(const Multiply& multiply) const {
#pragma unroll
    for (int i = 0; i < Run::instructions; ++i) {
      std::uint32_t steps[4][4];  // of four steps, two lines each
#pragma unroll
      for (int step = 0; step < 4; ++step) {
        const uint4 word = asked_.word(4 * i + step);
        steps[step][0] = word.x, steps[step][1] = word.y, steps[step][2] = word.z, steps[step][3] = word.w;
      }
#pragma unroll
      for (int group = 0; group < groups; ++group) {
        const auto pair = [&](int step, int line) {
          return __byte_perm(steps[step][line / 2], steps[step + 1][line / 2], line % 2 == 0 ? 0x5410 : 0x7632);
        };
        const std::uint32_t left[] = {pair(0, group), pair(0, group + 4), pair(2, group), pair(2, group + 4)};
        multiply(group, i, left);
      }
    }
  }

  // The same of doubles: a word has a line of either half of an instruction.
  template <class Multiply>
  __device__ void for_each_across(const Multiply& multiply) const {
    static_assert(across == groups);
#pragma unroll
    for (int group = 0; group < groups; ++group) {
      double left[4];
#pragma unroll
      for (int step = 0; step < elements; ++step) {
        const Run lines = Run::of_word(asked_.word(step * across + group), elements);
        left[2 * step] = lines.parts[0], left[2 * step + 1] = lines.parts[1];
      }
      multiply(group, 0, left);
    }
  }

  NarrowAsked<Bits, has_aligned_runs(form)> asked_;
  int left_;  // steps, from the lane's first one on
};

/// A lane's part of Blocks times 8 lines of the short operand and a chunk of depth.
template <class Bits, int Blocks>
class NarrowShort {
  using Run = NarrowRun<Bits>;

 public:
  using Part = typename Run::Part;

  /// The same from a line and a step of depth on.
  __device__ void ask(const NarrowArguments<Bits>& p, std::int32_t line, std::int32_t depth, std::int32_t left,
                      int lane) {
    if constexpr (sizeof(Bits) == 2)
      if (p.how.read_short == NarrowShortRead::pairs_of_lines) return ask_pairs(p, line, depth, left, lane);
    const std::int32_t at = lane % 4 * narrow_run<Bits>, count = min(left - at, narrow_run<Bits>);
#pragma unroll
    for (int block = 0; block < Blocks; ++block) {
      const std::int32_t own = min(line + block * 8 + lane / 4, p.n - 1);
      const Bits* const from = p.right + own * p.right_line + (depth + at) * p.right_depth;
      runs_[block]           = p.how.read_short == NarrowShortRead::runs ? word_of(from, count)
                                                                         : Run::of_elements(from, p.right_depth, count);
    }
  }

  /// When it is there, and before it is used.
  __device__ void arrange(const NarrowArguments<Bits>& p) {
    if constexpr (sizeof(Bits) == 2) {
      if (p.how.read_short != NarrowShortRead::pairs_of_lines) return;
#pragma unroll
      for (Run& run : runs_)
#pragma unroll
        for (Part& part : run.parts) part = ptx::transposed_matrix(part);
    }
  }

  /// A register of the right operand of an instruction, the first one or the other.
  __device__ Part part(int block, int instruction, int other) const {
    return runs_[block].parts[2 * instruction + other];
  }

 private:
  // A lane asks for two lines of one step of depth of every pair. Eight such steps are a matrix, which is transposed
  // when all that was asked for with it is there.
  __device__ void ask_pairs(const NarrowArguments<Bits>& p, std::int32_t line, std::int32_t depth, std::int32_t left,
                            int lane) {
    const std::int32_t at = lane / 8 * narrow_run<Bits> + lane / 4 % 2;
#pragma unroll
    for (int block = 0; block < Blocks; ++block) {
      const std::int32_t own = min(line + block * 8 + lane % 4 * 2, p.n - 2);
      const Bits* const from = p.right + own + (depth + at) * p.right_depth;
#pragma unroll
      for (int pair = 0; pair < narrow_run<Bits> / 2; ++pair) {
        const bool is_there = at + 2 * pair < left;
        runs_[block].parts[pair] =
            is_there ? __ldg(reinterpret_cast<const std::uint32_t*>(from + 2 * pair * p.right_depth)) : 0u;
      }
    }
  }

  __device__ static Run word_of(const Bits* from, int count) {
    return Run::of_word(count > 0 ? __ldg(reinterpret_cast<const uint4*>(from)) : uint4{}, count);
  }

  Run runs_[Blocks];
};

}  // namespace Tegula::Impl

#endif
