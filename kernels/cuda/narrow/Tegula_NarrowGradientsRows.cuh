// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_ROWS_CUH
#define TEGULA_NARROW_GRADIENTS_ROWS_CUH

#include "../Tegula_GradientStore.cuh"
#include "../Tegula_RunElements.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_NarrowGradients.hpp"

namespace Tegula::Impl {

/// Rows of dZ, one of which a lane forms in each step. They go through scratch to where tensor cores take them from.
template <class Config, class Input, bool by_rows>
class NarrowGradientsRows {
  using Bits                  = std::uint16_t;
  using Place                 = NarrowGradientsPlace<by_rows>;
  static constexpr int groups = Config::groups, group = Config::group, tiles = Place::tiles;

 public:
  /// What was asked for of a row.
  struct Asked {
    uint4 dC[groups], saved[groups];
  };
  /// Of every tile of rows: pairs of columns of this lane's row, or pairs of rows of this lane's column.
  using Fragments = std::uint32_t[tiles][groups];

  /// `scratch`: Config::warp_rows_bytes of the warp.
  __device__ NarrowGradientsRows(const NarrowGradients& gradients, bool is_first_panel, int lane, void* scratch)
      : p_(gradients),
        lane_(lane),
        scratch_(ptx::shared_address(scratch)),
        sums_rows_(is_first_panel && gradients.product.has_sums) {}

  __device__ void ask(std::int32_t row, Asked& asked) const {
    ask(p_.dC, row, asked.dC);
    if (!p_.slope.is_one) ask(p_.saved, row, asked.saved);
  }

  /// Forms the rows of the step that begins with this one.
  __device__ void form(std::int32_t row, const Asked& asked) {
    float values[groups][group];
#pragma unroll
    for (int g = 0; g < groups; ++g) unpack<Input>(asked.dC[g], values[g]);
    if (!p_.slope.is_one) {
      // A loop each, so that none asks in it which one it is.
      p_.slope.is_curved ? multiply(asked, values, [&](float y) { return p_.slope.curve(y); })
                         : multiply(asked, values, [&](float y) { return p_.slope.step(y); });
    }
    const bool is_row = row + lane_ < static_cast<std::int32_t>(p_.dC.rows);
    float of_row      = 0;
    __syncwarp();  // the rows before have been taken
#pragma unroll
    for (int g = 0; g < groups; ++g) {
#pragma unroll
      for (int e = 0; e < group; ++e) {
        if (!is_row || g * group + e >= static_cast<std::int32_t>(p_.dC.columns)) values[g][e] = 0;
        of_row += values[g][e];
        totals_[g][e] += values[g][e];
      }
      ptx::store_word(scratch_ + Place::slot(lane_) * Config::row_bytes + g * 16, packed<Input>(values[g]));
    }
    if (sums_rows_ && is_row) GradientStore<float>(p_.product, 0).line_sum(row + lane_, of_row);
    __syncwarp();
  }

  __device__ void take(Fragments& rows) const {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      std::uint32_t of_tiles[tiles];
      ptx::load_matrices(row_of_matrix(g), of_tiles);
      put(of_tiles, g, rows);
    }
  }
  __device__ void take_transposed(Fragments& columns) const {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      std::uint32_t of_tiles[tiles];
      ptx::load_matrices_transposed(row_of_matrix(g), of_tiles);
      put(of_tiles, g, columns);
    }
  }

  /// Puts the sums of columns of all rows into scratch.
  __device__ void put_totals(float* totals) const {
#pragma unroll
    for (int g = 0; g < groups; ++g)
#pragma unroll
      for (int e = 0; e < group; ++e) {
        float total = totals_[g][e];
#pragma unroll
        for (int lanes = 1; lanes < 32; lanes *= 2) total += __shfl_xor_sync(0xFFFFFFFFu, total, lanes);
        if (lane_ == 0) totals[g * group + e] = total;
      }
  }

 private:
  // Words, or element by element: no question is asked before one is read, so that all are on their way at once, and
  // what lies beyond the end is read from the last row, and word or column.
  __device__ void ask(const NarrowGradients::Matrix& matrix, std::int32_t row, uint4 (&words)[groups]) const {
    const auto columns = static_cast<std::int32_t>(matrix.columns);
    const Bits* const line =
        matrix.data + min(row + lane_, static_cast<std::int32_t>(matrix.rows) - 1) * matrix.row_stride;
    if (p_.reads_words) {
#pragma unroll
      for (int g = 0; g < groups; ++g)
        words[g] = load_word<CacheUse::again>(line + min(g * group, (columns - 1) / group * group));
      return;
    }
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const auto pair = [&](int e) {
        const auto element = [&](std::int32_t c) { return line[min(c, columns - 1) * matrix.column_stride]; };
        return element(g * group + e) | std::uint32_t(element(g * group + e + 1)) << 16;
      };
      words[g] = {pair(0), pair(2), pair(4), pair(6)};
    }
  }

  template <class Slope>
  __device__ static void multiply(const Asked& asked, float (&values)[groups][group], const Slope& slope) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      float saved[group];
      unpack<Input>(asked.saved[g], saved);
#pragma unroll
      for (int e = 0; e < group; ++e) values[g][e] *= slope(saved[e]);
    }
  }

  __device__ std::uint32_t row_of_matrix(int g) const { return scratch_ + lane_ * Config::row_bytes + g * 16; }

  __device__ static void put(const std::uint32_t (&of_tiles)[tiles], int g, Fragments& fragments) {
#pragma unroll
    for (int t = 0; t < tiles; ++t) fragments[t][g] = of_tiles[t];
  }

  const NarrowGradients& p_;
  int lane_;
  std::uint32_t scratch_;
  bool sums_rows_;
  float totals_[groups][group] = {};
};

}  // namespace Tegula::Impl

#endif
