// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_EPILOGUE_CUH
#define TEGULA_WGMMA_EPILOGUE_CUH

#include "Tegula_WgmmaBlockEpilogue.cuh"
#include "Tegula_WgmmaTileEpilogue.cuh"

/// The sums of a consumer go to memory, a block of 64 x 64 at a time.

namespace Tegula::Impl {

/// The epilogue of one consumer warpgroup, of whatever kind, of one of so many products in a launch; `thread` is the
/// number within it.
template <class Config, class Input, WgmmaEpilogueKind kind, class Activation, int Products>
class WgmmaEpilogue {
  using Tile = WgmmaTile<Config, Input, kind, Activation, Products>;
  using Kind = WgmmaEpilogueKind;

 public:
  using Bias = typename Tile::Bias::Bits;

  __device__ WgmmaEpilogue(const WgmmaProduct<Activation>& product, char* scratch, int consumer, int thread)
      : tile_(product, scratch, consumer, thread) {}

  /// Begins to fetch what the tile's epilogue reads. Nobody waits for the bias before prepare().
  __device__ Bias fetch_bias(const CudaWork& work) const {
    Bias bits{};
    if (adds_bias(work)) tile_.bias.fetch(tile_.row_of(work, 0), work.column, bits);
    return bits;
  }
  __device__ void fetch(const CudaWork& work) const {
    if constexpr (takes_fetched<kind> && !Config::overlaps)
      if (tile_.thread == 0 && tile_.p.fetches() && !tile_.is_slice(work)) WgmmaFetched<Tile>(tile_).begin(work);
  }

  /// What store() needs besides sums, to be done while tensor cores still add them.
  __device__ void prepare(const CudaWork& work, const Bias& bits) const {
    // The buffers have been read, and so has the bias of the last tile.
    tile_.buffers.wait_until_read(0);
    if (!adds_bias(work)) return;
    tile_.bias.share(bits);
    tile_.buffers.wait_for_warpgroup();
  }

  /// Stores the sums of a tile. `phases` is that of WgmmaBuffers, of the consumer.
  __device__ void store(const CudaWork& work, const WgmmaSums<Config>& sums, std::uint32_t& phases) const {
    const WgmmaTileEpilogue<Tile> whole(tile_);
    if constexpr (takes_all_runs<kind>) {
      // Of two products of a kernel one may need more than the other.
      const Kind needed = tile_.is_slice(work) ? Kind::runs : tile_.p.needed;
      if constexpr (!Tile::is_own) {
        if (needed == Kind::plain) return whole.store_plain(work, sums);
        if (needed == Kind::floats) return whole.store_floats(work, sums);
      }
      const WgmmaBlockEpilogue<Tile> blocks(tile_);
      if constexpr (!Tile::is_own && !Config::overlaps)
        if (needed == Kind::slopes) return blocks.store_slopes(work, sums, phases);
      if constexpr (kind == Kind::runs)
        if (needed <= Kind::of_sums) return blocks.store_of_sums(work, sums);
      blocks.store_any(work, sums, phases);
    } else if constexpr (kind == Kind::plain) {
      whole.store_plain(work, sums);
    } else if constexpr (kind == Kind::floats) {
      tile_.p.needed == Kind::plain ? whole.store_plain(work, sums) : whole.store_floats(work, sums);
    } else if constexpr (kind == Kind::adds) {
      whole.store_added(work, sums, phases);
    } else if constexpr (kind == Kind::curves && Config::takes_turns) {
      if (is_activation<GeluErf>(tile_.p.activation))
        return WgmmaBlockEpilogue<Tile>(tile_).template store_activated<GeluErf>(work, sums);
      whole.store_activated(WgmmaShortCurves(), work, sums);
    } else {
      whole.store_activated(std::conditional_t<kind == Kind::gates, WgmmaGates, WgmmaCurves>(), work, sums);
    }
  }

 private:
  __device__ bool adds_bias(const CudaWork& work) const {
    return tile_.p.bias.data != nullptr && !tile_.is_slice(work);
  }

  Tile tile_;
};

}  // namespace Tegula::Impl

#endif
