// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FLOAT_BIAS_CUH
#define TEGULA_WGMMA_FLOAT_BIAS_CUH

#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_WgmmaFloatOutput.cuh"

namespace Tegula::Impl {

/// A value for each column of a tile, which the threads of a consumer fetch before the main loop, one or two each, and
/// share in scratch behind it.
template <class Config>
class WgmmaColumnValues {
 public:
  static constexpr int count = (Config::tile_n + Config::warpgroup - 1) / Config::warpgroup;  // of a thread
  struct Fetched {
    float of[count];
  };

  __device__ WgmmaColumnValues(std::uint32_t shared, int consumer, int thread)
      : shared_(shared + consumer * Config::tile_n * 4), consumer_(consumer), thread_(thread) {}

  /// value_of(column of the tile) is called for this thread's columns.
  template <class ValueOf>
  __device__ Fetched fetch(const ValueOf& value_of) const {
    Fetched fetched;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int column = thread_ + i * Config::warpgroup;
      fetched.of[i]    = column < Config::tile_n ? value_of(column) : 0.0f;
    }
    return fetched;
  }

  /// All threads of the consumer call this, and wait for each other at least once between two calls, when they have
  /// read.
  __device__ void share(const Fetched& fetched) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int column = thread_ + i * Config::warpgroup;
      if (column < Config::tile_n) ptx::store_element(shared_ + 4 * column, fetched.of[i]);
    }
    ptx::named_barrier(1 + consumer_, Config::warpgroup);
  }

  /// Those of this thread's two neighbours among 8 columns that begin here.
  __device__ void read(int column, float (&pair)[2]) const {
    ptx::load_vector(shared_ + 4 * column + thread_ % 4 * 8, pair);
  }

 private:
  std::uint32_t shared_;
  int consumer_, thread_;
};

/// The bias for a consumer's sums: it runs along their columns, or along their rows, of which a thread has two.
template <class Config>
class WgmmaFloatBias {
 public:
  __device__ WgmmaFloatBias(const WgmmaFloatOutput& output, std::uint32_t shared, int consumer, int thread)
      : result_(output.result),
        row_stride_(output.by_columns ? result_.bias.column_stride : result_.bias.row_stride),
        column_stride_(output.by_columns ? result_.bias.row_stride : result_.bias.column_stride),
        rows_(output.by_columns ? result_.n : result_.m),
        columns_(output.by_columns ? result_.m : result_.n),
        values_(shared, consumer, thread) {}

  /// On its way: of a thread's rows, and of columns, of which one is -0 throughout, which changes nothing.
  struct Fetched {
    float rows[2];
    typename WgmmaColumnValues<Config>::Fetched columns;
  };

  /// The rows are those of this thread's sums.
  __device__ Fetched fetch(const std::int32_t (&rows)[2], std::int32_t column0) const {
    const float* const data = result_.bias.data;
    const bool has_columns = data != nullptr && column_stride_ != 0, has_rows = data != nullptr && !has_columns;
    return {{has_rows && rows[0] < rows_ ? data[rows[0] * row_stride_] : -0.0f,
             has_rows && rows[1] < rows_ ? data[rows[1] * row_stride_] : -0.0f},
            values_.fetch([&](int column) {
              const std::int32_t at = column0 + column;
              return has_columns && at < columns_ ? data[at * column_stride_] : -0.0f;
            })};
  }

  __device__ void share(const Fetched& fetched) const { values_.share(fetched.columns); }

  /// z = alpha sum + bias for four sums of this thread, in 8 columns of the tile from this one on.
  __device__ void add(const Fetched& fetched, int column, float alpha, const float* sums, float* z) const {
    float of_columns[2];
    values_.read(column, of_columns);
#pragma unroll
    for (int i = 0; i < 4; ++i) z[i] = fmaf(alpha, sums[i], fetched.rows[i / 2]) + of_columns[i % 2];
  }

 private:
  const VectorResult<float>& result_;
  std::int64_t row_stride_, column_stride_;
  std::int32_t rows_, columns_;
  WgmmaColumnValues<Config> values_;
};

}  // namespace Tegula::Impl

#endif
