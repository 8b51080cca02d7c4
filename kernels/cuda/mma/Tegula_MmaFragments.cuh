// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FRAGMENTS_CUH
#define TEGULA_MMA_FRAGMENTS_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_MmaLayout.hpp"

/// A warp reads operands from scratch to registers.

namespace Tegula::Impl {

/// The sums of a warp: blocks of 16 x 8 as ptx::multiply_add holds them.
template <class Config>
using MmaSums = typename Config::sum[Config::warp_m / 16][Config::warp_n / 8][4];

/// What a warp multiplies at once: 16 steps of depth of its lines of an operand, 16 lines at a time.
template <int WarpLines>
using MmaFragments = std::uint32_t[WarpLines / 16][4];

/// Reads the fragments of a warp from a tile in scratch.
template <Major major, int TileLines, int WarpLines, int TileK>
class MmaReader {
  using Lane                  = MmaLane<major, TileLines, TileK>;
  static constexpr int blocks = WarpLines / 16, parts = TileK / 16;
  static constexpr int columns = major == Major::depth ? parts : blocks;

 public:
  __device__ MmaReader(MatrixOrder order, int first_line, int lane) {
    const Lane at(order, first_line, lane);
#pragma unroll
    for (int column = 0; column < columns; ++column) at_[column] = ptx::kept(at.offset(0, column));
  }

  __device__ void operator()(std::uint32_t tile, int part, MmaFragments<WarpLines>& fragments) const {
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
      if (major == Major::depth) {
        ptx::load_matrices(tile + at_[part] + Lane::row_offset(block), fragments[block]);
      } else {
        ptx::load_matrices_transposed(tile + at_[block] + Lane::row_offset(part), fragments[block]);
      }
    }
  }

 private:
  int at_[columns];  // places that the lane names in the first 16 rows
};

}  // namespace Tegula::Impl

#endif
