// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_PRODUCTS_FLOAT_CUH
#define TEGULA_TALL_PRODUCTS_FLOAT_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxGlobal.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_TallProducts.cuh"

namespace Tegula::Impl {

/// Float, by fused multiply-adds. A lane has four rows and one or two vectors of columns of dA. Of dB^T it has four
/// rows and as many vectors, summed over a share of the rows of the tile.
template <class Config, Major major>
class TallProducts<float, Config, major> {
  using Layout                     = TallLayout<Config, major>;
  static constexpr bool along_rows = Layout::along_rows;
  static constexpr int width       = Config::width;
  static constexpr int vectors = width == 32 ? 2 : 1, columns = 4 * vectors;
  static constexpr int lane_columns = width / columns;  // lanes side by side, along k
  // For dA all other lanes lie down the rows. For dB^T some lie along n, and the others take other rows.
  static constexpr int lane_rows = 32 / lane_columns, block_rows = 4 * lane_rows;
  static constexpr int lane_lines = width / 4, shares = lane_rows / lane_lines;
  static constexpr int share_rows = Config::tile_rows / shares, steps = share_rows / 4;
  using Sums = float[4][columns];

 public:
  /// `held` is B^T with zeros around it, rows of `width`.
  __device__ TallProducts(const TallArguments<float>& arguments, const float* held, int lane)
      : p_(arguments),
        held_(ptx::shared_address(held) + lane % lane_columns * 16),
        lane_column_(lane % lane_columns),
        lane_row_(lane / lane_columns),
        lane_line_(lane / lane_columns % lane_lines),
        share_(lane / lane_columns / lane_lines) {}

  __device__ void store_dA(std::uint32_t dZ, std::int32_t row) const {
#pragma unroll 1
    for (int first = 0; first < Config::tile_rows; first += block_rows) {
      Sums sums = {};
      multiply_dA(dZ, first, sums);
      store_runs(row + first, sums);
    }
  }

  __device__ void put_dA(std::uint32_t dZ, std::uint32_t tile) const {
#pragma unroll 1
    for (int first = 0; first < Config::tile_rows; first += block_rows) {
      Sums sums = {};
      multiply_dA(dZ, first, sums);
#pragma unroll
      for (int r = 0; r < runs; ++r) {
        float of[4];
        run(sums, r, of);
        ptx::store_vector(tile + Layout::place(first + row_of(run_row(r)), column_of(run_column(r))), of);
      }
    }
  }

  // Rows with the same swizzle are multiplied together where lines are rows, neighbouring rows otherwise.
  __device__ void add_to_dB(std::uint32_t dZ_tile, std::uint32_t A_tile) {
    constexpr int apart       = along_rows ? (steps < 8 ? steps : 8) : 1;
    const int share_row       = share_ * share_rows;
    const std::uint32_t dZ_at = dZ_tile + (along_rows ? Layout::offset(share_row, 4 * lane_line_)
                                                      : Layout::offset(lane_line_, share_row)),
                        A_at  = A_tile + (along_rows ? Layout::offset(share_row, 4 * lane_column_)
                                                     : Layout::offset(lane_column_, share_row));
#pragma unroll 2
    for (int step = 0; step < steps; ++step) {
      const int row = along_rows ? step / apart * 4 * apart + step % apart : 4 * step;
      float dZ[4][4], left[columns][4];
#pragma unroll
      for (int v = 0; v < 4; ++v)
        ptx::load_vector(
            along_rows ? Layout::behind(dZ_at, row + apart * v, 0) : Layout::behind(dZ_at, lane_lines * v, row), dZ[v]);
#pragma unroll
      for (int c = 0; c < columns; ++c)
        ptx::load_vector(along_rows ? Layout::behind(A_at, row + apart * (c % 4), c / 4 * lane_columns * 4)
                                    : Layout::behind(A_at, lane_columns * c, row),
                         left[c]);
#pragma unroll
      for (int s = 0; s < 4; ++s)
#pragma unroll
        for (int v = 0; v < 4; ++v)
#pragma unroll
          for (int c = 0; c < columns; ++c)
            sums_[v][c] = along_rows ? ::fma(dZ[s][v], left[c / 4 * 4 + s][c % 4], sums_[v][c])
                                     : ::fma(dZ[v][s], left[c][s], sums_[v][c]);
    }
  }

  /// Writes the sums, dB^T, as rows of `width`.
  __device__ void write(float* sums) {
#pragma unroll
    for (int v = 0; v < 4; ++v)
#pragma unroll
      for (int c = 0; c < columns; ++c) {
        float& sum = sums_[v][c];
        for (int distance = 32 / shares; distance < 32; distance *= 2)
          sum += __shfl_xor_sync(0xFFFFFFFFu, sum, distance);
        const int line = along_rows ? 4 * lane_line_ + v : lane_line_ + lane_lines * v;
        const int column =
            along_rows ? 4 * (lane_column_ + c / 4 * lane_columns) + c % 4 : lane_column_ + lane_columns * c;
        if (share_ == 0) sums[line * width + column] = sum;
      }
  }

 private:
  __device__ void multiply_dA(std::uint32_t dZ_tile, int first, Sums& sums) const {
    const std::uint32_t at = dZ_tile + (along_rows ? Layout::offset(first + lane_row_, 0)
                                                   : static_cast<std::uint32_t>(first * Layout::size));
#pragma unroll 2
    for (int n = 0; n < width; n += 4) {
      float dZ[4][4];  // of a row, or of a step of n
#pragma unroll
      for (int v = 0; v < 4; ++v)
        ptx::load_vector(along_rows ? Layout::behind(at, lane_rows * v, n) : at + Layout::offset(n + v, 4 * lane_row_),
                         dZ[v]);
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        float B[vectors][4];
#pragma unroll
        for (int w = 0; w < vectors; ++w) ptx::load_vector(held_ + (n + s) * width * 4 + w * lane_columns * 16, B[w]);
#pragma unroll
        for (int v = 0; v < 4; ++v)
#pragma unroll
          for (int c = 0; c < columns; ++c)
            sums[v][c] = ::fma(along_rows ? dZ[v][s] : dZ[s][v], B[c / 4][c % 4], sums[v][c]);
      }
    }
  }

  __device__ int row_of(int v) const { return along_rows ? lane_row_ + lane_rows * v : 4 * lane_row_ + v; }
  __device__ int column_of(int c) const { return 4 * (lane_column_ + c / 4 * lane_columns) + c % 4; }

  // Runs of sums that lie as the tiles do.
  static constexpr int runs = along_rows ? 4 * vectors : columns;
  __device__ static constexpr int run_row(int r) { return along_rows ? r / vectors : 0; }
  __device__ static constexpr int run_column(int r) { return along_rows ? r % vectors * 4 : r; }
  __device__ void run(const Sums& sums, int r, float (&of)[4]) const {
    const int v = run_row(r), c = run_column(r);
#pragma unroll
    for (int e = 0; e < 4; ++e) of[e] = p_.alpha * (along_rows ? sums[v][c + e] : sums[e][c]);
  }

  // What sticks out, and sums of old and new, are stored by elements.
  __device__ void store_runs(std::int32_t row, const Sums& sums) const {
#pragma unroll
    for (int r = 0; r < runs; ++r) {
      const std::int32_t i = row + row_of(run_row(r)), j = column_of(run_column(r));
      const bool is_whole = along_rows ? i < p_.m && j + 3 < p_.dA.columns : i + 3 < p_.m && j < p_.dA.columns;
      float of[4];
      run(sums, r, of);
      if (is_whole && !p_.adds_dA) {
        ptx::store_vector(&p_.dA(i, j), of);
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) store(along_rows ? i : i + e, along_rows ? j + e : j, of[e]);
      }
    }
  }

  __device__ void store(std::int32_t i, std::int32_t j, float value) const {
    if (i >= p_.m || j >= p_.dA.columns) return;
    float& to = p_.dA(i, j);
    to        = p_.adds_dA ? to + value : value;
  }

  const TallArguments<float>& p_;
  std::uint32_t held_;
  int lane_column_, lane_row_, lane_line_, share_;
  Sums sums_ = {};
};

}  // namespace Tegula::Impl

#endif
