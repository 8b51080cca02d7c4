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
        sums_rows_(is_first_panel && gradients.product.has_sums),
        sums_columns_(is_first_panel && gradients.sums.has_sums) {}

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
    __syncwarp();  // the rows before have been taken
#pragma unroll
    for (int g = 0; g < groups; ++g) {
#pragma unroll
      for (int e = 0; e < group; ++e)
        if (!is_row || g * group + e >= static_cast<std::int32_t>(p_.dC.columns)) values[g][e] = 0;
      ptx::store_word(scratch_ + Place::slot(lane_) * Config::row_bytes + g * 16, packed<Input>(values[g]));
    }
    if (sums_rows_ && is_row) sum_row(row + lane_, values);
    if (sums_columns_) add_to_totals(values);
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
      if (lane_ < group) totals[g * group + own_column()] = totals_[g];
  }

 private:
  __device__ void sum_row(std::int32_t row, const float (&values)[groups][group]) const {
    float sum = 0;
#pragma unroll
    for (int g = 0; g < groups; ++g)
#pragma unroll
      for (int e = 0; e < group; ++e) sum += values[g][e];
    GradientStore<float>(p_.product, 0).line_sum(row, sum);
  }

  // Lanes share the columns of a group: of two that add what they have, each keeps one half of it, as long as there are
  // halves. In the end every lane has the sum of one column.
  __device__ void add_to_totals(float (&values)[groups][group]) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      int lanes = 1;
#pragma unroll
      for (int half = group / 2; half > 0; half /= 2, lanes *= 2) {
        const bool keeps_second = (lane_ & lanes) != 0;
#pragma unroll
        for (int e = 0; e < half; ++e) {
          const float first = values[g][e], second = values[g][e + half];
          values[g][e] =
              (keeps_second ? second : first) + __shfl_xor_sync(0xFFFFFFFFu, keeps_second ? first : second, lanes);
        }
      }
      float sum = values[g][0];
      for (; lanes < 32; lanes *= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, lanes);
      totals_[g] += sum;
    }
  }
  __device__ int own_column() const { return (lane_ & 1) * 4 + (lane_ & 2) + (lane_ & 4) / 4; }
  static_assert(group == 8);

  // No question is asked before one is read, so that all are on their way at once, and what lies beyond the end is read
  // from the last row, and word, pair or column.
  __device__ void ask(const NarrowGradients::Matrix& matrix, std::int32_t row, uint4 (&words)[groups]) const {
    const auto last = static_cast<std::int32_t>(matrix.columns) - 1;
    const Bits* const line =
        matrix.data + min(row + lane_, static_cast<std::int32_t>(matrix.rows) - 1) * matrix.row_stride;
    if (p_.reads == NarrowGradientsReads::words) {
#pragma unroll
      for (int g = 0; g < groups; ++g)
        words[g] = load_word<CacheUse::again>(line + min(g * group, last / group * group));
    } else if (p_.reads == NarrowGradientsReads::pairs) {
      ask_pairs(words,
                [&](std::int32_t c) { return *reinterpret_cast<const std::uint32_t*>(line + min(c, last / 2 * 2)); });
    } else {
      const auto element = [&](std::int32_t c) { return line[min(c, last) * matrix.column_stride]; };
      ask_pairs(words, [&](std::int32_t c) { return element(c) | std::uint32_t(element(c + 1)) << 16; });
    }
  }
  template <class Pair>
  __device__ static void ask_pairs(uint4 (&words)[groups], const Pair& pair) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const int c = g * group;
      words[g]    = {pair(c), pair(c + 2), pair(c + 4), pair(c + 6)};
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
  bool sums_rows_, sums_columns_;
  float totals_[groups] = {};
};

}  // namespace Tegula::Impl

#endif
