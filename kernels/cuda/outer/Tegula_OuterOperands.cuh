// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_OPERANDS_CUH
#define TEGULA_OUTER_OPERANDS_CUH

#include <bit>

#include "../Tegula_ResultElement.cuh"
#include "Tegula_OuterArguments.hpp"

/// What a team of the outer family reads. Whatever it is, it is asked for before anybody waits for it.

namespace Tegula::Impl {

/// The columns of a lane: single ones, or, of 16 bits, pairs of neighbours. Without a sign, they may be counted beyond
/// the last one that there can be.
template <class Bits>
struct OuterColumns {
  static constexpr int run = sizeof(Bits) == 2 ? 2 : 1;
  int lane;
  std::uint32_t first;

  __device__ OuterColumns(std::uint32_t tile, int of_lane) : lane(of_lane), first(tile + of_lane * run) {}
  __device__ std::uint32_t of(int c) const { return first + c / run * 32 * run + c % run; }
};

/// Where the columns of a lane begin in the right operand. Those beyond the last one repeat it; their sums are not
/// stored.
template <class Bits>
struct OuterRight {
  const Bits* first[outer_lane_columns];

  __device__ OuterRight(const OuterArguments<Bits>& p, const OuterColumns<Bits>& columns) {
#pragma unroll
    for (int c = 0; c < outer_lane_columns; ++c) {
      const std::uint32_t last = p.n - 1, column = min(columns.of(c), last);
      first[c] = p.right + column * p.right_line;
    }
  }
};

/// What a lane has of the right operand, in registers. Steps that no sum has, four by four, are left out.
template <class Config, class Input>
struct OuterHeld {
  using Bits = bits_t<Input>;
  sum_t<Bits> of[Config::depth][outer_lane_columns];

  __device__ OuterHeld(const OuterArguments<Bits>& p, const OuterRight<Bits>& from) {
    Bits bits[Config::depth][outer_lane_columns];
#pragma unroll
    for (int step = 0; step < Config::depth; ++step) {
      if (step % 4 == 0 && step >= p.depth) break;
#pragma unroll
      for (int c = 0; c < outer_lane_columns; ++c)
        bits[step][c] = step < p.depth ? __ldg(from.first[c] + step * p.right_depth) : Bits(0);
    }
#pragma unroll
    for (int step = 0; step < Config::depth; ++step) {
      if (step % 4 == 0 && step >= p.depth) break;
#pragma unroll
      for (int c = 0; c < outer_lane_columns; ++c) of[step][c] = widened<Input>(bits[step][c]);
    }
  }
};

/// The rows of the left operand that a tile has, on their way to scratch, with zeros behind their depth. Threads go
/// from element to element as these lie in memory, and each by one distance.
template <class Config, class Input>
class OuterRows {
  using Bits                      = bits_t<Input>;
  using Sum                       = sum_t<Bits>;
  static constexpr int most       = Config::depth > 8 ? 8 : 4;  // elements of a thread on their way at a time
  static constexpr int depth_log2 = std::countr_zero(unsigned(Config::depth));
  static_assert(Config::depth == 1 << depth_log2 && outer_threads % Config::depth == 0);
  static_assert(outer_threads % outer_most_rows == 0);

 public:
  struct Batch {
    Bits of[most];
  };

  /// The tile begins at `row`.
  __device__ OuterRows(const OuterArguments<Bits>& p, std::int32_t row, int thread, Sum* scratch)
      : depth_(p.depth), left_((Config::depth << rows_log2(p)) / outer_threads) {
    const bool goes_along_lines = p.left_line == 1;
    const int line              = goes_along_lines ? thread & ((1 << rows_log2(p)) - 1) : thread >> depth_log2;
    step_                       = goes_along_lines ? thread >> rows_log2(p) : thread & (Config::depth - 1);
    lines_on_                   = goes_along_lines ? 0 : outer_threads / Config::depth;
    steps_on_                   = goes_along_lines ? outer_threads >> rows_log2(p) : 0;
    inside_                     = p.m - row - line;
    from_                       = p.left + (std::int64_t(row) + line) * p.left_line + step_ * p.left_depth;
    distance_                   = lines_on_ * p.left_line + steps_on_ * p.left_depth;
    to_                         = scratch + line * Config::pitch + step_;
  }

  __device__ bool is_done() const { return left_ == 0; }

  __device__ Batch ask() {
    Batch asked;
#pragma unroll
    for (int e = 0; e < most; ++e) {
      if (e == left_) break;  // for all threads of the team
      asked.of[e] = inside_ > 0 && step_ < depth_ ? __ldg(from_) : Bits(0);
      from_ += distance_;
      inside_ -= lines_on_;
      step_ += steps_on_;
    }
    return asked;
  }

  /// Puts what was asked for last.
  __device__ void put(const Batch& asked) {
#pragma unroll
    for (int e = 0; e < most; ++e) {
      if (e == left_) break;
      *to_ = widened<Input>(asked.of[e]);
      to_ += lines_on_ * Config::pitch + steps_on_;
    }
    left_ -= min(left_, most);
  }

 private:
  __device__ static int rows_log2(const OuterArguments<Bits>& p) { return p.how.warp_rows_log2 + outer_warps_log2; }

  const Bits* from_;       // a thread's next element
  std::int64_t distance_;  // to the one behind it
  Sum* to_;
  std::int32_t inside_, depth_;
  int step_, left_, lines_on_, steps_on_;
};

/// A bias of the columns of a lane; zeros, if there is none.
template <class Bits>
class OuterBias {
  using Any = ResultElement<Bits>;

 public:
  __device__ OuterBias(const OuterArguments<Bits>& p, const OuterColumns<Bits>& columns) : element_(p.bias_element) {
    const bool is_wanted = p.bias != nullptr && !p.has_bias_of_rows;
#pragma unroll
    for (int c = 0; c < outer_lane_columns; ++c)
      asked_[c] = is_wanted && columns.of(c) < static_cast<std::uint32_t>(p.n)
                      ? Any::ask(p.bias, element_, columns.of(c) * p.bias_stride)
                      : typename Any::Asked(0);
  }

  __device__ sum_t<Bits> of(int c) const { return Any::value(element_, asked_[c]); }

 private:
  Element element_;
  typename Any::Asked asked_[outer_lane_columns];
};

template <class Bits>
__device__ inline bool has_bias_of_rows(const OuterArguments<Bits>& p) {
  return p.bias != nullptr && p.has_bias_of_rows;
}

/// Brings a bias of the rows of a tile to scratch, a number for each row.
template <class Bits>
__device__ inline void bring_bias_of_rows(const OuterArguments<Bits>& p, std::int32_t row, int rows, int thread,
                                          sum_t<Bits>* scratch) {
  using Any = ResultElement<Bits>;
#pragma unroll 1
  for (int r = thread; r < rows; r += outer_threads) {
    const bool is_inside = r < p.m - row;
    const auto asked =
        is_inside ? Any::ask(p.bias, p.bias_element, (std::int64_t(row) + r) * p.bias_stride) : typename Any::Asked(0);
    scratch[r] = Any::value(p.bias_element, asked);
  }
}

}  // namespace Tegula::Impl

#endif
