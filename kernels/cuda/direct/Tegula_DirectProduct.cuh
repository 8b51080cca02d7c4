// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_PRODUCT_CUH
#define TEGULA_DIRECT_PRODUCT_CUH

#include "Tegula_DirectArguments.hpp"
#include "Tegula_DirectFragment.cuh"

namespace Tegula::Impl {

/// The sums of a lane.
template <class Config, class Bits>
using DirectSums = sum_t<Bits>[Config::rows][Config::columns];

/// Where a warp begins, and which chunks of depth it takes: number `slot`, and every `slots`-th behind it, a power
/// of 2.
struct DirectPart {
  std::int32_t row, column, slot, slots;
};

/// The place of a lane in its warp.
template <class Config>
struct DirectLane {
  int row, column, depth;

  __device__ explicit DirectLane(int lane)
      : row(lane / (Config::column_lanes * Config::depth_lanes)),
        column(lane / Config::depth_lanes % Config::column_lanes),
        depth(lane % Config::depth_lanes) {}
};

/// A left operand that lies in memory as it is multiplied.
template <class Input>
struct DirectAsItLies {
  template <int usual>
  static constexpr int batch = usual;

  template <DirectRead by, int Lines, int Depth>
  using Fragment = DirectFragment<Input, by, Lines, Depth>;

  template <class Fragment, class... Where>
  __device__ static void read(Fragment& fragment, const Where&... where) {
    fragment.read(where...);
  }
  template <class Fragment, class... Where>
  __device__ static void read_some(Fragment& fragment, const Where&... where) {
    fragment.read_some(where...);
  }
  template <class Fragment>
  __device__ static void form(Fragment&) {}
};

/// Multiplies what a warp has of a tile, straight out of memory. Lines beyond the last one are read as if they were the
/// last one; their sums are not stored. `Left` reads the left operand, and makes of what was read what is multiplied.
template <class Config, class Input, DirectRead left_by, DirectRead right_by, class Left>
class DirectProduct {
  using Bits = bits_t<Input>;
  using Sums = DirectSums<Config, Bits>;
  template <DirectRead by>
  using LeftFragment = typename Left::template Fragment<by, Config::rows, direct_depth<Bits>(left_by, right_by)>;
  static constexpr int depth = direct_depth<Bits>(left_by, right_by), chunk = depth * Config::depth_lanes;
  static constexpr int batch = Left::template batch<direct_batch<Bits>(Config::batch)>;

 public:
  __device__ DirectProduct(const DirectArguments<Bits>& arguments, const DirectPart& part, int lane, Left& left)
      : p_(arguments), left_operand_(left) {
    const DirectLane<Config> at(lane);
    chunk_           = part.slot;
    slots_           = part.slots;
    lane_depth_      = at.depth * depth;
    const auto begin = static_cast<std::int64_t>(part.slot) * chunk + lane_depth_;
#pragma unroll
    for (int r = 0; r < Config::rows; ++r) {
      const int row = part.row + direct_line<left_by, Config::row_lanes, Config::rows>(at.row, r);
      left_[r]      = p_.left + (row < p_.m ? row : last_line<left_by>(p_.m, r)) * p_.left_line + begin * p_.left_depth;
    }
#pragma unroll
    for (int c = 0; c < Config::columns; ++c) {
      const int column = part.column + direct_line<right_by, Config::column_lanes, Config::columns>(at.column, c);
      right_[c] =
          p_.right + (column < p_.n ? column : last_line<right_by>(p_.n, c)) * p_.right_line + begin * p_.right_depth;
    }
  }

  __device__ void run(Sums& sums) {
    const int whole = p_.depth / chunk, rest = p_.depth - whole * chunk;
#pragma unroll 1
    for (; chunk_ < whole; chunk_ += batch * slots_) multiply_batch(whole, sums);
    if (rest > 0 && ((chunk_ ^ whole) & (slots_ - 1)) == 0) multiply_rest(whole, rest, sums);
  }

 private:
  // Runs across lines begin at multiples of their length: either all of their lines are there, or none is.
  template <DirectRead by>
  __device__ static int last_line(int lines, int line) {
    return by == DirectRead::lines ? line : lines - 1;
  }

  // What is on its way is read before anything of it is multiplied.
  __device__ void multiply_batch(int whole, Sums& sums) {
    LeftFragment<left_by> left[batch];
    DirectFragment<Input, right_by, Config::columns, depth> right[batch];
    const std::int64_t step = static_cast<std::int64_t>(slots_) * chunk;
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      if (chunk_ + b * slots_ >= whole) break;
      left_operand_.read(left[b], left_, b * step * p_.left_depth, p_.left_depth);
      right[b].read(right_, b * step * p_.right_depth, p_.right_depth);
    }
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      if (chunk_ + b * slots_ >= whole) break;
      left_operand_.form(left[b]);
      multiply(left[b], right[b], sums);
    }
    go_on(batch * step);
  }

  __device__ void go_on(std::int64_t steps) {
#pragma unroll
    for (int r = 0; r < Config::rows; ++r) left_[r] += steps * p_.left_depth;
#pragma unroll
    for (int c = 0; c < Config::columns; ++c) right_[c] += steps * p_.right_depth;
  }

  // What is no whole chunk. The pointers may be some chunks beyond it.
  __device__ void multiply_rest(int whole, int rest, Sums& sums) {
    go_on(static_cast<std::int64_t>(whole - chunk_) * chunk);
    LeftFragment<DirectRead::elements> left;
    DirectFragment<Input, DirectRead::elements, Config::columns, depth> right;
    left_operand_.read_some(left, left_, p_.left_depth, rest - lane_depth_);
    right.read_some(right_, p_.right_depth, rest - lane_depth_);
    left_operand_.form(left);
    multiply(left, right, sums);
  }

  template <class LeftValues, class RightValues>
  __device__ static void multiply(const LeftValues& left, const RightValues& right, Sums& sums) {
#pragma unroll
    for (int step = 0; step < depth; ++step)
#pragma unroll
      for (int r = 0; r < Config::rows; ++r)
#pragma unroll
        for (int c = 0; c < Config::columns; ++c) sums[r][c] = ::fma(left.get(r, step), right.get(c, step), sums[r][c]);
  }

  const DirectArguments<Bits>& p_;
  Left& left_operand_;
  const Bits *left_[Config::rows], *right_[Config::columns];  // the next chunk
  int chunk_, slots_, lane_depth_;
};

}  // namespace Tegula::Impl

#endif
