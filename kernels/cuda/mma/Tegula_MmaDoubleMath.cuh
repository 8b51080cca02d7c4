// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_DOUBLE_MATH_CUH
#define TEGULA_MMA_DOUBLE_MATH_CUH

#include <algorithm>

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMmaDouble.cuh"
#include "Tegula_MmaElementLayout.hpp"
#include "Tegula_MmaMath.cuh"

/// Products of doubles: a warp reads operands from scratch to registers and multiplies them.

namespace Tegula::Impl {

/// Reads the lines of a warp, 8 at a time, from a tile in scratch. Quads of steps of depth follow each other.
template <Major major, int TileLines, int WarpLines, int TileK>
class MmaDoubleReader {
  using Lane                   = MmaElementLane<double, major, TileLines, TileK>;
  static constexpr int columns = std::min(Lane::columns_apart, major == Major::depth ? TileK / 4 : WarpLines / 8);

 public:
  __device__ MmaDoubleReader(int first_line, int first_step, int lane) {
    const Lane at(first_line, first_step, lane);
#pragma unroll
    for (int column = 0; column < columns; ++column) at_[column] = ptx::kept(at.offset(0, column));
  }

  __device__ double operator()(std::uint32_t tile, int eight, int quad) const {
    const int row = major == Major::depth ? eight : quad, column = major == Major::depth ? quad : eight;
    return ptx::load_double(tile + at_[column % columns] + Lane::row_offset(row) + Lane::column_offset(column));
  }

 private:
  int at_[columns];  // places in the first rows
};

/// The Math of AsyncMainloop for double.
template <class Config, Major left_major, Major right_major, bool wide>
class MmaMath<Config, double, left_major, right_major, wide> {
  static constexpr int rows = Config::warp_m / 16, columns = Config::warp_n / 8;
  static constexpr int quads = wide ? 2 : Config::part_k / 4;

 public:
  static constexpr int depth   = 4 * quads;
  static constexpr int buffers = 1;

  using Sums = MmaSums<Config>;

  struct Fragments {
    double left[rows][2 * quads], right[columns][quads];
  };

  __device__ MmaMath(int warp, int lane)
      : read_left_(warp / Config::warps_n % Config::warps_m * Config::warp_m, first_step(warp), lane),
        read_right_(warp % Config::warps_n * Config::warp_n, first_step(warp), lane) {}

  __device__ void read(std::uint32_t stage, int part, Fragments& fragments) const {
#pragma unroll
    for (int i = 0; i < rows; ++i) read_left(stage, part, i, fragments);
#pragma unroll
    for (int j = 0; j < columns; ++j) read_right(stage, part, j, fragments);
  }

  // Fragments are read again as soon as they have been multiplied for the last time. The place of the copies among
  // these reads was measured: it decides in which order the assembler puts the rest.
  template <class Function>
  __device__ void multiply_add(const Fragments& fragments, Sums& sums, std::uint32_t stage, int part, Fragments& next,
                               const Function& between) const {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        ptx::multiply_add(sums[i][j], fragments.left[i], fragments.right[j]);
        if (i == rows - 1) read_right(stage, part, j, next);
      }
      if (quads == 1) between(i, rows);
      read_left(stage, part, i, next);
      if (quads == 2) between(i, rows);
    }
  }

 private:
  __device__ static int first_step(int warp) {
    return warp * 32 / Config::sharers * (Config::tile_k / Config::warps_k);
  }

  __device__ void read_left(std::uint32_t stage, int part, int i, Fragments& fragments) const {
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        fragments.left[i][2 * quad + half] = read_left_(stage, 2 * i + half, part * quads + quad);
  }
  __device__ void read_right(std::uint32_t stage, int part, int j, Fragments& fragments) const {
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
      fragments.right[j][quad] = read_right_(stage + Config::left_bytes, j, part * quads + quad);
  }

  MmaDoubleReader<left_major, Config::tile_m, Config::warp_m, Config::tile_k> read_left_;
  MmaDoubleReader<right_major, Config::tile_n, Config::warp_n, Config::tile_k> read_right_;
};

}  // namespace Tegula::Impl

#endif
