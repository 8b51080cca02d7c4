// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MATH_CUH
#define TEGULA_MMA_MATH_CUH

#include "Tegula_MmaFragments.cuh"

namespace Tegula::Impl {

/// Reads what a warp multiplies at once of both operands from a stage in scratch.
template <class Config, Major left_major, Major right_major>
class MmaOperands {
  using Element = typename Config::element;

 public:
  __device__ MmaOperands(int warp, int lane)
      : read_left_(row_of(warp) * Config::warp_m, first_step(warp), lane),
        read_right_(warp % Config::warps_n * Config::warp_n, first_step(warp), lane) {}

  __device__ void read(std::uint32_t stage, int part, MmaFragments<Config::warp_m>& left,
                       MmaFragments<Config::warp_n>& right) const {
    read_left_(stage, part, left);
    read_right_(stage + Config::left_bytes, part, right);
  }

 private:
  // Warps that share the depth follow each other in groups of all others.
  __device__ static int row_of(int warp) {
    const int row = warp / Config::warps_n;
    return Config::warps_k > 1 ? row % Config::warps_m : row;
  }
  __device__ static int first_step(int warp) {
    return Config::warps_k > 1 ? warp * 32 / Config::sharers * (Config::tile_k / Config::warps_k) : 0;
  }

  MmaReader<Element, MatrixOrder::lines_first, left_major, Config::tile_m, Config::warp_m, Config::tile_k> read_left_;
  MmaReader<Element, MatrixOrder::depth_first, right_major, Config::tile_n, Config::warp_n, Config::tile_k> read_right_;
};

/// The Math of AsyncMainloop for F16, Bf16 and float, which have no wide kernels. Factors that are floats are rounded
/// as they are multiplied: in scratch they are what they were in memory.
template <class Config, class Input, Major left_major, Major right_major, bool wide>
class MmaMath {
  static constexpr int rows = Config::warp_m / 16;

 public:
  static constexpr int depth   = mma_depth<typename Config::element>;
  static constexpr int buffers = 2;

  using Sums = MmaSums<Config>;

  struct Fragments {
    MmaFragments<Config::warp_m> left;
    MmaFragments<Config::warp_n> right;
  };

  __device__ MmaMath(int warp, int lane) : operands_(warp, lane) {}

  __device__ void read(std::uint32_t stage, int part, Fragments& fragments) const {
    operands_.read(stage, part, fragments.left, fragments.right);
  }

  template <class Function>
  __device__ void multiply_add(const Fragments& fragments, Sums& sums, std::uint32_t stage, int part, Fragments& next,
                               const Function& between) const {
    read(stage, part, next);
    MmaFragments<Config::warp_n> right;
#pragma unroll
    for (int block = 0; block < Config::warp_n / 16; ++block) take(fragments.right[block], right[block]);
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      std::uint32_t left[4];
      take(fragments.left[i], left);
#pragma unroll
      for (int j = 0; j < Config::warp_n / 8; ++j)
        ptx::multiply_add(Input(), sums[i][j], left, right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
      between(i, rows);
    }
  }

 private:
  // What an mma takes of a block.
  __device__ static void take(const std::uint32_t (&words)[4], std::uint32_t (&factors)[4]) {
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      if constexpr (std::is_same_v<Input, float>) {
        factors[w] = ptx::round_to_tf32(words[w]);
      } else {
        factors[w] = words[w];
      }
    }
  }

  MmaOperands<Config, left_major, right_major> operands_;
};

}  // namespace Tegula::Impl

#endif
