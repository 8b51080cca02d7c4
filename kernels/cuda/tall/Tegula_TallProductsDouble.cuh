// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_PRODUCTS_DOUBLE_CUH
#define TEGULA_TALL_PRODUCTS_DOUBLE_CUH

#include "../ptx/Tegula_PtxGlobal.cuh"
#include "../ptx/Tegula_PtxMmaDouble.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_TallProducts.cuh"

namespace Tegula::Impl {

/// Double, by tensor cores: dA^T = B dZ^T, 8 rows of dA at a time, and dB += A^T dZ. An instruction multiplies sixteen
/// lines of the left operand by eight of the right one. The lines of the left operand are numbered along k in both
/// products.
template <class Config, Major major>
class TallProducts<double, Config, major> {
  using Layout              = TallLayout<Config, major>;
  static constexpr int wide = (Config::width + 15) / 16, narrow = Config::width / 8;  // blocks of 16 and of 8 columns
  // Rows that are multiplied at a time: those that lie within 128 bytes of a column.
  static constexpr int rows = Layout::along_rows ? 8 : 16;

 public:
  /// `held` is B^T with zeros around it, rows of `width`.
  __device__ TallProducts(const TallArguments<double>& arguments, const double* held, int lane)
      : p_(arguments),
        group_(lane / 4),
        quad_(lane % 4),
        row_by_group_(Layout::place(group_, quad_)),
        row_by_quad_(Layout::place(quad_, group_)) {
#pragma unroll
    for (int i = 0; i < wide; ++i)
#pragma unroll
      for (int s = 0; s < narrow; ++s)
#pragma unroll
        for (int e = 0; e < 4; ++e)
          held_[i][s][e] =
              is_column(i, e % 2) ? held[(8 * s + 4 * (e / 2) + quad_) * Config::width + column(i, e % 2)] : 0;
  }

  __device__ void store_dA(std::uint32_t dZ, std::int32_t row) const {
    form_dA(dZ, [&](int at, int column, double2 sums) { store(row + at, column, sums); });
  }

  __device__ void put_dA(std::uint32_t dZ, std::uint32_t tile) const {
    form_dA(dZ, [&](int at, int column, double2 sums) {
      ptx::store_element(tile + Layout::place(at, column), p_.alpha * sums.x);
      ptx::store_element(tile + Layout::place(at + 1, column), p_.alpha * sums.y);
    });
  }

  __device__ void add_to_dB(std::uint32_t dZ, std::uint32_t A) {
#pragma unroll 1
    for (int first = 0; first < Config::tile_rows; first += rows)
#pragma unroll
      for (int at = 0; at < rows; at += 8) multiply_dB(dZ + place(first), A + place(first), at);
  }

  /// Writes the sums, dB^T, as rows of `width`.
  __device__ void write(double* sums) {
#pragma unroll
    for (int i = 0; i < wide; ++i)
#pragma unroll
      for (int j = 0; j < narrow; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if (is_column(i, e / 2))
            sums[(8 * j + 2 * quad_ + e % 2) * Config::width + column(i, e / 2)] = sums_[i][j][e];
  }

 private:
  // Where a row begins.
  __device__ static constexpr int place(int row) {
    return row * (Layout::along_rows ? Layout::line_bytes : Layout::size);
  }

  // The lane's lines of the left operand: one of each half of block i. The narrowest tile has no more than eight lines.
  __device__ int column(int i, int half) const { return 16 * i + 8 * half + group_; }
  __device__ static constexpr bool is_column(int i, int half) { return 16 * i + 8 * half < Config::width; }

  // Calls take(row, column, sums) for two rows of dA at a time, counted from that of the tile.
  template <class Take>
  __device__ void form_dA(std::uint32_t dZ, const Take& take) const {
#pragma unroll 1
    for (int first = 0; first < Config::tile_rows; first += rows)
#pragma unroll
      for (int at = 0; at < rows; at += 8)
        multiply_dA(dZ + place(first), at,
                    [&](int column, double2 sums) { take(first + at + 2 * quad_, column, sums); });
  }

  template <class Take>
  __device__ void multiply_dA(std::uint32_t at, int half, const Take& take) const {
    double dZ[narrow][2];
#pragma unroll
    for (int s = 0; s < narrow; ++s)
#pragma unroll
      for (int u = 0; u < 2; ++u)
        dZ[s][u] = ptx::load_double(Layout::place_behind(at + row_by_group_, half, 8 * s + 4 * u));
#pragma unroll
    for (int i = 0; i < wide; ++i) {
      double sums[4] = {};
#pragma unroll
      for (int s = 0; s < narrow; ++s) ptx::multiply_add(sums, held_[i][s], dZ[s]);
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if (is_column(i, h)) take(column(i, h), double2{sums[2 * h], sums[2 * h + 1]});
    }
  }

  __device__ void multiply_dB(std::uint32_t dZ_at, std::uint32_t A_at, int half) {
    double A[wide][4], dZ[narrow][2];
#pragma unroll
    for (int u = 0; u < 2; ++u) {
#pragma unroll
      for (int j = 0; j < narrow; ++j)
        dZ[j][u] = ptx::load_double(Layout::place_behind(dZ_at + row_by_quad_, half + 4 * u, 8 * j));
#pragma unroll
      for (int i = 0; i < wide; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h)
          A[i][2 * u + h] =
              is_column(i, h)
                  ? ptx::load_double(Layout::place_behind(A_at + row_by_quad_, half + 4 * u, 16 * i + 8 * h))
                  : 0;
    }
#pragma unroll
    for (int i = 0; i < wide; ++i)
#pragma unroll
      for (int j = 0; j < narrow; ++j) ptx::multiply_add(sums_[i][j], A[i], dZ[j]);
  }

  // Stores two rows of dA.
  __device__ void store(std::int32_t row, int column, double2 sums) const {
    if (column >= p_.dA.columns || row >= p_.m) return;
    double* const to = &p_.dA(row, column);
    double of[2]     = {p_.alpha * sums.x, p_.alpha * sums.y};
    const bool both  = row + 1 < p_.m;
    if (p_.adds_dA) {
      of[0] += to[0];
      if (both) of[1] += to[p_.dA.row_stride];
    }
    if (!Layout::along_rows && both) return ptx::store_vector(to, of);
    to[0] = of[0];
    if (both) to[p_.dA.row_stride] = of[1];
  }

  const TallArguments<double>& p_;
  int group_, quad_;
  std::uint32_t row_by_group_,
      row_by_quad_;  // the lane's first element, its rows counted by group or by quad
  double held_[wide][narrow][4], sums_[wide][narrow][4] = {};
};

}  // namespace Tegula::Impl

#endif
