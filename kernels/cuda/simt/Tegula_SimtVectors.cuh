// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_VECTORS_CUH
#define TEGULA_SIMT_VECTORS_CUH

#include "../Tegula_VectorEpilogue.cuh"
#include "Tegula_SimtMainloop.cuh"

/// The sums of a thread as vectors for the epilogue, along the rows or along the columns: a block is as long as a
/// vector in both directions.

namespace Tegula::Impl {

template <class Config, bool along_columns>
struct SimtVectors {
  static constexpr int count = Config::vectors;

  /// The line of vector v among the thread's lines, and its block in that line.
  static constexpr int blocks = along_columns ? Config::blocks_m : Config::blocks_n;
  __device__ static constexpr int line(int v) { return v / blocks; }
  __device__ static constexpr int block(int v) { return v % blocks; }

  /// The same as distances from the thread's first sum.
  __device__ static constexpr int line_offset(int v) {
    constexpr int lanes = along_columns ? Config::lane_columns : Config::lane_rows;
    return line(v) / Config::block * lanes * Config::block + line(v) % Config::block;
  }
  __device__ static constexpr int block_offset(int v) {
    constexpr int lanes = along_columns ? Config::lane_rows : Config::lane_columns;
    return block(v) * lanes * Config::block;
  }

  /// Its sums, scaled. Unscaled sums would have to lie in consecutive registers, which are not the best ones for the
  /// main loop.
  __device__ static Vector<float> get(const SimtSums<Config>& sums, float alpha, int v) {
    Vector<float> vector;
#pragma unroll
    for (int e = 0; e < 4; ++e)
      vector.of[e] = alpha * (along_columns ? sums[block(v) * 4 + e][line(v)] : sums[line(v)][block(v) * 4 + e]);
    return vector;
  }
};

}  // namespace Tegula::Impl

#endif
