// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_EXACT_CUH
#define TEGULA_FP32_SPLIT_EXACT_CUH

#include "../ptx/Tegula_PtxBarrier.cuh"
#include "Tegula_Fp32SplitArguments.cuh"
#include "Tegula_Fp32SplitConfig.hpp"

/// The route for operands with Inf or NaN: products of floats, as SGEMM forms them. It is rare, so it is kept short.

namespace Tegula::Impl {

/// Tiles of both operands in scratch, by steps of depth.
template <class Config>
class ExactTiles {
 public:
  static constexpr int depth = 32, left_pitch = Config::tile_m + 2, right_pitch = Config::tile_n + 2;
  static_assert(depth * (left_pitch + right_pitch) * 4 <= Config::ring_bytes);

  __device__ explicit ExactTiles(char* scratch)
      : left_(reinterpret_cast<float*>(scratch)), right_(left_ + depth * left_pitch) {}

  /// All consumers call this; `thread` is the number among them.
  __device__ void fetch(const Fp32SplitOperands& operands, const CudaWork& work, std::int64_t first, std::int64_t last,
                        int thread) const {
    fetch<Config::tile_m, left_pitch>(left_, operands.operands[0].reader.matrix, work.row, first, last, thread);
    fetch<Config::tile_n, right_pitch>(right_, operands.operands[1].reader.matrix, work.column, first, last, thread);
  }

  __device__ float left(int step, int line) const { return left_[step * left_pitch + line]; }
  __device__ float2 right_pair(int step, int line) const {
    return *reinterpret_cast<const float2*>(right_ + step * right_pitch + line);
  }

 private:
  // Neighbouring threads read along the contiguous direction.
  template <int Lines, int Pitch>
  __device__ static void fetch(float* to, const MatrixRef<const float>& matrix, std::int64_t line0, std::int64_t first,
                               std::int64_t last, int thread) {
    constexpr int threads = Config::consumers * Config::warpgroup;
    const bool by_depth   = matrix.column_stride == 1;
    for (int i = thread; i < Lines * depth; i += threads) {
      const int line = by_depth ? i / depth : i % Lines, step = by_depth ? i % depth : i / Lines;
      const bool is_there     = line0 + line < matrix.rows && first + step < last;
      to[step * Pitch + line] = is_there ? matrix(line0 + line, first + step) : 0;
    }
  }

  float *left_, *right_;
};

/// sums += left right^T for the steps of a work item.
template <class Config>
__device__ inline void multiply_add_exact(const Fp32SplitOperands& operands, const CudaWork& work, char* scratch,
                                          int consumer, int thread, Fp32SplitSums<Config>& sums) {
  constexpr int threads = Config::consumers * Config::warpgroup, barrier = 1 + Config::consumers;
  const ExactTiles<Config> tiles(scratch);
  const int row = consumer * 64 + thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;
  const std::int64_t k = operands.operands[0].depth(), end = static_cast<std::int64_t>(work.step_end) * split_depth,
                     last = end < k ? end : k;
  for (std::int64_t first = static_cast<std::int64_t>(work.step_begin) * split_depth; first < last;
       first += ExactTiles<Config>::depth) {
    tiles.fetch(operands, work, first, last, consumer * Config::warpgroup + thread);
    ptx::named_barrier(barrier, threads);
    float chunk[Config::tile_n / 2] = {};  // summed for itself: a sum of sums has a smaller error
#pragma unroll 1
    for (int step = 0; step < ExactTiles<Config>::depth; ++step) {
      const float rows[] = {tiles.left(step, row), tiles.left(step, row + 8)};
#pragma unroll
      for (int j = 0; j < Config::tile_n / 8; ++j) {
        const float2 columns = tiles.right_pair(step, column + 8 * j);
#pragma unroll
        for (int e = 0; e < 4; ++e)
          chunk[4 * j + e] = fmaf(rows[e / 2], e % 2 == 0 ? columns.x : columns.y, chunk[4 * j + e]);
      }
    }
#pragma unroll
    for (int e = 0; e < Config::tile_n / 2; ++e) sums[e] += chunk[e];
    ptx::named_barrier(barrier, threads);
  }
}

}  // namespace Tegula::Impl

#endif
