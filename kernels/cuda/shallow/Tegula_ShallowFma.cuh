// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_FMA_CUH
#define TEGULA_SHALLOW_FMA_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_ShallowLines.cuh"
#include "Tegula_ShallowPlace.cuh"

namespace Tegula::Impl {

/// What a warp multiplies in float and double where sums are short: as ShallowMma, by fused multiply-adds. A lane has
/// `run` columns of every row. What it adds to the sums of rows meets that of the other lanes by shuffles, each of
/// which halves the sums that a lane has left.
template <class Config>
class ShallowFma {
  using T                  = typename Config::sum;
  using Unit               = typename Config::Unit;
  static constexpr int run = Unit::run, rows = Unit::rows, depth = Config::depth;
  static constexpr int lanes = 32;
  static_assert(rows * depth == lanes, "a lane ends with one sum");

 public:
  /// An element of the left operand: row lane / depth, element lane mod depth.
  struct Left {
    T value;
  };

  /// The right operand is brought by bring_right(), when the first step has been asked for.
  __device__ ShallowFma(const ShallowArguments<T>& arguments, T* scratch, const ShallowPlace& place)
      : p_(arguments),
        lines_(arguments, place.row() + place.lane / depth, place.depth_at + place.lane % depth, place.step,
               place.last),
        left_(scratch + Config::left_at + place.unit * lanes),
        right_(scratch + Config::right_at + place.unit * Unit::columns * depth + place.lane * run),
        column_(place.panel_column + place.column_block() * Unit::columns + place.lane * run),
        depth_at_(place.depth_at),
        lane_(place.lane) {}

  // Every warp has its own, so that none waits for another.
  __device__ void bring_right() {
    T right[depth][run];
#pragma unroll
    for (int at = 0; at < depth; ++at)
#pragma unroll
      for (int e = 0; e < run; ++e)
        right[at][e] =
            shallow_element(p_.right, column_ + e, static_cast<std::int32_t>(p_.dC.columns), depth_at_ + at, p_.depth);
#pragma unroll
    for (int at = 0; at < depth; ++at) ptx::store_vector(ptx::shared_address(right_ + at * lanes * run), right[at]);
    __syncwarp();
  }

  __device__ void ask(Left& left) {
    left.value = lines_(0, 0);
    lines_.go_on();
  }

  /// Adds a step. `sums` is where those of rows go.
  __device__ void add(const T (&dZ)[rows][run], const Left& left, T* sums) {
    __syncwarp();
    left_[lane_] = left.value;
    __syncwarp();
    if (p_.of_rows.is_wanted()) sums[lane_] = row_sum(dZ);
    if (p_.of_columns.is_wanted()) add_to_columns(dZ);
#pragma unroll
    for (int e = 0; e < run; ++e)
#pragma unroll
      for (int r = 0; r < rows; ++r) totals_[e] += dZ[r][e];
  }

  /// The sums of the rows of dZ.
  __device__ void sum_rows(const T (&dZ)[rows][run], T* sums) const {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      T sum = 0;
#pragma unroll
      for (int e = 0; e < run; ++e) sum += dZ[r][e];
#pragma unroll
      for (int distance = 1; distance < lanes; distance *= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, distance);
      if (lane_ == r) sums[r] = sum;
    }
  }

  /// Puts the sums of columns into scratch, lines of Config::pitch.
  template <int>
  __device__ void put(T* tile) const {
#pragma unroll
    for (int at = 0; at < depth; ++at)
#pragma unroll
      for (int e = 0; e < run; ++e) tile[at * Config::pitch + lane_ * run + e] = sums_[at][e];
  }

  /// Those of dZ itself.
  __device__ void put_totals(T* tile) const {
#pragma unroll
    for (int e = 0; e < run; ++e) tile[lane_ * run + e] = totals_[e];
  }

 private:
  __device__ T row_sum(const T (&dZ)[rows][run]) const {
    T sums[lanes] = {};  // row by row
#pragma unroll
    for (int at = 0; at < depth; ++at) {
      T right[run];
      ptx::load_vector(ptx::shared_address(right_ + at * lanes * run), right);
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int e = 0; e < run; ++e) sums[r * depth + at] = ::fma(dZ[r][e], right[e], sums[r * depth + at]);
    }
    return share_out<lanes / 2>(sums);
  }

  // The sum over all lanes of the lane-th of 2 half sums; a constant number each time, so that they stay in registers.
  template <int half>
  __device__ T share_out(const T (&sums)[2 * half]) const {
    const bool is_upper = (lane_ & half) != 0;
    T rest[half];
#pragma unroll
    for (int s = 0; s < half; ++s) {
      const T given = is_upper ? sums[s] : sums[s + half], kept = is_upper ? sums[s + half] : sums[s];
      rest[s] = kept + __shfl_xor_sync(0xFFFFFFFFu, given, half);
    }
    if constexpr (half > 1) {
      return share_out<half / 2>(rest);
    } else {
      return rest[0];
    }
  }

  __device__ void add_to_columns(const T (&dZ)[rows][run]) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int first = 0; first < depth; first += run) {
        T left[run];
        ptx::load_vector(ptx::shared_address(left_ + r * depth + first), left);
#pragma unroll
        for (int at = 0; at < run; ++at)
#pragma unroll
          for (int e = 0; e < run; ++e) sums_[first + at][e] = ::fma(left[at], dZ[r][e], sums_[first + at][e]);
      }
  }

  const ShallowArguments<T>& p_;
  ShallowLines<T> lines_;
  T *left_, *right_;
  std::int32_t column_, depth_at_;
  int lane_;
  T sums_[depth][run] = {}, totals_[run] = {};
};

}  // namespace Tegula::Impl

#endif
