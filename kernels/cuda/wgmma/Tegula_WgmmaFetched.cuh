// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FETCHED_CUH
#define TEGULA_WGMMA_FETCHED_CUH

#include "../ptx/Tegula_PtxPair.cuh"
#include "Tegula_WgmmaTile.cuh"

namespace Tegula::Impl {

/// What TMA fetches for an epilogue while a tile is multiplied: a block of C, or of what the layer below saved, to the
/// boxes that the result's takes afterwards.
template <class Tile>
class WgmmaFetched {
  using Config = typename Tile::Config;
  using Block  = typename Tile::Block;
  using Values = typename Tile::Values;

 public:
  __device__ explicit WgmmaFetched(const Tile& tile) : t_(tile), p_(tile.p) {}

  /// One thread does these two. Begins, as far as there are buffers, when these have been stored.
  __device__ void begin(const CudaWork& work) const {
    for (int block = 0; block < min(Tile::blocks, at_once()); ++block) fetch(work, block, 0);
  }
  /// A block has been stored, and perhaps it has not been read: the one before it has, and another takes its place.
  __device__ void go_on(const CudaWork& work, int block) const {
    const int pending = at_once() > 1 ? 1 : 0, next = block - pending + at_once();
    if (block >= pending && next < Tile::blocks) fetch(work, next, pending);
  }

  /// values += beta C, or values *= act'(saved)
  __device__ void apply(int box, Values& values, std::uint32_t& phases) const {
    const auto by = [&](const auto& function) { apply<false>(box, values, phases, function); };
    if (p_.slope.is_one) {
      by([&](float value, float c) { return value + p_.beta * c; });
    } else if (p_.slope.is_curved) {
      by([&](float value, float y) { return value * p_.slope.curve(y); });
    } else {
      by([&](float value, float y) { return value * p_.slope.step(y); });
    }
  }

  /// values = function(value, what was fetched) for a block, when that is there; it may be known to have 16 bits.
  template <bool has_16_bits, class Function>
  __device__ void apply(int box, Values& values, std::uint32_t& phases, const Function& function) const {
    apply<has_16_bits>(box, values, phases, function, [](std::uint32_t pair) { return pair; });
  }
  /// values *= the slopes of relu, in 16 bits.
  __device__ void apply_relu(int box, Values& values, std::uint32_t& phases) const {
    apply<true>(
        box, values, phases, [](float value, float slope) { return value * slope; },
        [](std::uint32_t pair) { return ptx::relu_slopes(typename Tile::Input(), pair); });
  }

 private:
  template <bool has_16_bits, class Function, class Replace>
  __device__ void apply(int box, Values& values, std::uint32_t& phases, const Function& function,
                        const Replace& replaced) const {
    t_.buffers.wait_until_fetched(box, phases);
#pragma unroll
    for (int from = 0; from < Block::values; from += Block::half) {
      float other[Block::half];
      get<has_16_bits>(box, from, other, replaced);
#pragma unroll
      for (int e = 0; e < Block::half; ++e) values[from + e] = function(values[from + e], other[e]);
    }
    // Lines of both along one direction belong to one warp (WgmmaBlock); else others still read what this one writes
    // to.
    p_.fetched.by == p_.C.by ? __syncwarp() : t_.buffers.wait_for_warpgroup();
  }

  __device__ int at_once() const { return Config::buffers / boxes_of(p_.fetched.matrix); }

  __device__ void fetch(const CudaWork& work, int block, int pending) const {
    t_.buffers.fetch(p_.fetched, p_.slope.is_one ? t_.maps.C : t_.maps.saved, block * boxes_of(p_.fetched.matrix),
                     t_.row_of(work, block), t_.column_of(work, block), pending);
  }

  template <bool has_16_bits, class Replace>
  __device__ void get(int box, int from, float (&other)[Block::half], const Replace& replaced) const {
    const bool by_rows        = p_.fetched.by == StoreBy::rows;
    const std::uint32_t first = t_.buffers.box(box);
    const Block& block        = t_.block_of_thread;
    if (!has_16_bits && element_bytes(p_.fetched.matrix.element) == 4) {
      const std::uint32_t second = t_.buffers.box(box + 1);
      return by_rows ? block.template get_floats<false>(first, second, from, other)
                     : block.template get_floats<true>(first, second, from, other);
    }
    by_rows ? block.template get<false>(first, from, other, replaced)
            : block.template get<true>(first, from, other, replaced);
  }

  const Tile& t_;
  const typename Tile::Parameters& p_;
};

/// The sums of a block's columns, which become part of a row of p.column_sums. Each warp has those of 16 rows. Three of
/// them hand theirs to the first, in the place of the bias, which no product with a layer below has. It is free again
/// for the next block when the warps have met once more, as they do when this one goes to TMA.
template <class Tile>
__device__ inline void store_column_sums(const Tile& tile, const CudaWork& work, int block,
                                         typename Tile::Values& values) {
  constexpr int warp_lanes = 32, warps = Tile::Config::warpgroup / warp_lanes;
  const auto& p           = tile.p;
  const int warp          = tile.thread / warp_lanes;
  const std::int32_t row0 = tile.row_of(work, block);
  tile.block_of_thread.sum_columns(values, p.m - row0, [&](int j, float sum, float next) {
    if (warp > 0) *reinterpret_cast<float2*>(tile.shared + (warp - 1) * 64 + j) = {sum, next};
    tile.buffers.wait_for_warpgroup();
    if (warp > 0 || row0 >= p.m) return;
#pragma unroll
    for (int other = 1; other < warps; ++other) {
      const auto more = *reinterpret_cast<const float2*>(tile.shared + (other - 1) * 64 + j);
      sum += more.x, next += more.y;
    }
    const std::int32_t column = tile.column_of(work, block) + j;
    float* const to           = p.column_sums + std::int64_t(row0 / rows_of_sums) * p.n + column;
    if (column < p.n) to[0] = sum;
    if (column + 1 < p.n) to[1] = next;
  });
}

}  // namespace Tegula::Impl

#endif
