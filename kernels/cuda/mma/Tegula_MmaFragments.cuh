// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FRAGMENTS_CUH
#define TEGULA_MMA_FRAGMENTS_CUH

#include <algorithm>

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxMmaTf32.cuh"
#include "Tegula_MmaElementLayout.hpp"
#include "Tegula_MmaLayout.hpp"

/// A warp reads operands from scratch to registers.

namespace Tegula::Impl {

/// The sums of a warp: blocks of 16 x 8 as ptx::multiply_add holds them.
template <class Config>
using MmaSums = typename Config::sum[Config::warp_m / 16][Config::warp_n / 8][4];

/// Steps of depth that an mma multiplies.
template <class Element>
inline constexpr int mma_depth = 32 / int(sizeof(Element));

/// What a warp multiplies at once: so many steps of its lines of an operand, 16 lines at a time.
template <int WarpLines>
using MmaFragments = std::uint32_t[WarpLines / 16][4];

/// Reads the fragments of a warp from a tile in scratch.
template <class Element, MatrixOrder order, Major major, int TileLines, int WarpLines, int TileK>
class MmaReader {
  using Lane                  = MmaLane<Element, major, TileLines, TileK>;
  static constexpr int blocks = WarpLines / 16, parts = TileK / mma_depth<Element>;
  static constexpr int columns = major == Major::depth ? parts : blocks;

 public:
  __device__ MmaReader(int first_line, int first_step, int lane) {
    const Lane at(order, first_line, first_step, lane);
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

/// The same for floats whose lines are contiguous: lanes read what ldmatrix would give them.
template <MatrixOrder order, int TileLines, int WarpLines, int TileK>
class MmaReader<float, order, Major::lines, TileLines, WarpLines, TileK> {
  using Lane                   = MmaElementLane<float, Major::lines, TileLines, TileK>;
  static constexpr int columns = std::min(Lane::columns_apart, WarpLines / 8);

 public:
  __device__ MmaReader(int first_line, int first_step, int lane) {
    const Lane at(first_line, first_step, lane);
#pragma unroll
    for (int column = 0; column < columns; ++column) at_[column] = ptx::kept(at.offset(0, column));
  }

  __device__ void operator()(std::uint32_t tile, int part, MmaFragments<WarpLines>& fragments) const {
#pragma unroll
    for (int block = 0; block < WarpLines / 16; ++block)
#pragma unroll
      for (int matrix = 0; matrix < 4; ++matrix) {
        const bool by_lines = order == MatrixOrder::lines_first;
        const int eight     = 2 * block + (by_lines ? matrix % 2 : matrix / 2),
                  quad      = 2 * part + (by_lines ? matrix / 2 : matrix % 2);
        fragments[block][matrix] =
            ptx::load_word(tile + at_[eight % columns] + Lane::row_offset(quad) + Lane::column_offset(eight));
      }
  }

 private:
  int at_[columns];  // places in the first rows
};

}  // namespace Tegula::Impl

#endif
