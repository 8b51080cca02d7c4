// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_STEP_CUH
#define TEGULA_NARROW_GRADIENTS_STEP_CUH

#include "../Tegula_UnalignedLines.hpp"
#include "../ptx/Tegula_PtxPair.cuh"
#include "Tegula_NarrowGradientsOther.cuh"
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
                       run = Place::run, rounds = words / 2;

 public:
  /// From place `at` of the depth on. Only the first panel sums dZ. In scratch are `other`, the team's panel of that
  /// operand, and a tile and rows of dZ of this warp.
  __device__ NarrowGradientsStep(const NarrowGradients& gradients, std::int32_t at, bool is_first_panel, int lane,
                                 void* other, float* tile, void* rows)
      : p_(gradients),
        rows_(gradients, is_first_panel, lane, rows),
        at_(at),
        lane_(lane),
        other_(gradients.other, gradients.other_in_pairs, at, other),
        tile_(tile) {}

  /// Adds the rows from `row` on, if there are any. Calls all_asked() when all that has to come from memory first is on
  /// its way.
  template <class AllAsked>
  __device__ void add(std::int32_t row, bool has_rows, const AllAsked& all_asked) {
    typename Rows::Asked asked;
    rows_.ask(row, asked);
    uint4 large[words];
    if (p_.sums.is_wanted()) ask(p_.large, row, large);
    all_asked();
    if (!has_rows) return;
    rows_.form(row, asked);
    if (p_.sums.is_wanted()) add_to_sums(large);
    if constexpr (has_below)
      if (p_.saved_below.data != nullptr) ask(p_.saved_below, row, large);
    if (p_.product.is_wanted()) multiply(row, large);
  }

  /// Brings the panel of the other operand to scratch, for all warps of the team.
  __device__ void bring_other(int thread) const { other_.bring(thread); }

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
  // Where the words of this lane lie in a matrix of which so many rows and places of the depth are left.
  struct Words {
    std::int64_t first, apart;  // elements
    int lines, inside;          // lines of memory that are left, and elements of a word that are

    __device__ Words(std::int64_t row_stride, std::int64_t column_stride, int rows, int depth, int lane)
        : first(Place::word_row(0, lane) * row_stride + Place::word_at(0, lane) * column_stride),
          apart(by_rows ? column_stride : row_stride) {
      rows -= Place::word_row(0, lane), depth -= Place::word_at(0, lane);
      lines  = by_rows ? depth : rows;
      inside = min(max(by_rows ? rows : depth, 0), run);
    }
  };

  // Of a matrix of rows x depth, contiguous in the direction of `large`.
  __device__ void ask(const NarrowGradients::Matrix& matrix, std::int32_t row, uint4 (&large)[words]) const {
    const Words at(matrix.row_stride, matrix.column_stride, static_cast<std::int32_t>(matrix.rows) - row,
                   static_cast<std::int32_t>(matrix.columns) - at_, lane_);
    const Bits* from = matrix.data + row * matrix.row_stride + at_ * matrix.column_stride + at.first;
    SplitWord split[words];
    unsigned begins[words];
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const bool is_inside = Place::word_line(w) < at.lines && at.inside > 0;
      if constexpr (in_words) {
        large[w] = is_inside ? load_word(from) : uint4{};
      } else {
        split[w]  = load_split_word(from, is_inside ? at.inside : 0);
        begins[w] = low_bits(from);
        if (w + 1 == words) join(row, split, begins, large);
      }
      from += (Place::word_line(w + 1) - Place::word_line(w)) * at.apart;
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
      const bool is_pair = g + 1 < groups;
      std::uint32_t left[4];
      other_.take(block, g, lane_, left);
      ptx::multiply_add(Input(), products, left, dZ[g], is_pair ? dZ[g + 1] : 0);
    }
  }

  // Values of the product, which leave as this word, become those of the layer below. `saved` is the word that it
  // saved.
  __device__ void form_below(const uint4& saved, int word, float (&values)[run]) {
    if (p_.below == NarrowGradientsBelow::relu) {
      const auto slopes = [&](std::uint32_t pair) { return ptx::relu_slopes(Input(), pair); };
      float of[run];
      unpack<Input>(uint4{slopes(saved.x), slopes(saved.y), slopes(saved.z), slopes(saved.w)}, of);
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] *= of[e];
    } else if (p_.below != NarrowGradientsBelow::one) {
      float outputs[run];
      unpack<Input>(saved, outputs);
      const auto multiply_by = [&](const auto& slope) {
#pragma unroll
        for (int e = 0; e < run; ++e) values[e] *= slope(outputs[e]);
      };
      p_.below == NarrowGradientsBelow::curve ? multiply_by([&](float y) { return p_.slope_below.curve(y); })
                                              : multiply_by([&](float y) { return p_.slope_below.step(y); });
    }
    if (!p_.has_sums_below) return;
#pragma unroll
    for (int e = 0; e < run; ++e) sums_below_[by_rows ? word : e] += values[e];
  }

  __device__ void multiply(std::int32_t row, uint4 (&saved)[words]) {
    using Store = NarrowGradientsStore;
    switch (p_.stores) {
      case Store::words:
        return multiply<Store::words>(row, saved);
      case Store::lines:
        multiply<Store::lines>(row, saved);
        return store_lines(row);
      case Store::elements:
        multiply<Store::elements>(row, saved);
        return store_elements(row);
    }
  }

  // In words of the product, as those of `large` lie, or through scratch: two of them in a round. What a round needs is
  // in the same registers as what the first one did: written down, all rounds were so many instructions that fetching
  // them took longer than what they wait for.
  template <NarrowGradientsStore stores>
  __device__ void multiply(std::int32_t row, uint4 (&saved)[words]) {
    const AnyMatrix& product = p_.product.result;
    const Words at(product.row_stride, product.column_stride, p_.product.lines - row, p_.product.depth - at_, lane_);
    Bits* to  = static_cast<Bits*>(product.data) + row * product.row_stride + at_ * product.column_stride + at.first;
    int lines = at.inside > 0 ? at.lines : 0;
    Fragments dZ;  // pairs of columns
    rows_.take(dZ);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      float runs[2][run];
      multiply_words(dZ, by_rows ? round : 0, runs);
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        if constexpr (has_below) form_below(saved[r], r, runs[r]);
        if constexpr (stores == NarrowGradientsStore::words) {
          if (Place::word_line(r) < lines)
            *reinterpret_cast<uint4*>(to + Place::word_line(r) * at.apart) = packed<Input>(runs[r]);
        } else if constexpr (stores == NarrowGradientsStore::lines) {
          put_pairs(2 * round + r, runs[r]);
        } else {
          put_elements(2 * round + r, runs[r]);
        }
      }
      to += Place::word_line(2) * at.apart, lines -= Place::word_line(2);
      if constexpr (has_below) pass<2>(saved);
      if constexpr (!by_rows) pass<1>(dZ);
      if constexpr (has_below && by_rows) turn<2>(sums_below_);
    }
  }

  // Two words, from the first tile of rows and all blocks of the depth, or from all tiles and the block `first_block`.
  __device__ void multiply_words(const Fragments& dZ, int first_block, float (&runs)[2][run]) const {
#pragma unroll
    for (int inner = 0; inner < 4; ++inner) {
      float products[4];
      multiply_tile(dZ[by_rows ? inner : 0], by_rows ? first_block : inner, products);
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const int half = c / 2, line = c % 2;
        runs[by_rows ? half : line][2 * inner + (by_rows ? line : half)] = products[c];
      }
    }
    if (p_.product.alpha == 1) return;
#pragma unroll
    for (auto& of_word : runs)
#pragma unroll
      for (float& product : of_word) product *= p_.product.alpha;
  }

  // The first `by` elements are done with, or go to the end.
  template <int by, class Element, int count>
  __device__ static void pass(Element (&elements)[count]) {
#pragma unroll
    for (int e = 0; e + by < count; ++e) copy(elements[e + by], elements[e]);
  }
  template <int by, int count>
  __device__ static void turn(float (&elements)[count]) {
    float firsts[by];
#pragma unroll
    for (int e = 0; e < by; ++e) firsts[e] = elements[e];
    pass<by>(elements);
#pragma unroll
    for (int e = 0; e < by; ++e) elements[count - by + e] = firsts[e];
  }
  template <class Element>
  __device__ static void copy(const Element& from, Element& to) {
    to = from;
  }
  template <class Element, int count>
  __device__ static void copy(const Element (&from)[count], Element (&to)[count]) {
#pragma unroll
    for (int e = 0; e < count; ++e) to[e] = from[e];
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
  NarrowGradientsOther<Config, by_rows> other_;
  float* tile_;  // of the warp, in scratch
  float sums_[blocks][groups][4] = {};
  float sums_below_[run]         = {};  // of a column of a word each, or, by rows, of a word
};

}  // namespace Tegula::Impl

#endif
