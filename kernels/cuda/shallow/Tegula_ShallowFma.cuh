// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_FMA_CUH
#define TEGULA_SHALLOW_FMA_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_ShallowProducts.cuh"

namespace Tegula::Impl {

/// Float and double, by fused multiply-adds. A lane has `run` columns of every row. What it adds to the sums of rows
/// meets that of the other lanes by shuffles, each of which halves the sums that a lane has left.
template <class Config, class Input>
class ShallowProducts<Config, Input, false> {
  using T                  = typename Config::sum;
  using Warp               = typename Config::Warp;
  static constexpr int run = Warp::run, rows = Warp::rows, depth = Config::depth, group = Config::group;
  static constexpr int lanes = 32;
  static_assert(rows * group == lanes, "a lane ends with one sum");

 public:
  /// Elements of the left operand, one of each group: row lane / group, element lane mod group.
  struct Left {
    T values[Config::groups];
  };

  /// As ShallowGradient. The right operand is brought by bring_right(), when the first step has been asked for.
  __device__ ShallowProducts(const ShallowArguments<T>& arguments, T* scratch, std::int32_t column, std::int32_t row,
                             int step, std::int32_t last, int warp, int lane)
      : p_(arguments),
        lines_(arguments, row + lane / group, lane % group, step, last),
        left_(scratch + Config::left_at + warp * Config::left),
        right_(scratch + Config::right_at + warp * Warp::columns + lane * run),
        column_(column + lane * run),
        lane_(lane) {}

  // Every warp has its own, so that none waits for another.
  __device__ void bring_right() {
#pragma unroll 1
    for (int first = 0; first < depth; first += group) {
      T right[group][run];
#pragma unroll
      for (int at = 0; at < group; ++at)
#pragma unroll
        for (int e = 0; e < run; ++e)
          right[at][e] =
              shallow_element(p_.right, column_ + e, static_cast<std::int32_t>(p_.dC.columns), first + at, p_.depth);
#pragma unroll
      for (int at = 0; at < group; ++at)
        ptx::store_vector(ptx::shared_address(right_ + (first + at) * Config::widest), right[at]);
    }
    __syncwarp();
  }

  __device__ void ask(Left& left) {
#pragma unroll
    for (int g = 0; g < Config::groups; ++g) left.values[g] = lines_(0, g * group);
    lines_.go_on();
  }

  /// Adds a step. `sums` is where those of rows go.
  __device__ void add(const T (&dZ)[rows][run], const Left& left, T* sums) {
    __syncwarp();
#pragma unroll
    for (int g = 0; g < Config::groups; ++g) left_[lane_ / group * depth + g * group + lane_ % group] = left.values[g];
    __syncwarp();
#pragma unroll
    for (int g = 0; g < Config::groups; ++g) {
      if (p_.of_rows.is_wanted()) sums[lane_ / group * depth + g * group + lane_ % group] = row_sum(dZ, g);
      if (p_.of_columns.is_wanted()) add_to_columns(dZ, g);
    }
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

  /// Puts a group of the sums of columns into scratch, lines of Config::pitch.
  template <int g>
  __device__ void put(T* tile) const {
#pragma unroll
    for (int at = 0; at < group; ++at)
#pragma unroll
      for (int e = 0; e < run; ++e) tile[at * Config::pitch + lane_ * run + e] = sums_[g * group + at][e];
  }

  /// Those of dZ itself.
  __device__ void put_totals(T* tile) const {
#pragma unroll
    for (int e = 0; e < run; ++e) tile[lane_ * run + e] = totals_[e];
  }

 private:
  __device__ T row_sum(const T (&dZ)[rows][run], int g) const {
    T sums[lanes] = {};  // row by row
#pragma unroll
    for (int at = 0; at < group; ++at) {
      T right[run];
      ptx::load_vector(ptx::shared_address(right_ + (g * group + at) * Config::widest), right);
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int e = 0; e < run; ++e) sums[r * group + at] = ::fma(dZ[r][e], right[e], sums[r * group + at]);
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

  __device__ void add_to_columns(const T (&dZ)[rows][run], int g) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int first = 0; first < group; first += run) {
        T left[run];
        ptx::load_vector(ptx::shared_address(left_ + r * depth + g * group + first), left);
#pragma unroll
        for (int at = 0; at < run; ++at)
#pragma unroll
          for (int e = 0; e < run; ++e) {
            T& sum = sums_[g * group + first + at][e];
            sum    = ::fma(left[at], dZ[r][e], sum);
          }
      }
  }

  const ShallowArguments<T>& p_;
  ShallowLines<T> lines_;
  T *left_, *right_;
  std::int32_t column_;
  int lane_;
  T sums_[depth][run] = {}, totals_[run] = {};
};

}  // namespace Tegula::Impl

#endif
