// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_PRODUCT_CUH
#define TEGULA_SKINNY_PRODUCT_CUH

#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_SkinnyLayout.hpp"

/// What a lane multiplies.

namespace Tegula::Impl {

/// The sums of a lane.
template <class Config>
using SkinnySums = typename Config::element[Config::rows][Config::columns];

/// A lane's lines of the long operand, with as many steps of depth as 16 bytes hold.
template <class Config, StreamBy by>
class SkinnyFragment {
  using T                        = typename Config::element;
  using Layout                   = SkinnyLayout<Config, by>;
  static constexpr int block     = Config::block;
  static constexpr bool by_lines = is_along_lines(by);

 public:
  /// `lines` is the place of the lane's first line of a stage.
  __device__ void read(std::uint32_t lines, int depth) {
#pragma unroll
    for (int b = 0; b < Config::blocks_m; ++b)
#pragma unroll
      for (int v = 0; v < block; ++v) {
        const int line = b * Config::lane_rows * block;
        ptx::load_vector(lines + (by_lines ? Layout::offset(line, depth + v) : Layout::offset(line + v, depth)),
                         of_[b * block + v]);
      }
  }

  __device__ T operator()(int row, int step) const {
    return by_lines ? of_[row / block * block + step][row % block] : of_[row][step];
  }

 private:
  T of_[Config::rows][block];
};

/// sums += `depth` of a step of a tile times the short operand. `lines` and `columns` are the places of the lane's
/// first line of both operands in scratch. The short operand lies there as rows of tile_n, one for each step of depth.
/// The loop is not unrolled: that brought nothing, and teams are soon done and must fetch their instructions first.
template <class Config, StreamBy by>
__device__ inline void multiply_skinny(std::uint32_t lines, std::uint32_t columns, int depth,
                                       SkinnySums<Config>& sums) {
  using T             = typename Config::element;
  constexpr int block = Config::block;
#pragma unroll 1
  for (int at = 0; at < depth; at += block) {
    SkinnyFragment<Config, by> left;
    left.read(lines, at);
#pragma unroll
    for (int step = 0; step < block; ++step) {
      T right[Config::blocks_n][block];
#pragma unroll
      for (int b = 0; b < Config::blocks_n; ++b)
        ptx::load_vector(columns + ((at + step) * Config::tile_n + b * Config::lane_columns * block) * int(sizeof(T)),
                         right[b]);
#pragma unroll
      for (int i = 0; i < Config::rows; ++i)
#pragma unroll
        for (int j = 0; j < Config::columns; ++j)
          sums[i][j] = ::fma(left(i, step), right[j / block][j % block], sums[i][j]);
    }
  }
}

}  // namespace Tegula::Impl

#endif
