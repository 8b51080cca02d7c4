// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_STORE_CUH
#define TEGULA_SKINNY_STORE_CUH

#include "../Tegula_ElementEpilogue.cuh"
#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxGlobal.cuh"
#include "Tegula_SkinnyProduct.cuh"

namespace Tegula::Impl {

/// The sums of a tile leave along the contiguous direction of the result, its rows or its columns: as vectors, where
/// that is aligned, a block of sums being as long as a vector in both directions; otherwise as elements, out of
/// scratch.
template <class Config, bool along_columns>
class SkinnyStore {
  using T                     = typename Config::element;
  static constexpr int block  = Config::block;
  static constexpr int blocks = along_columns ? Config::blocks_m : Config::blocks_n;  // of a line
  static constexpr int lanes  = along_columns ? Config::lane_columns : Config::lane_rows,
                       along  = along_columns ? Config::lane_rows : Config::lane_columns;

 public:
  /// The tile begins with this line of the long operand.
  __device__ SkinnyStore(const VectorResult<T>& result, std::int32_t first, int lane)
      : result_(result), first_(first), lane_(lane) {}

  /// alpha times the sums plus the bias, which lies in scratch for all columns, with or without relu, for a result of
  /// whole vectors.
  template <bool relu>
  __device__ void plain(const SkinnySums<Config>& sums, const T* bias) const {
    const std::int32_t row = i(), column = j();
    T* const first = result_.C.at(row, column);
    bias += lane_column();
#pragma unroll
    for (int v = 0; v < Config::vectors; ++v) {
      const int line = line_offset(v), run = v % blocks * along * block;
      Vector<T> values;
#pragma unroll
      for (int e = 0; e < block; ++e) {
        const T z    = ::fma(result_.alpha, sum(sums, v, e), bias[along_columns ? line : run + e]);
        values.of[e] = relu ? Relu()(z) : z;
      }
      if (row + line < result_.m && column + run < result_.n)
        ptx::store_vector(first + line * result_.C.row_stride + run, values.of);
    }
  }

  /// Any epilogue. The vectors go through scratch that no other warp uses, in a loop that is not unrolled: the
  /// instructions of all vectors would not fit the instruction cache.
  __device__ void any(const SkinnySums<Config>& sums, char* scratch) const {
    const VectorEpilogue<T> epilogue(result_, 0);
    Vector<T>* const own = reinterpret_cast<Vector<T>*>(scratch) + lane_;
    __syncwarp();
#pragma unroll
    for (int first = 0; first < Config::vectors; first += Config::batch) {
#pragma unroll
      for (int v = 0; v < Config::batch; ++v) own[32 * v] = vector(sums, first + v);
#pragma unroll 1
      for (int v = first; v < first + Config::batch; ++v)
        epilogue.store(i() + line_offset(v), j() + v % blocks * along * block, own[32 * (v - first)]);
    }
  }

  /// Any epilogue, for a result whose lines are not aligned: as many lines of the long operand at a time as fit
  /// scratch. `across` goes through the lines of the short operand.
  __device__ void by_elements(const SkinnySums<Config>& sums, const LaneStride& across, char* scratch) const {
    constexpr int some = Config::stored_lines;
    using Rows    = std::conditional_t<along_columns, PaddedRows<some, 1, 0>, PaddedRows<Config::tile_n, block, block>>;
    T* const tile = reinterpret_cast<T*>(scratch);
#pragma unroll 1
    for (int begin = 0; begin < Config::tile_m; begin += some) {
      __syncwarp();
#pragma unroll
      for (int v = 0; v < Config::vectors; ++v) {
        const int line = line_offset(v), run = v % blocks * along * block;
        const int at = (along_columns ? lane_row() + run : lane_row() + line) - begin;
        if (at < 0 || at >= some) continue;
        const int place =
            along_columns ? Rows::offset(lane_column() + line, at) : Rows::offset(at, lane_column() + run);
        *reinterpret_cast<Vector<T>*>(tile + place) = vector(sums, v);
      }
      __syncwarp();
      if constexpr (along_columns) {
        ElementEpilogue<T, Rows>(result_, 0, first_ + begin).store(tile, result_.m, LaneStride(some), lane_);
      } else {
        ElementEpilogue<T, Rows>(result_, first_ + begin, 0).store(tile, some, across, lane_);
      }
    }
  }

 private:
  // The place of the lane's first sum in the tile, and in the result.
  __device__ int lane_row() const { return lane_ / Config::lane_columns * block; }
  __device__ int lane_column() const { return lane_ % Config::lane_columns * block; }
  __device__ std::int32_t i() const { return along_columns ? lane_column() : first_ + lane_row(); }
  __device__ std::int32_t j() const { return along_columns ? first_ + lane_row() : lane_column(); }

  // The distance of vector v from the first.
  __device__ static constexpr int line_offset(int v) {
    const int line = v / blocks;
    return line / block * lanes * block + line % block;
  }

  __device__ static T sum(const SkinnySums<Config>& sums, int v, int e) {
    const int line = v / blocks, first = v % blocks * block;
    return along_columns ? sums[first + e][line] : sums[line][first + e];
  }

  // Vector v, scaled.
  __device__ Vector<T> vector(const SkinnySums<Config>& sums, int v) const {
    Vector<T> vector;
#pragma unroll
    for (int e = 0; e < block; ++e) vector.of[e] = result_.alpha * sum(sums, v, e);
    return vector;
  }

  const VectorResult<T>& result_;
  std::int32_t first_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
