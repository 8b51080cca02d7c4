// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_PRODUCT_CUH
#define TEGULA_PANEL_PRODUCT_CUH

#include "../mma/Tegula_MmaDoubleMath.cuh"
#include "Tegula_PanelConfig.hpp"

/// What a warp multiplies.

namespace Tegula::Impl {

using PanelSums = MmaSums<PanelConfig>;

/// Fragments of both operands, for four steps of depth. Each is read again as soon as it has been multiplied.
template <Major left_major, Major right_major>
class PanelProduct {
  static constexpr int rows = PanelConfig::warp_m / 16, columns = PanelConfig::warp_n / 8;

 public:
  static constexpr int parts = PanelConfig::tile_k / 4;  // of a step

  /// `column0` is the first column that the warp multiplies.
  __device__ PanelProduct(int column0, int lane) : read_left_(0, 0, lane), read_right_(column0, 0, lane) {}

  /// Reads the first part of a step.
  __device__ void read(std::uint32_t left, std::uint32_t right) {
#pragma unroll
    for (int i = 0; i < rows; ++i) read_left(left, i, 0);
#pragma unroll
    for (int j = 0; j < columns; ++j) right_[j][0] = read_right_(right, j, 0);
  }

  /// sums += what the fragments hold; then reads a part of a step, the next one.
  __device__ void multiply_add(PanelSums& sums, std::uint32_t left, std::uint32_t right, int part) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        ptx::multiply_add(sums[i][j], left_[i], right_[j]);
        if (i == rows - 1) right_[j][0] = read_right_(right, j, part);
      }
      read_left(left, i, part);
    }
  }

 private:
  __device__ void read_left(std::uint32_t stage, int i, int part) {
#pragma unroll
    for (int half = 0; half < 2; ++half) left_[i][half] = read_left_(stage, 2 * i + half, part);
  }

  MmaDoubleReader<left_major, PanelConfig::tile_m, PanelConfig::warp_m, PanelConfig::tile_k> read_left_;
  MmaDoubleReader<right_major, PanelConfig::tile_n, PanelConfig::warp_n, PanelConfig::tile_k> read_right_;
  double left_[rows][2], right_[columns][1];
};

}  // namespace Tegula::Impl

#endif
