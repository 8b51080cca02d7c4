// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_STEP_CUH
#define TEGULA_NARROW_GRADIENTS_STEP_CUH

#include "../Tegula_UnalignedLines.hpp"
#include "../ptx/Tegula_PtxPair.cuh"
#include "Tegula_NarrowGradientsRows.cuh"

namespace Tegula::Impl {

/// Steps of a warp in a panel of the depth, and the sums that it keeps.
template <class Config, class Input, bool by_rows, bool in_words, bool has_below>
class NarrowGradientsStep {
  using Bits                  = std::uint16_t;
  using Place                 = NarrowGradientsPlace<by_rows>;
  using Rows                  = NarrowGradientsRows<Config, Input, by_rows>;
  using Fragments             = typename Rows::Fragments;
  static constexpr int groups = Config::groups, tiles = Place::tiles, blocks = Place::blocks, words = Place::words,
                       run = Place::run;
  // The other operand comes with what is asked for first, if there are registers for both.
  static constexpr bool brings_late = groups <= 2;

 public:
  /// From place `at` of the depth on. Only the first panel sums dZ.
  __device__ NarrowGradientsStep(const NarrowGradients& gradients, std::int32_t at, bool is_first_panel, int lane,
                                 float* tile, void* rows)
      : p_(gradients), rows_(gradients, is_first_panel, lane, rows), at_(at), lane_(lane), tile_(tile) {
    if (!brings_late && p_.product.is_wanted()) bring_other();
  }

  /// Adds the rows from `row` on.
  __device__ void add(std::int32_t row, bool is_first) {
    typename Rows::Asked asked;
    rows_.ask(row, asked);
    uint4 large[words];
    if (p_.sums.is_wanted()) ask(p_.large, row, large);
    if (brings_late && is_first && p_.product.is_wanted()) bring_other();
    rows_.form(row, asked);
    if (p_.sums.is_wanted()) add_to_sums(large);
    if constexpr (has_below)
      if (p_.saved_below.data != nullptr) ask(p_.saved_below, row, large);
    if (p_.product.is_wanted()) multiply(row, large);
  }

  /// Puts the sums into scratch: lines of the panel's depth.
  __device__ void put(float* sums) const {
#pragma unroll
    for (int block = 0; block < blocks; ++block)
#pragma unroll
      for (int g = 0; g < groups; ++g)
#pragma unroll
        for (int c = 0; c < 4; ++c)
          sums[(g * 8 + lane_ % 4 * 2 + c % 2) * Config::pitch + Place::at(block, c / 2, lane_ / 4)] =
              sums_[block][g][c];
  }
  /// The same for the sums of lines of dZ.
  __device__ void put_totals(float* totals) const { rows_.put_totals(totals); }
  /// The same for the sums of the product's columns.
  __device__ void put_sums_below(float* sums) const {
#pragma unroll
    for (int e = 0; e < run; ++e) {
      float sum = sums_below_[e];
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 1);
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 2);
      if (lane_ % 4 == 0) sums[by_rows ? Place::word_at(e, lane_) : Place::word_at(0, lane_) + e] = sum;
    }
  }

 private:
  // Of this lane's lines of the blocks, pairs of columns. What lies beyond the end is read from the last one.
  __device__ void bring_other() { p_.other_in_pairs ? bring_other<true>() : bring_other<false>(); }
  template <bool in_pairs>
  __device__ void bring_other() {
    const auto columns = static_cast<std::int32_t>(p_.other.rows), depth = static_cast<std::int32_t>(p_.other.columns);
#pragma unroll
    for (int block = 0; block < blocks; ++block)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::int32_t at  = at_ + Place::at(block, half, lane_ / 4);
        const Bits* const line = p_.other.data + min(at, depth - 1) * p_.other.column_stride;
        const auto element     = [&](std::int32_t c) -> std::uint32_t {
          return line[min(c, columns - 1) * p_.other.row_stride];
        };
#pragma unroll
        for (int g = 0; g < groups; ++g) {
          const std::int32_t first = g * 8 + lane_ % 4 * 2, left = at < depth ? columns - first : 0;
          std::uint32_t pair;
          if constexpr (in_pairs) {
            pair = *reinterpret_cast<const std::uint32_t*>(line + min(first, (columns - 1) / 2 * 2));
          } else {
            pair = element(first) | element(first + 1) << 16;
          }
          other_[block][g][half] = left > 1 ? pair : left > 0 ? pair & 0xFFFF : 0;
        }
      }
  }

  // Of a matrix of rows x depth, contiguous in the direction of `large`.
  __device__ void ask(const NarrowGradients::Matrix& matrix, std::int32_t row, uint4 (&large)[words]) const {
    SplitWord split[words];
    unsigned begins[words];
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const std::int32_t i = row + Place::word_row(w, lane_), j = at_ + Place::word_at(w, lane_);
      const auto rows_left = static_cast<std::int32_t>(matrix.rows) - i,
                 left      = static_cast<std::int32_t>(matrix.columns) - j;
      const int count =
          by_rows ? (left > 0 ? min(max(rows_left, 0), run) : 0) : (rows_left > 0 ? min(max(left, 0), run) : 0);
      const Bits* const from = matrix.data + i * matrix.row_stride + j * matrix.column_stride;
      if constexpr (in_words) {
        large[w] = count > 0 ? load_word(from) : uint4{};
      } else {
        split[w]  = load_split_word(from, count);
        begins[w] = low_bits(from);
        if (w + 1 == words) join(row, split, begins, large);
      }
    }
  }

  // All that was asked for is on its way before the first of it is used.
  __device__ void join(std::int32_t row, const SplitWord (&split)[words], const unsigned (&begins)[words],
                       uint4 (&large)[words]) const {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      large[w] = joined<Bits>(split[w], begins[w]);
      if constexpr (by_rows) clear_from(static_cast<int>(p_.dC.rows) - row - Place::word_row(w, lane_), large[w]);
    }
  }

  // Rows beyond the last one would be multiplied by zeros, but may be anything.
  __device__ static void clear_from(int count, uint4& word) {
    std::uint32_t* const pairs[] = {&word.x, &word.y, &word.z, &word.w};
#pragma unroll
    for (int pair = 0; pair < 4; ++pair)
      if (count < 2 * pair + 2) *pairs[pair] = count > 2 * pair ? *pairs[pair] & 0xFFFF : 0;
  }

  __device__ void add_to_sums(const uint4 (&large)[words]) {
    Fragments dZ;  // pairs of rows
    rows_.take_transposed(dZ);
#pragma unroll
    for (int t = 0; t < tiles; t += 2)
#pragma unroll
      for (int block = 0; block < blocks; ++block) {
        std::uint32_t left[4];
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
          for (int next = 0; next < 2; ++next) left[2 * next + half] = pair_of(large, t + next, block, half);
#pragma unroll
        for (int g = 0; g < groups; ++g) ptx::multiply_add(Input(), sums_[block][g], left, dZ[t][g], dZ[t + 1][g]);
      }
  }

  // A pair of rows of a tile, at one place of the depth.
  __device__ static std::uint32_t pair_of(const uint4 (&large)[words], int tile, int block, int half) {
    if constexpr (by_rows) return word_of(large[2 * block + half], tile);
    return __byte_perm(word_of(large[2 * tile], block), word_of(large[2 * tile + 1], block),
                       half == 0 ? 0x5410 : 0x7632);
  }
  __device__ static std::uint32_t word_of(const uint4& word, int number) {
    return number == 0 ? word.x : number == 1 ? word.y : number == 2 ? word.z : word.w;
  }

  // A tile of rows and a block of the depth.
  __device__ void multiply_tile(const std::uint32_t (&dZ)[groups], int block, float (&products)[4]) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) products[c] = 0;
#pragma unroll
    for (int g = 0; g < groups; g += 2) {
      constexpr std::uint32_t none = 0;
      const bool is_pair           = g + 1 < groups;
      const int next               = is_pair ? g + 1 : g;
      const std::uint32_t left[4]  = {other_[block][g][0], other_[block][g][1], is_pair ? other_[block][next][0] : none,
                                     is_pair ? other_[block][next][1] : none};
      ptx::multiply_add(Input(), products, left, dZ[g], is_pair ? dZ[next] : none);
    }
  }

  // Values of the product, which leave as this word, become those of the layer below. `saved` is the word that it
  // saved.
  __device__ void form_below(const uint4& saved, int word, float (&values)[run]) {
    if (p_.slope_below.is_relu()) {
      const auto slopes = [&](std::uint32_t pair) { return ptx::relu_slopes(Input(), pair); };
      float of[run];
      unpack<Input>(uint4{slopes(saved.x), slopes(saved.y), slopes(saved.z), slopes(saved.w)}, of);
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] *= of[e];
    } else if (!p_.slope_below.is_one) {
      float outputs[run];
      unpack<Input>(saved, outputs);
      const auto multiply_by = [&](const auto& slope) {
#pragma unroll
        for (int e = 0; e < run; ++e) values[e] *= slope(outputs[e]);
      };
      p_.slope_below.is_curved ? multiply_by([&](float y) { return p_.slope_below.curve(y); })
                               : multiply_by([&](float y) { return p_.slope_below.step(y); });
    }
    if (!p_.has_sums_below()) return;
#pragma unroll
    for (int e = 0; e < run; ++e) sums_below_[by_rows ? word : e] += values[e];
  }

  // In words of the product, as those of `large` lie, or through scratch.
  __device__ void multiply(std::int32_t row, const uint4 (&saved)[words]) {
    Fragments dZ;  // pairs of columns
    rows_.take(dZ);
#pragma unroll
    for (int outer = 0; outer < 4; ++outer) {
      // All that two words are made of.
      float runs[2][run];
#pragma unroll
      for (int inner = 0; inner < 4; ++inner) {
        const int tile = by_rows ? inner : outer, block = by_rows ? outer : inner;
        float products[4];
        multiply_tile(dZ[tile], block, products);
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          const int half = c / 2, line = c % 2;
          runs[by_rows ? half : line][2 * inner + (by_rows ? line : half)] = p_.product.alpha * products[c];
        }
      }
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int word = 2 * outer + r;
        if constexpr (has_below) form_below(saved[word], word, runs[r]);
        if (p_.stores == NarrowGradientsStore::words) {
          store_word(row, word, runs[r]);
        } else if (p_.stores == NarrowGradientsStore::lines) {
          put_pairs(word, runs[r]);
        } else {
          put_elements(word, runs[r]);
        }
      }
    }
    if (p_.stores == NarrowGradientsStore::lines) store_lines(row);
    if (p_.stores == NarrowGradientsStore::elements) store_elements(row);
  }

  __device__ void store_word(std::int32_t row, int word, const float (&values)[run]) const {
    const std::int32_t i = row + Place::word_row(word, lane_), j = at_ + Place::word_at(word, lane_);
    if (i >= p_.product.lines || j >= p_.product.depth) return;
    const AnyMatrix& product = p_.product.result;
    Bits* const to           = static_cast<Bits*>(product.data) + i * product.row_stride + j * product.column_stride;
    *reinterpret_cast<uint4*>(to) = packed<Input>(values);
  }

  // Of which scratch has a tile, lines in the direction in which the product is contiguous.
  using Tile                      = UnalignedLines<2, by_rows ? Config::warp_rows : Config::depth>;
  static constexpr int tile_lines = by_rows ? Config::depth : Config::warp_rows;
  static_assert(Tile::bytes(tile_lines) <= Config::warp_tile * int(sizeof(float)));

  __device__ Tile tile(std::int32_t row) const {
    const AnyMatrix& product = p_.product.result;
    Bits* const first       = static_cast<Bits*>(product.data) + row * product.row_stride + at_ * product.column_stride;
    const std::int32_t rows = p_.product.lines - row, depth = p_.product.depth - at_;
    char* const scratch = reinterpret_cast<char*>(tile_);
    if (by_rows) return {scratch, {first, product.column_stride, depth, rows}};
    return {scratch, {first, product.row_stride, rows, depth}};
  }

  __device__ void put_pairs(int word, const float (&values)[run]) const {
    const int row = Place::word_row(word, lane_), at = Place::word_at(word, lane_);
    const int line = by_rows ? at : row, along = by_rows ? row : at;
#pragma unroll
    for (int e = 0; e < run; e += 2)
      tile(0).put(line / 8 * 8, line % 8, along, e / 2, rounded_pair<Input>(values[e], values[e + 1]));
  }

  __device__ void store_lines(std::int32_t row) const {
    __syncwarp();
    tile(row).template store<tile_lines>(0, lane_);
    __syncwarp();
  }

  __device__ void put_elements(int word, const float (&values)[run]) const {
    float* const to = tile_ + Place::word_row(word, lane_) * Config::pitch + Place::word_at(word, lane_);
#pragma unroll
    for (int e = 0; e < run; ++e) to[e * (by_rows ? Config::pitch : 1)] = values[e];
  }

  // Lanes next to each other have elements that are so in memory, if any are.
  __device__ void store_elements(std::int32_t row) const {
    const bool is_along_depth = p_.product.result.column_stride == 1;
    __syncwarp();
#pragma unroll 1
    for (int number = 0; number < Config::warp_rows * Config::depth / 32; ++number) {
      const int own_row    = is_along_depth ? number / 2 : lane_,
                own_at     = is_along_depth ? number % 2 * 32 + lane_ : number;
      const std::int32_t i = row + own_row, j = at_ + own_at;
      if (i < p_.product.lines && j < p_.product.depth)
        finish(p_.product.result, i, j, tile_[own_row * Config::pitch + own_at], p_.product.adds);
    }
    __syncwarp();
  }

  const NarrowGradients& p_;
  Rows rows_;
  std::int32_t at_;
  int lane_;
  float* tile_;  // of the warp, in scratch
  std::uint32_t other_[blocks][groups][2] = {};
  float sums_[blocks][groups][4]          = {};
  float sums_below_[run]                  = {};  // of a column of a word each, or, by rows, of a word
};

}  // namespace Tegula::Impl

#endif
