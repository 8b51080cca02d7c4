// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_TILE_EPILOGUE_CUH
#define TEGULA_WGMMA_TILE_EPILOGUE_CUH

#include "Tegula_WgmmaFetched.cuh"

namespace Tegula::Impl {

/// Epilogues that are written down for all blocks of a tile, without a question in them that can be asked before: while
/// blocks are written to their buffers, TMA stores those before.
template <class Tile>
class WgmmaTileEpilogue {
  using Config = typename Tile::Config;
  using Input  = typename Tile::Input;
  using Block  = typename Tile::Block;
  using Values = typename Tile::Values;
  using Sums   = WgmmaSums<Config>;

 public:
  __device__ explicit WgmmaTileEpilogue(const Tile& tile) : t_(tile), p_(tile.p) {}

  /// C = alpha sum + bias in 16 bits, with or without relu.
  __device__ void store_plain(const CudaWork& work, const Sums& sums) const {
    with_relu([&]<bool relu>() {
      for_each_block(sums, [&](int block, const Values& values) {
        t_.template put<relu>(p_.C, block, values);
        t_.store_written(work, block, block, Tile::blocks_at_once);
      });
    });
  }

  /// The same of floats, which take two boxes a block.
  __device__ void store_floats(const CudaWork& work, const Sums& sums) const {
    with_relu([&]<bool relu>() {
      for_each_block(sums, [&](int block, Values& values) {
        if constexpr (relu)
          with_approximate_of<Relu, float>(p_.activation, [&](const auto& act) { Tile::for_each(values, act); });
        t_.wait_for_boxes(2 * block, 2);
        t_.put_floats(p_.C, 2 * block, values);
        t_.store_written(work, block, 2 * block, 1);
      });
    });
  }

  /// C = act(Z), Z = alpha sum + bias, in 16 bits. act is one of these; perhaps Z is stored, too.
  template <class First, class... Others>
  __device__ void store_activated(ActivationList<First, Others...>, const CudaWork& work, const Sums& sums) const {
    if constexpr (sizeof...(Others) > 0)
      if (!is_activation<First>(p_.activation)) return store_activated(ActivationList<Others...>(), work, sums);
    const bool has_Z = t_.has_Z();
    with_approximate_of<First, Input>(p_.activation, [&](const auto& act) {
      for_each_block(sums, [&](int block, Values& values) {
        if (has_Z) {
          t_.wait_for_boxes(2 * block, 1);
          t_.template put<false>(p_.Z, 2 * block, values);
          t_.buffers.store(p_.Z, t_.maps.Z, 2 * block, t_.row_of(work, block), t_.column_of(work, block));
          t_.wait_for_boxes(2 * block + 1, 1);
        }
        Tile::for_each(values, act);
        const int box = has_Z ? 2 * block + 1 : block;
        t_.template put<false>(p_.C, box, values);
        t_.store_written(work, block, box, has_Z ? 1 : Tile::blocks_at_once);
      });
    });
  }

  /// C = act(alpha sum + beta C + bias) in 16 bits, with or without relu.
  __device__ void store_added(const CudaWork& work, const Sums& sums, std::uint32_t& phases) const {
    const WgmmaFetched<Tile> fetched(t_);
    with_relu([&]<bool relu>() {
      for_each_block(sums, [&](int block, Values& values) {
        fetched.template apply<true>(block, values, phases, [&](float value, float c) { return value + p_.beta * c; });
        t_.template put<relu>(p_.C, block, values);
        t_.store_written(work, block, block, Tile::blocks_at_once);
      });
    });
  }

 private:
  template <class Store>
  __device__ void with_relu(const Store& store) const {
    is_activation<Relu>(p_.activation) ? store.template operator()<true>() : store.template operator()<false>();
  }

  // Calls store(block, values) with alpha sums + bias of every block, one after the other. The bias of the next block
  // is read before this one is written: nobody waits for it then.
  template <class Store>
  __device__ void for_each_block(const Sums& sums, const Store& store) const {
    auto bias = t_.bias_of(0);
#pragma unroll
    for (int block = 0; block < Tile::blocks; ++block) {
      Values values;
#pragma unroll
      for (int e = 0; e < Block::values; ++e) values[e] = sums[block / Tile::parts][Tile::first_sum(block) + e];
      t_.bias.add(p_.alpha, bias, values);
      if (block + 1 < Tile::blocks) bias = t_.bias_of(block + 1);
      store(block, values);
    }
  }

  const Tile& t_;
  const typename Tile::Parameters& p_;
};

}  // namespace Tegula::Impl

#endif
