// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MATH_CUH
#define TEGULA_MMA_MATH_CUH

#include "Tegula_MmaFragments.cuh"

namespace Tegula::Impl {

/// The Math of AsyncMainloop for F16 and Bf16, which have no wide kernels.
template <class Config, class Input, Major left_major, Major right_major, bool wide>
class MmaMath {
 public:
  static constexpr int depth   = 16;  // of an mma
  static constexpr int buffers = 2;

  using Sums = MmaSums<Config>;

  struct Fragments {
    MmaFragments<Config::warp_m> left;
    MmaFragments<Config::warp_n> right;
  };

  __device__ MmaMath(int warp, int lane)
      : read_left_(MatrixOrder::lines_first, warp / Config::warps_n * Config::warp_m, lane),
        read_right_(MatrixOrder::depth_first, warp % Config::warps_n * Config::warp_n, lane) {}

  __device__ void read(std::uint32_t stage, int part, Fragments& fragments) const {
    read_left_(stage, part, fragments.left);
    read_right_(stage + Config::left_bytes, part, fragments.right);
  }

  template <class Function>
  __device__ void multiply_add(const Fragments& fragments, Sums& sums, std::uint32_t stage, int part, Fragments& next,
                               const Function& between) const {
    read(stage, part, next);
    const auto& [left, right] = fragments;
    constexpr int rows        = Config::warp_m / 16;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int j = 0; j < Config::warp_n / 8; ++j)
        ptx::multiply_add(Input(), sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
      between(i, rows);
    }
  }

 private:
  MmaReader<left_major, Config::tile_m, Config::warp_m, Config::tile_k> read_left_;
  MmaReader<right_major, Config::tile_n, Config::warp_n, Config::tile_k> read_right_;
};

}  // namespace Tegula::Impl

#endif
