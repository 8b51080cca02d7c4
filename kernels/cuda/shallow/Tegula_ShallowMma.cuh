// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_MMA_CUH
#define TEGULA_SHALLOW_MMA_CUH

#include "../Tegula_RunElements.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_ShallowLines.cuh"
#include "Tegula_ShallowPlace.cuh"

namespace Tegula::Impl {

/// What a warp multiplies in 16 bits: every step of dZ by the right operand, whose sums go to scratch at once, row by
/// row, and its transpose by the left operand, whose sums stay in registers until the end. Tensor cores take operands
/// as they lie in the registers of a warp. A lane has, of each of two blocks of 16 x 32, eight neighbours of row lane /
/// 4 and of the row 8 below. An instruction sums over 16 columns: the first two pairs of every lane's eight, then the
/// other two. Their order is nobody's business, as long as the right operand has the same. For the sums of columns the
/// 8 x 8 matrices that such pairs form are transposed.
template <class Config, class Input>
class ShallowMma {
  using Unit               = typename Config::Unit;
  using Bits               = typename Config::element;
  static constexpr int run = Unit::run, depth = Config::depth, groups = Config::groups, group = Config::group;
  static constexpr int blocks = 2, halves = 2, pairs = 4;  // side by side; of the rows of a block; of a run

 public:
  /// Pairs of rows of the left operand, of the first 8 and of the other 8, as they were asked for.
  struct Left {
    Bits values[groups][halves][2];

    __device__ std::uint32_t pair(int g, int h) const { return values[g][h][0] | std::uint32_t(values[g][h][1]) << 16; }
  };

  /// The right operand is brought by bring_right(), when the first step has been asked for.
  __device__ ShallowMma(const ShallowArguments<Bits>& arguments, float* /* scratch */, const ShallowPlace& place)
      : p_(arguments),
        lines_(arguments, place.row() + place.lane % 4 * 2, place.depth_at + place.lane / 4, place.step, place.last),
        column_(place.panel_column + place.column_block() * Unit::columns),
        depth_at_(place.depth_at),
        lane_(place.lane) {}

  __device__ void bring_right() {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int g = 0; g < groups; ++g)
#pragma unroll
        for (int pair = 0; pair < pairs; ++pair) {
          const std::int32_t j = column_ + Unit::column(lane_, b) + 2 * pair;
          const auto at        = [&](std::int32_t line) -> std::uint32_t {
            return shallow_element(p_.right, line, static_cast<std::int32_t>(p_.dC.columns),
                                          depth_at_ + g * group + lane_ / 4, p_.depth);
          };
          right_[b][g][pair] = at(j) | at(j + 1) << 16;
        }
  }

  __device__ void ask(Left& left) {
#pragma unroll
    for (int g = 0; g < groups; ++g)
#pragma unroll
      for (int h = 0; h < halves; ++h)
#pragma unroll
        for (int r = 0; r < 2; ++r) left.values[g][h][r] = lines_(h * 8 + r, g * group);
    lines_.go_on();
  }

  /// Adds a step. `sums` is where those of rows go.
  __device__ void add(const float (&dZ)[shallow_runs][run], const Left& left, float* sums) {
    std::uint32_t words[halves][blocks][pairs];
#pragma unroll
    for (int h = 0; h < halves; ++h)
#pragma unroll
      for (int b = 0; b < blocks; ++b)
#pragma unroll
        for (int pair = 0; pair < pairs; ++pair)
          words[h][b][pair] = rounded_pair<Input>(dZ[2 * h + b][2 * pair], dZ[2 * h + b][2 * pair + 1]);
    if (p_.of_rows.is_wanted()) add_rows(words, sums);
    if (p_.of_columns.is_wanted()) add_to_columns(words, left);
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int e = 0; e < run; ++e) totals_[b][e] += dZ[b][e] + dZ[2 + b][e];
  }

  /// The sums of the rows of dZ.
  __device__ void sum_rows(const float (&dZ)[shallow_runs][run], float* sums) const {
#pragma unroll
    for (int h = 0; h < halves; ++h) {
      float sum = 0;
#pragma unroll
      for (int b = 0; b < blocks; ++b)
#pragma unroll
        for (int e = 0; e < run; ++e) sum += dZ[2 * h + b][e];
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 1);
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 2);
      if (lane_ % 4 == 0) sums[lane_ / 4 + 8 * h] = sum;
    }
  }

  /// Puts a group of the sums of columns into scratch, lines of Config::pitch.
  template <int g>
  __device__ void put(float* tile) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int pair = 0; pair < pairs; ++pair) {
        // The transposed matrix of a pair has column lane / 4 as its row, and two neighbours along the depth.
        const int column     = b * 32 + lane_ / 4 / 2 * run + 2 * pair + lane_ / 4 % 2;
        const float(&sum)[4] = sums_[b][pair / 2][g];
#pragma unroll
        for (int at = 0; at < 2; ++at) tile[(lane_ % 4 * 2 + at) * Config::pitch + column] = sum[pair % 2 * 2 + at];
      }
  }

  /// Those of dZ itself.
  __device__ void put_totals(float* tile) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int e = 0; e < run; ++e) {
        float total = totals_[b][e];
#pragma unroll
        for (int distance = 4; distance < 32; distance *= 2) total += __shfl_xor_sync(0xFFFFFFFFu, total, distance);
        if (lane_ < 4) tile[Unit::column(lane_, b) + e] = total;
      }
  }

 private:
  using Words = std::uint32_t[halves][blocks][pairs];

  __device__ void add_rows(const Words& words, float* sums) const {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      float of_rows[4] = {};
#pragma unroll
      for (int b = 0; b < blocks; ++b)
#pragma unroll
        for (int first = 0; first < pairs; first += 2) {
          const std::uint32_t left[4] = {words[0][b][first], words[1][b][first], words[0][b][first + 1],
                                         words[1][b][first + 1]};
          ptx::multiply_add(Input(), of_rows, left, right_[b][g][first], right_[b][g][first + 1]);
        }
#pragma unroll
      for (int h = 0; h < halves; ++h)
#pragma unroll
        for (int at = 0; at < 2; ++at)
          sums[(lane_ / 4 + 8 * h) * depth + g * group + lane_ % 4 * 2 + at] = of_rows[2 * h + at];
    }
  }

  __device__ void add_to_columns(const Words& words, const Left& left) {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int first = 0; first < pairs; first += 2) {
        std::uint32_t transposed[4];
#pragma unroll
        for (int h = 0; h < halves; ++h)
#pragma unroll
          for (int pair = 0; pair < 2; ++pair)
            transposed[2 * h + pair] = ptx::transposed_matrix(words[h][b][first + pair]);
#pragma unroll
        for (int g = 0; g < groups; ++g)
          ptx::multiply_add(Input(), sums_[b][first / 2][g], transposed, left.pair(g, 0), left.pair(g, 1));
      }
  }

  const ShallowArguments<Bits>& p_;
  ShallowLines<Bits> lines_;
  std::int32_t column_, depth_at_;
  int lane_;
  std::uint32_t right_[blocks][groups][pairs];
  float sums_[blocks][pairs / 2][groups][4] = {}, totals_[blocks][run] = {};
};

}  // namespace Tegula::Impl

#endif
