// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_STORE_CUH
#define TEGULA_SKINNY_STORE_CUH

#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxGlobal.cuh"
#include "Tegula_SkinnyProduct.cuh"

namespace Tegula::Impl {

/// The sums of a lane leave as vectors along the contiguous direction of the result, its rows or its columns: a block
/// is as long as a vector in both directions.
template <class Config, bool along_columns>
class SkinnyStore {
  using T                     = typename Config::element;
  static constexpr int block  = Config::block;
  static constexpr int blocks = along_columns ? Config::blocks_m : Config::blocks_n;  // of a line
  static constexpr int lanes  = along_columns ? Config::lane_columns : Config::lane_rows,
                       along  = along_columns ? Config::lane_rows : Config::lane_columns;

 public:
  /// (row, column) is the place of the lane's first sum.
  __device__ SkinnyStore(const VectorResult<T>& result, std::int32_t row, std::int32_t column)
      : result_(result), epilogue_(result, 0), i_(along_columns ? column : row), j_(along_columns ? row : column) {}

  /// alpha times the sums plus the bias, which lies in scratch for all columns, with or without relu, for a result of
  /// whole vectors.
  template <bool relu>
  __device__ void plain(const SkinnySums<Config>& sums, const T* bias) const {
    T* const first = result_.C.at(i_, j_);
#pragma unroll
    for (int v = 0; v < Config::vectors; ++v) {
      const int line = line_offset(v), run = v % blocks * along * block;
      Vector<T> values;
#pragma unroll
      for (int e = 0; e < block; ++e) {
        const T z    = ::fma(result_.alpha, sum(sums, v, e), bias[along_columns ? line : run + e]);
        values.of[e] = relu ? Relu()(z) : z;
      }
      if (i_ + line < result_.m && j_ + run < result_.n)
        ptx::store_vector(first + line * result_.C.row_stride + run, values.of);
    }
  }

  /// Any epilogue. The vectors go through scratch that no other warp uses, in a loop that is not unrolled: the
  /// instructions of all vectors would not fit the instruction cache.
  __device__ void any(const SkinnySums<Config>& sums, Vector<T>* scratch) const {
#pragma unroll
    for (int first = 0; first < Config::vectors; first += Config::batch) {
#pragma unroll
      for (int v = 0; v < Config::batch; ++v) scratch[32 * v] = vector(sums, first + v);
#pragma unroll 1
      for (int v = first; v < first + Config::batch; ++v) epilogue_.store(at_i(v), at_j(v), scratch[32 * (v - first)]);
    }
  }

 private:
  // The distance of vector v from the first.
  __device__ static constexpr int line_offset(int v) {
    const int line = v / blocks;
    return line / block * lanes * block + line % block;
  }
  __device__ std::int32_t at_i(int v) const { return i_ + line_offset(v); }
  __device__ std::int32_t at_j(int v) const { return j_ + v % blocks * along * block; }

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
  VectorEpilogue<T> epilogue_;
  std::int32_t i_, j_;
};

}  // namespace Tegula::Impl

#endif
