// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_END_CUH
#define TEGULA_FP32_SPLIT_END_CUH

#include <cmath>

#include "../ptx/Tegula_PtxRelu.cuh"
#include "../wgmma/Tegula_WgmmaArguments.cuh"
#include "../wgmma/Tegula_WgmmaBuffers.cuh"
#include "../wgmma/Tegula_WgmmaMainloop.cuh"
#include "Tegula_Fp32SplitPass.hpp"

/// What comes between the sums of a tile and its usual results. It is short, and follows the main loop: the epilogue
/// that does everything is far from there, and longer than the cache of instructions, from which it came anew for every
/// tile.

namespace Tegula::Impl {

/// Undoes the scaling of lines. Scales are fetched before the main loop. Behind it those of columns go by way of a
/// consumer's buffers.
template <class Config>
class Fp32SplitScales {
 public:
  __device__ Fp32SplitScales(const Fp32SplitOperands& operands, int consumer, int thread)
      : left_(operands.operands[0]),
        right_(operands.operands[1]),
        row_(consumer * 64 + thread / 32 * 16 + thread % 32 / 4),
        thread_(thread) {}

  /// On their way: those of a thread's two rows, and of a column that it fetches for all.
  struct Fetched {
    float rows[2], column;
  };
  __device__ Fetched fetch(const CudaWork& work) const {
    return {{scale(left_, work.row + row_), scale(left_, work.row + row_ + 8)},
            thread_ < Config::tile_n ? scale(right_, work.column + thread_) : 0.0f};
  }

  /// All threads of the consumer call this, whose buffers are free, and are so afterwards.
  __device__ void apply(const Fetched& fetched, const WgmmaBuffers<Config>& buffers, WgmmaSums<Config>& sums) const {
    const std::uint32_t columns = buffers.box(0);
    if (thread_ < Config::tile_n) ptx::store_element(columns + 4 * thread_, fetched.column);
    buffers.wait_for_warpgroup();
#pragma unroll
    for (int j = 0; j < Config::tile_n / 8; ++j) {
      float pair[2];
      ptx::load_vector(columns + 32 * j + thread_ % 4 * 8, pair);
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[0][4 * j + e] *= fetched.rows[e / 2] * pair[e % 2];
    }
    buffers.wait_for_warpgroup();
  }

 private:
  __device__ static float scale(const Fp32SplitOperand& operand, std::int64_t line) {
    return line < operand.lines() ? operand.scales[line] : 0.0f;
  }

  const Fp32SplitOperand &left_, &right_;
  int row_, thread_;
};

/// Whether Fp32SplitStore does all that is to be done with sums that are no slice.
inline bool is_usual(const WgmmaEpilogueParameters<>& p) {
  return p.beta == 0 && p.Z.by == StoreBy::nobody &&
         (is_activation<Identity>(p.activation) || is_activation<Relu>(p.activation));
}

/// Stores alpha sums + bias, or relu of that, or a slice of sums, by way of a consumer's buffers: TMA stores aligned
/// results; of others, and of slices, a warp stores lines of 32 elements, which are whole sectors of memory but for
/// their ends.
template <class Config>
class Fp32SplitStore {
  using Block  = WgmmaBlock<Bf16>;
  using Values = float[Block::values];

 public:
  __device__ Fp32SplitStore(const WgmmaProduct<>& product, const WgmmaBuffers<Config>& buffers, int consumer,
                            int thread)
      : p_(product.epilogue),
        map_(product.results.C),
        buffers_(buffers),
        block_(thread),
        consumer_(consumer),
        thread_(thread) {}

  /// `bias`: where that of the tile's columns is in shared memory, if has_bias. Buffers are free.
  __device__ void store(const CudaWork& work, bool has_bias, std::uint32_t bias, const WgmmaSums<Config>& sums) const {
    const bool is_slice = p_.is_slice(work), by_tma = !is_slice && p_.C.is_by_runs();
    const float alpha = is_slice ? 1.0f : p_.alpha;
    const float least = !is_slice && is_activation<Relu>(p_.activation) ? 0.0f : -INFINITY;
    const Lines lines = is_slice ? slice(work.split) : result();
    const int row     = work.row + consumer_ * 64;
#pragma unroll
    for (int b = 0; b < Config::column_blocks; ++b) {
      Values values;
#pragma unroll
      for (int e = 0; e < Block::values; e += 4) {
        float added[2] = {-0.0f, -0.0f};  // changes nothing
        if (has_bias) ptx::load_vector(bias + 256 * b + 8 * e + thread_ % 4 * 8, added);
#pragma unroll
        for (int i = 0; i < 4; ++i)
          values[e + i] = ptx::max_or_nan(fmaf(alpha, sums[0][32 * b + e + i], added[i % 2]), least);
      }
      const int column = work.column + 64 * b;
      if (by_tma) {
        if (b > 0) buffers_.wait_until_read(0);
        p_.C.by == StoreBy::rows ? put<false>(values) : put<true>(values);
        buffers_.store(p_.C, map_, 0, row, column);
      } else {
        if (b > 0) buffers_.wait_for_warpgroup();
        lines.are_columns ? put<true>(values) : put<false>(values);
        buffers_.wait_for_warpgroup();
        store_lines(lines, row, column);
      }
    }
  }

 private:
  // Where a result or a slice lies: lines along which elements are `next` apart.
  struct Lines {
    float* data;
    std::int64_t pitch, next;
    bool are_columns;
  };
  __device__ Lines result() const {
    const AnyMatrix& C     = p_.C.matrix;
    const bool are_columns = C.column_stride != 1 && C.row_stride == 1;
    float* const data      = static_cast<float*>(C.data);
    return are_columns ? Lines{data, C.column_stride, C.row_stride, true}
                       : Lines{data, C.row_stride, C.column_stride, false};
  }
  // As large as the result: the family cuts the sums of all tiles or of none.
  __device__ Lines slice(std::int32_t split) const {
    return {p_.partial_sums + split * static_cast<std::int64_t>(p_.m) * p_.n, p_.n, 1, false};
  }

  template <bool by_columns>
  __device__ void put(const Values& values) const {
    block_.template put_floats<by_columns>(buffers_.box(0), buffers_.box(1), values);
  }

  // The 16 lines of a warp, which it reads from both boxes.
  __device__ void store_lines(const Lines& lines, int row0, int column0) const {
    const int lane = thread_ % 32, first = thread_ / 32 * 16;
    const int line0 = lines.are_columns ? column0 : row0, along0 = (lines.are_columns ? row0 : column0) + lane;
    const int end = (lines.are_columns ? p_.n : p_.m) - line0, along_end = lines.are_columns ? p_.m : p_.n;
    const bool has_first = along0 < along_end, has_second = along0 + 32 < along_end;
    float* at = lines.data + (line0 + first) * lines.pitch + along0 * lines.next;
#pragma unroll 4
    for (int line = first; line < first + 16; ++line) {
      const std::uint32_t in_box = line * 128 + ((lane / 4 ^ line % 8) << 4) + lane % 4 * 4;
      float one, other;
      ptx::load_element(buffers_.box(0) + in_box, one);
      ptx::load_element(buffers_.box(1) + in_box, other);
      if (line < end && has_first) at[0] = one;
      if (line < end && has_second) at[32 * lines.next] = other;
      at += lines.pitch;
    }
  }

  const WgmmaEpilogueParameters<>& p_;
  const CUtensorMap& map_;
  const WgmmaBuffers<Config>& buffers_;
  Block block_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
