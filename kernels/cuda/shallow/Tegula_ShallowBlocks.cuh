// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_BLOCKS_CUH
#define TEGULA_SHALLOW_BLOCKS_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMmaDouble.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_ShallowConfig.hpp"

namespace Tegula::Impl {

/// What a warp multiplies of a block of dZ in scratch, whose lines are Config::pitch apart, and of operands, whose
/// lines are Config::line_pitch apart. Float: by fused multiply-adds. Lanes are eight by four: along the columns, or
/// the rows, of the block, and along the depth, where each has two neighbours of every group.
template <class Config, class T = typename Config::sum>
class ShallowBlocks {
  using Unit = typename Config::Unit;

  static constexpr int rows = Unit::rows, depth = Config::depth, pitch = Config::pitch, line = Config::line_pitch;
  static constexpr int groups = Config::groups, group = Config::group, down = 8;
  static constexpr int own_rows = rows / down, own_columns = Unit::columns / down, word = sizeof(T);
  static_assert(group == 4 * 2 && own_columns * word == 16);

 public:
  // Neighbours in squares of two by two read 16 bytes together.
  __device__ explicit ShallowBlocks(int lane)
      : line_(lane / 8 * 2 + lane / 2 % 2), at_((lane / 4 % 2 * 2 + lane % 2) * 2) {}

  /// Adds (rows of dZ)^T times lines of the left operand to the sums of columns.
  __device__ void add_to_columns(std::uint32_t dZ, std::uint32_t left) {
    const std::uint32_t from = dZ + line_ * own_columns * word, lines = left + at_ * word;
#pragma unroll 4
    for (int r = 0; r < Unit::asked; ++r) {
      T columns[own_columns], own[2 * groups];
      ptx::load_vector(from + r * pitch * word, columns);
      load_line(lines + r * line * word, own);
#pragma unroll
      for (int c = 0; c < own_columns; ++c)
#pragma unroll
        for (int k = 0; k < 2 * groups; ++k) of_columns_[c][k] = ::fma(columns[c], own[k], of_columns_[c][k]);
    }
  }

  /// Puts dZ times lines of the right operand where dZ was, row by row. A lane has every eighth row: in different
  /// banks.
  __device__ void put_rows(std::uint32_t dZ, std::uint32_t right) const {
    T sums[own_rows][2 * groups] = {};
    const std::uint32_t from = dZ + line_ * pitch * word, lines = right + at_ * word;
#pragma unroll 4
    for (int c = 0; c < Unit::columns; ++c) {
      T column[own_rows], own[2 * groups];
#pragma unroll
      for (int r = 0; r < own_rows; ++r) ptx::load_element(from + (r * down * pitch + c) * word, column[r]);
      load_line(lines + c * line * word, own);
#pragma unroll
      for (int r = 0; r < own_rows; ++r)
#pragma unroll
        for (int k = 0; k < 2 * groups; ++k) sums[r][k] = ::fma(column[r], own[k], sums[r][k]);
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < own_rows; ++r)
#pragma unroll
      for (int g = 0; g < groups; ++g)
        ptx::store_pair(dZ + ((line_ + r * down) * depth + g * group + at_) * word, sums[r][2 * g], sums[r][2 * g + 1]);
  }

  /// Puts the sums of columns into scratch, one line for each element of the depth, Config::pitch apart.
  __device__ void put(T* tile) const {
#pragma unroll
    for (int g = 0; g < groups; ++g)
#pragma unroll
      for (int e = 0; e < 2; ++e)
#pragma unroll
        for (int c = 0; c < own_columns; ++c)
          tile[(g * group + at_ + e) * pitch + line_ * own_columns + c] = of_columns_[c][2 * g + e];
  }

 private:
  __device__ static void load_line(std::uint32_t from, T (&own)[2 * groups]) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      T pair[2];
      ptx::load_vector(from + g * group * word, pair);
      own[2 * g]     = pair[0];
      own[2 * g + 1] = pair[1];
    }
  }

  int line_, at_;  // of the lanes: which line of eight, and which neighbours along the depth
  T of_columns_[own_columns][2 * groups] = {};
};

/// Double: by tensor cores, 16 lines of dZ or of its transpose and 8 steps at a time.
template <class Config>
class ShallowBlocks<Config, double> {
  using Unit = typename Config::Unit;

  static constexpr int depth = Config::depth, pitch = Config::pitch, line = Config::line_pitch;
  static constexpr int groups = Config::groups, group = Config::group, steps = 8, blocks = Unit::columns / 16;
  static constexpr int word = sizeof(double);
  static_assert(Unit::rows == 16 && Unit::asked == steps);

 public:
  __device__ explicit ShallowBlocks(int lane) : line_(lane / 4), step_(lane % 4) {}

  __device__ void add_to_columns(std::uint32_t dZ, std::uint32_t left) {
    double columns[blocks][4];
#pragma unroll
    for (int b = 0; b < blocks; ++b) load_lines(dZ + b * 16 * word, 1, pitch, columns[b]);
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      double own[2];
      load_steps(left + g * group * word, own);
#pragma unroll
      for (int b = 0; b < blocks; ++b) ptx::multiply_add(of_columns_[b][g], columns[b], own);
    }
  }

  __device__ void put_rows(std::uint32_t dZ, std::uint32_t right) const {
    double sums[groups][4] = {};
#pragma unroll 2
    for (int c = 0; c < Unit::columns; c += steps) {
      double block[4];
      load_lines(dZ + c * word, pitch, 1, block);
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        double own[2];
        load_steps(right + (c * line + g * group) * word, own);
        ptx::multiply_add(sums[g], block, own);
      }
    }
    __syncwarp();
#pragma unroll
    for (int g = 0; g < groups; ++g)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        ptx::store_pair(dZ + ((line_ + 8 * half) * depth + g * group + 2 * step_) * word, sums[g][2 * half],
                        sums[g][2 * half + 1]);
  }

  __device__ void put(double* tile) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int g = 0; g < groups; ++g)
#pragma unroll
        for (int s = 0; s < 4; ++s)
          tile[(g * group + 2 * step_ + s % 2) * pitch + b * 16 + s / 2 * 8 + line_] = of_columns_[b][g][s];
  }

 private:
  // 16 lines and 8 steps of dZ, lines and steps so many elements apart.
  __device__ void load_lines(std::uint32_t from, int line_stride, int step_stride, double (&left)[4]) const {
#pragma unroll
    for (int s = 0; s < 4; ++s)
      ptx::load_element(from + ((line_ + s % 2 * 8) * line_stride + (step_ + s / 2 * 4) * step_stride) * word, left[s]);
  }
  // 8 steps and a group of an operand.
  __device__ void load_steps(std::uint32_t from, double (&right)[2]) const {
#pragma unroll
    for (int half = 0; half < 2; ++half)
      ptx::load_element(from + ((step_ + half * 4) * line + line_) * word, right[half]);
  }

  int line_, step_;
  double of_columns_[blocks][groups][4] = {};
};

}  // namespace Tegula::Impl

#endif
