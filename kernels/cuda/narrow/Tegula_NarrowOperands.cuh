// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_OPERANDS_CUH
#define TEGULA_NARROW_OPERANDS_CUH

#include <algorithm>

#include "../Tegula_RunElements.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_NarrowArguments.hpp"

/// What a lane has of operands: pairs of neighbours along the depth, as tensor cores take them, straight from memory.
///
/// Of 32 steps of depth, lane l has 8 that follow each other, from 8 (l mod 4) on, for line l / 4 of every 8 lines. An
/// instruction sums over 16 steps: the first four of every lane's eight, or the others. Their order is nobody's
/// business, as long as both operands have the same.

namespace Tegula::Impl {

/// Steps of depth: of a chunk, and of a lane in it.
inline constexpr int narrow_chunk = 32, narrow_run = 8;

/// 8 elements that follow each other.
struct NarrowRun {
  std::uint32_t pairs[narrow_run / 2];
};

/// The first `count` of 8 elements; the others become zero.
__device__ inline NarrowRun first_of_run(const uint4& word, int count) {
  NarrowRun run{{word.x, word.y, word.z, word.w}};
#pragma unroll
  for (int p = 0; p < narrow_run / 2; ++p) {
    if (count < 2 * p + 2) run.pairs[p] &= 0xFFFFu;
    if (count < 2 * p + 1) run.pairs[p] = 0;
  }
  return run;
}

/// Runs of a lane, as they were asked for.
template <bool is_aligned>
class NarrowAsked;

template <>
class NarrowAsked<true> {
 public:
  /// Asks for the run that begins there, if any of its first `count` elements is wanted.
  __device__ void ask(int number, const std::uint16_t* from, int count) {
    words_[number] = count > 0 ? load_word(from) : uint4{};
  }
  __device__ uint4 word(int number) const { return words_[number]; }

 private:
  uint4 words_[narrow_run];
};

template <>
class NarrowAsked<false> {
 public:
  __device__ void ask(int number, const std::uint16_t* from, int count) {
    words_[number] = load_split_word(from, count);
    lows_[number]  = static_cast<std::uint8_t>(low_bits(from));
  }
  __device__ uint4 word(int number) const { return joined<std::uint16_t>(words_[number], lows_[number]); }

 private:
  SplitWord words_[narrow_run];
  std::uint8_t lows_[narrow_run];
};

/// A lane's part of 64 lines of the long operand and a chunk of depth, for four instructions of 16 lines each.
template <NarrowForm form>
class NarrowLong {
  static constexpr bool by_lines = runs_along_lines(form);

 public:
  static constexpr int groups = narrow_lines / 16;

  /// The line, of 64, of the first or the other 8 lines of an instruction that lane l has results of.
  __device__ static constexpr int line_of(int lane, int group, int half) {
    return by_lines ? lane / 4 * 8 + group + 4 * half : group * 16 + half * 8 + lane / 4;
  }

  /// Asks for what lies from `line` and `depth` on, of which so many steps are left. Lines beyond the last one are read
  /// as if they were others: their sums are not stored.
  __device__ void ask(const NarrowArguments& p, std::int32_t line, std::int32_t depth, std::int32_t left, int lane) {
    const std::int32_t at = lane % 4 * narrow_run;
    if constexpr (by_lines) {
      const std::int32_t own = line + lane / 4 * 8, first = own < p.m ? own : 0;
      const std::int32_t count        = min(8, p.m - first);
      const std::uint16_t* const from = p.left + first + std::int64_t(depth + at) * p.left_depth;
#pragma unroll
      for (int step = 0; step < narrow_run; ++step)
        asked_.ask(step, from + step * p.left_depth, at + step < left ? count : 0);
    } else {
      const std::int32_t own = line + lane / 4;
#pragma unroll
      for (int number = 0; number < narrow_run; ++number)
        asked_.ask(number, p.left + std::int64_t(min(own + number * 8, p.m - 1)) * p.left_line + (depth + at),
                   min(left - at, narrow_run));
    }
    left_ = left - at;
  }

  /// When it is there: calls multiply(group, half of the runs, registers of the left operand of an instruction).
  template <bool is_whole, class Multiply>
  __device__ void for_each(const Multiply& multiply) const {
    if constexpr (by_lines) {
      for_each_across(multiply);
    } else {
#pragma unroll
      for (int group = 0; group < groups; ++group) {
        const NarrowRun first = run<is_whole>(2 * group), other = run<is_whole>(2 * group + 1);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const std::uint32_t left[] = {first.pairs[2 * half], other.pairs[2 * half], first.pairs[2 * half + 1],
                                        other.pairs[2 * half + 1]};
          multiply(group, half, left);
        }
      }
    }
  }

 private:
  template <bool is_whole>
  __device__ NarrowRun run(int number) const {
    return first_of_run(asked_.word(number), is_whole ? narrow_run : left_);
  }

  // Runs lie across the lines: pairs are put together of two of them. Steps beyond the last one are zero.
  template <class Multiply>
  __device__ void for_each_across(const Multiply& multiply) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      std::uint32_t steps[4][4];  // of four steps, two lines each
#pragma unroll
      for (int step = 0; step < 4; ++step) {
        const uint4 word = asked_.word(4 * half + step);
        steps[step][0] = word.x, steps[step][1] = word.y, steps[step][2] = word.z, steps[step][3] = word.w;
      }
#pragma unroll
      for (int group = 0; group < groups; ++group) {
        const auto pair = [&](int step, int line) {
          return __byte_perm(steps[step][line / 2], steps[step + 1][line / 2], line % 2 == 0 ? 0x5410 : 0x7632);
        };
        const std::uint32_t left[] = {pair(0, group), pair(0, group + 4), pair(2, group), pair(2, group + 4)};
        multiply(group, half, left);
      }
    }
  }

  NarrowAsked<has_aligned_runs(form)> asked_;
  int left_;  // steps, from the lane's first one on
};

/// A lane's part of Blocks times 8 lines of the short operand and a chunk of depth.
template <int Blocks>
class NarrowShort {
 public:
  /// The same from a line and a step of depth on.
  __device__ void ask(const NarrowArguments& p, std::int32_t line, std::int32_t depth, std::int32_t left, int lane) {
    if (p.how.read_short == NarrowShortRead::pairs_of_lines) return ask_pairs(p, line, depth, left, lane);
    const std::int32_t at = lane % 4 * narrow_run, count = min(left - at, narrow_run);
#pragma unroll
    for (int block = 0; block < Blocks; ++block) {
      const std::int32_t own          = min(line + block * 8 + lane / 4, p.n - 1);
      const std::uint16_t* const from = p.right + own * p.right_line + (depth + at) * p.right_depth;
      runs_[block] =
          p.how.read_short == NarrowShortRead::runs ? run_of(from, count) : elements_of(from, p.right_depth, count);
    }
  }

  /// The registers of the right operand of an instruction.
  __device__ std::uint32_t pair(int block, int half, int other) const { return runs_[block].pairs[2 * half + other]; }

 private:
  // A lane asks for two lines of one step of depth of every pair. Eight such steps are a matrix, which is transposed.
  __device__ void ask_pairs(const NarrowArguments& p, std::int32_t line, std::int32_t depth, std::int32_t left,
                            int lane) {
    const std::int32_t at = lane / 8 * narrow_run + lane / 4 % 2;
#pragma unroll
    for (int block = 0; block < Blocks; ++block) {
      const std::int32_t own          = min(line + block * 8 + lane % 4 * 2, p.n - 2);
      const std::uint16_t* const from = p.right + own + (depth + at) * p.right_depth;
#pragma unroll
      for (int pair = 0; pair < narrow_run / 2; ++pair) {
        const bool is_there = at + 2 * pair < left;
        const std::uint32_t lines =
            is_there ? __ldg(reinterpret_cast<const std::uint32_t*>(from + 2 * pair * p.right_depth)) : 0u;
        runs_[block].pairs[pair] = ptx::transposed_matrix(lines);
      }
    }
  }

  __device__ static NarrowRun run_of(const std::uint16_t* from, int count) {
    return first_of_run(count > 0 ? __ldg(reinterpret_cast<const uint4*>(from)) : uint4{}, count);
  }

  __device__ static NarrowRun elements_of(const std::uint16_t* from, std::int64_t stride, int count) {
    NarrowRun run;
#pragma unroll
    for (int p = 0; p < narrow_run / 2; ++p) {
      const std::uint32_t first = 2 * p < count ? __ldg(from + 2 * p * stride) : 0u,
                          other = 2 * p + 1 < count ? __ldg(from + (2 * p + 1) * stride) : 0u;
      run.pairs[p]              = first | other << 16;
    }
    return run;
  }

  NarrowRun runs_[Blocks];
};

}  // namespace Tegula::Impl

#endif
