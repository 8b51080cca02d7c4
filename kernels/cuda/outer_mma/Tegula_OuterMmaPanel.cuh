// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_PANEL_CUH
#define TEGULA_OUTER_MMA_PANEL_CUH

#include "../Tegula_RunElements.cuh"
#include "Tegula_OuterMmaConfig.hpp"

/// Lines of an operand of 16 bits on their way to scratch, with zeros behind their depth and for lines beyond the last.

namespace Tegula::Impl {

template <class Config>
class OuterMmaPanel {
  using Bits               = std::uint16_t;
  static constexpr int run = 8, runs = Config::depth / run;     // elements of 16 bytes, and those of a line
  static constexpr int at_once   = Config::depth > 16 ? 4 : 2;  // runs of a thread on their way
  static constexpr int runs_log2 = Config::depth == 16 ? 1 : Config::depth == 32 ? 2 : 3;
  static_assert(runs == 1 << runs_log2);

 public:
  /// Its first line is at `first`, of `inside` lines up to the last one.
  __device__ OuterMmaPanel(const Bits* first, std::int64_t line_stride, std::int64_t depth_stride, std::int32_t inside,
                           std::int32_t depth)
      : first_(first), line_stride_(line_stride), depth_stride_(depth_stride), inside_(inside), depth_(depth) {}

  /// Brings 2^lines_log2 lines, line l to the place(l)-th in scratch. Neighbouring threads read what lies near.
  template <class Place>
  __device__ void bring(int lines_log2, int thread, char* scratch, const Place& place) const {
    depth_stride_ == 1 ? bring_by<true>(lines_log2, thread, scratch, place)
                       : bring_by<false>(lines_log2, thread, scratch, place);
  }

 private:
  struct Elements {
    Bits of[run];
  };

  template <bool along_depth, class Place>
  __device__ void bring_by(int lines_log2, int thread, char* scratch, const Place& place) const {
    using Asked      = std::conditional_t<along_depth, SplitWord, Elements>;
    const int passes = (runs << lines_log2) / outer_mma_threads;
#pragma unroll 1
    for (int pass = 0; pass < passes; pass += at_once) {
      Asked asked[at_once];
#pragma unroll
      for (int r = 0; r < at_once; ++r)
        if (pass + r < passes) ask(number(pass + r, thread), asked[r], lines_log2);
#pragma unroll
      for (int r = 0; r < at_once; ++r)
        if (pass + r < passes) {
          const auto [line, of_line] = split<along_depth>(number(pass + r, thread), lines_log2);
          *reinterpret_cast<uint4*>(scratch + place(line) * Config::line_bytes + of_line * 16) =
              word(asked[r], line, of_line);
        }
    }
  }

  struct RunPlace {
    int line, of_line;
  };

  __device__ static int number(int pass, int thread) { return thread + pass * outer_mma_threads; }

  template <bool along_depth>
  __device__ static RunPlace split(int number, int lines_log2) {
    if (along_depth) return {number >> runs_log2, number & (runs - 1)};
    return {number & ((1 << lines_log2) - 1), number >> lines_log2};
  }

  /// Elements of a run that are the operand's.
  __device__ int count(int line, int of_line) const {
    const int left = depth_ - of_line * run;
    return line < inside_ ? (left < run ? left : run) : 0;
  }

  __device__ const Bits* at(int line, int of_line) const {
    return first_ + line * line_stride_ + of_line * run * depth_stride_;
  }

  __device__ void ask(int number, SplitWord& asked, int lines_log2) const {
    const auto [line, of_line] = split<true>(number, lines_log2);
    asked                      = load_split_word<CacheUse::again>(at(line, of_line), count(line, of_line));
  }

  __device__ void ask(int number, Elements& asked, int lines_log2) const {
    const auto [line, of_line] = split<false>(number, lines_log2);
    const int elements         = count(line, of_line);
    const Bits* const from     = at(line, of_line);
#pragma unroll
    for (int e = 0; e < run; ++e) asked.of[e] = e < elements ? __ldg(from + e * depth_stride_) : Bits(0);
  }

  __device__ uint4 word(const SplitWord& asked, int line, int of_line) const {
    uint4 whole           = joined<Bits>(asked, low_bits(at(line, of_line)));
    const int elements    = count(line, of_line);
    std::uint32_t* pair[] = {&whole.x, &whole.y, &whole.z, &whole.w};
#pragma unroll
    for (int w = 0; w < 4; ++w) *pair[w] = 2 * w + 1 < elements ? *pair[w] : 2 * w < elements ? *pair[w] & 0xFFFF : 0;
    return whole;
  }

  __device__ uint4 word(const Elements& asked, int, int) const {
    const auto pair = [&](int e) { return std::uint32_t(asked.of[e]) | std::uint32_t(asked.of[e + 1]) << 16; };
    return {pair(0), pair(2), pair(4), pair(6)};
  }

  const Bits* first_;
  std::int64_t line_stride_, depth_stride_;
  std::int32_t inside_, depth_;
};

}  // namespace Tegula::Impl

#endif
