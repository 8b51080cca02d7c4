// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_BIAS_CUH
#define TEGULA_WGMMA_BIAS_CUH

#include "Tegula_WgmmaArguments.cuh"
#include "Tegula_WgmmaBlock.cuh"

namespace Tegula::Impl {

/// The bias of a consumer's tile. It is fetched while the tile is multiplied, handed to all threads through scratch,
/// and read a block at a time. `may_lie_along_rows` where transposes are computed, too.
template <class Config, class Input, class Parameters, bool may_lie_along_rows>
class WgmmaBias {
  using Block  = WgmmaBlock<Input>;
  using Values = float[Block::values];

 public:
  /// `shared`: Config::row_floats of scratch.
  __device__ WgmmaBias(const Parameters& parameters, float* shared, int thread)
      : p_(parameters), shared_(shared), block_(thread), thread_(thread) {}

  /// The bits of some elements on their way. Nobody looks at them before the main loop is over, so that nobody waits
  /// for them.
  struct Bits {
    static constexpr int count = (Config::tile_n + Config::warpgroup - 1) / Config::warpgroup;
    std::uint32_t of[count];
  };

  /// Of a tile that begins at (row, column) and adds a bias.
  __device__ void fetch(std::int32_t row, std::int32_t column, Bits& bits) const {
#pragma unroll
    for (int e = 0; e < Bits::count; ++e) {
      const std::int32_t at = thread_ + e * Config::warpgroup;
      if (lies_along_rows()) {
        if (at < Config::row_blocks * 64 && row + at < p_.m) bits.of[e] = load_bits(p_.bias, row + at);
      } else if (at < Config::tile_n && column + at < p_.n) {
        bits.of[e] = load_bits(p_.bias, column + at);
      }
    }
  }

  __device__ void share(const Bits& bits) const {
#pragma unroll
    for (int e = 0; e < Bits::count; ++e) {
      const int at = thread_ + e * Config::warpgroup;
      if (at < Config::row_floats) shared_[at] = from_bits(p_.bias.element, bits.of[e]);
    }
  }

  /// What a thread adds to its values of a block: -0, which changes nothing, where there is no bias.
  struct OfBlock {
    float of[Block::columns];
  };

  /// Of the block that begins at (row, column) of the tile.
  __device__ OfBlock of_block(int row, int column) const {
    OfBlock bias;
    if (p_.bias.data == nullptr) {
#pragma unroll
      for (float& b : bias.of) b = -0.0f;
    } else if (lies_along_rows()) {
      block_.read_column(shared_ + row, bias.of);
    } else {
      block_.read_row(shared_ + column, bias.of);
    }
    return bias;
  }

  /// values = factor values + bias
  __device__ void add(float factor, const OfBlock& bias, Values& values) const {
    const auto add_by = [&](const auto& number) {
#pragma unroll
      for (int e = 0; e < Block::values; ++e) values[e] = std::fma(factor, values[e], bias.of[number(e)]);
    };
    lies_along_rows() && p_.bias.data != nullptr ? add_by([](int e) { return Block::row_number(e); })
                                                 : add_by([](int e) { return Block::column_number(e); });
  }

 private:
  __device__ bool lies_along_rows() const { return may_lie_along_rows && p_.is_transposed; }

  const Parameters& p_;
  float* shared_;
  Block block_;
  int thread_;
};

}  // namespace Tegula::Impl

#endif
