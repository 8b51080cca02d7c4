// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_EPILOGUE_CUH
#define TEGULA_WGMMA_EPILOGUE_CUH

#include "../Tegula_ApproximateFloat.cuh"
#include "../Tegula_CudaPairs.cuh"
#include "../Tegula_UnalignedLines.hpp"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "Tegula_WgmmaArguments.cuh"
#include "Tegula_WgmmaMainloop.cuh"

/// The sums of a consumer go to memory, a block of 64 x 64 at a time.

namespace Tegula::Impl {

/// The epilogue of one consumer warpgroup; `thread` is the number within it.
template <class Config, class Input, WgmmaEpilogueKind kind, class Activation = ActivationChoice>
class WgmmaEpilogue {
 public:
  static constexpr int block_values = 32;  // of a thread in a block of 64 x 64

  __device__ WgmmaEpilogue(const WgmmaProduct<Activation>& product, char* scratch, int consumer, int thread)
      : p_(product.epilogue),
        C_map_(product.C),
        Z_map_(product.Z),
        buffers_(ptx::shared_address(scratch) + Config::stores_at + consumer * Config::blocks * Config::block_bytes),
        bias_(reinterpret_cast<float*>(scratch + Config::bias_at) + consumer * Config::tile_n),
        consumer_(consumer),
        thread_(thread) {}

  /// A tile's bias on its way: the bits of some elements. Nobody looks at them before the main loop is over, so that
  /// nobody waits for them.
  struct Bias {
    static constexpr int count = (Config::tile_n + Config::warpgroup - 1) / Config::warpgroup;
    std::uint32_t bits[count];
  };

  __device__ Bias fetch_bias(const CudaWork& work) const {
    Bias bias{};
    if (p_.bias.data == nullptr) return bias;
#pragma unroll
    for (int e = 0; e < Bias::count; ++e) {
      const std::int32_t column = thread_ + e * Config::warpgroup;
      if (column < Config::tile_n && work.column + column < p_.n)
        bias.bits[e] = load_bits(p_.bias, work.column + column);
    }
    return bias;
  }

  /// Stores the sums of a tile.
  __device__ void store(const CudaWork& work, const Bias& bias, const WgmmaSums<Config>& sums) const {
    // The buffers have been read, and so has the bias of the last tile.
    if (thread_ == 0) ptx::wait_stores_read<0>();
    wait_for_warpgroup();
    if (p_.bias.data != nullptr) {
      share(bias);
      wait_for_warpgroup();
    }
    // Of two products of a kernel one may need more than the other.
    const WgmmaEpilogueKind needed = kind == WgmmaEpilogueKind::plain ? kind : p_.kind();
    if (!WgmmaEpilogueParameters<Activation>::is_own && needed == WgmmaEpilogueKind::plain)
      return is_activation<Relu>(p_.activation) ? store_plain<true>(work, sums) : store_plain<false>(work, sums);
    if constexpr (kind == WgmmaEpilogueKind::any)
      if (needed == WgmmaEpilogueKind::any) return store_blocks(work, sums);
    if constexpr (kind != WgmmaEpilogueKind::plain) store_runs(work, sums);
  }

 private:
  __device__ void share(const Bias& bias) const {
#pragma unroll
    for (int e = 0; e < Bias::count; ++e) {
      const int column = thread_ + e * Config::warpgroup;
      if (column < Config::tile_n) bias_[column] = from_bits(p_.bias.element, bias.bits[e]);
    }
  }

  static constexpr int parts = Config::tile_n / 64;  // blocks side by side

  __device__ std::int32_t row_of(const CudaWork& work, int block) const {
    const int first_block = Config::takes_turns ? 0 : consumer_ * Config::row_blocks;
    return work.row + (first_block + block / parts) * 64;
  }

  // The usual epilogue: while a block is written to its buffer, TMA stores the one before.
  template <bool relu>
  __device__ void store_plain(const CudaWork& work, const WgmmaSums<Config>& sums) const {
    const bool has_bias = p_.bias.data != nullptr;
#pragma unroll
    for (int block = 0; block < Config::blocks; ++block) {
      const int part = block % parts;
      float values[block_values];
#pragma unroll
      for (int e = 0; e < block_values; ++e) values[e] = p_.alpha * sums[block / parts][part * block_values + e];
      if (has_bias) for_each(values, [&](int, int j, float& value) { value += bias_[part * 64 + j]; });
      store_run<relu>(p_.C, C_map_, block, row_of(work, block), work.column + part * 64, values);
    }
  }

  // The same with any activation and Z. The loop is not unrolled: the instructions of all blocks would not fit the
  // instruction cache. Z and C of a block use its buffer in turn.
  __device__ void store_runs(const CudaWork& work, const WgmmaSums<Config>& sums) const {
    with_approximate<Input>(p_.activation, [&](const auto& act) {
#pragma unroll 1
      for (int block = 0; block < Config::blocks; ++block) {
        const int part          = block % parts * 64;
        const std::int32_t row0 = row_of(work, block), column0 = work.column + part;
        float values[block_values];
        pick(sums, block, values);
        for_each(values, [&](int, int, float& value) { value *= p_.alpha; });
        if (p_.bias.data != nullptr) for_each(values, [&](int, int j, float& value) { value += bias_[part + j]; });
        if (p_.Z.by != StoreBy::nobody) {
          store_run<false>(p_.Z, Z_map_, block, row0, column0, values);
          wait_for_buffer();
        }
        for_each(values, [&](int, int, float& value) { act(value); });
        store_run<false>(p_.C, C_map_, block, row0, column0, values);
      }
    });
  }

  // Until the last store has read its buffer.
  __device__ void wait_for_buffer() const {
    if (thread_ == 0) ptx::wait_stores_read<0>();
    wait_for_warpgroup();
  }

  // Any epilogue, a block after the other.
  __device__ void store_blocks(const CudaWork& work, const WgmmaSums<Config>& sums) const {
#pragma unroll 1
    for (int block = 0; block < Config::blocks; ++block) {
      float values[block_values];
      pick(sums, block, values);
      store_block(work, block, values);
    }
  }

  // values = the sums of a block. Sums stay in their registers, so that every block needs code of its own.
  __device__ static void pick(const WgmmaSums<Config>& sums, int block, float (&values)[block_values]) {
#pragma unroll
    for (int b = 0; b < Config::blocks; ++b) {
      if (block != b) continue;
#pragma unroll
      for (int e = 0; e < block_values; ++e) values[e] = sums[b / parts][b % parts * block_values + e];
    }
  }

  __device__ void wait_for_warpgroup() const { ptx::named_barrier(1 + consumer_, Config::warpgroup); }

  // Calls function(row in the block, column in the block, value) for every value that this thread has of a block.
  template <class Function>
  __device__ void for_each(float (&values)[block_values], const Function& function) const {
    const int row = thread_ / 32 * 16 + thread_ % 32 / 4, column = thread_ % 4 * 2;
#pragma unroll
    for (int e = 0; e < block_values; ++e) function(row + (e % 4 >= 2 ? 8 : 0), column + e / 4 * 8 + e % 2, values[e]);
  }

  // The same for neighbours in a row: function(row, column of the first, first, second).
  template <class Function>
  __device__ void for_each_pair(const float (&values)[block_values], const Function& function) const {
    const int row = thread_ / 32 * 16 + thread_ % 32 / 4, column = thread_ % 4 * 2;
#pragma unroll
    for (int e = 0; e < block_values; e += 2)
      function(row + (e % 4 >= 2 ? 8 : 0), column + e / 4 * 8, values[e], values[e + 1]);
  }

  __device__ void store_block(const CudaWork& work, int block, float (&values)[block_values]) const {
    const int part          = block % parts * 64;
    const std::int32_t row0 = row_of(work, block), column0 = work.column + part;
    if (p_.partial_sums != nullptr) return store_partial_sums(work, row0, column0, values);
    for_each(values, [&](int, int, float& value) { value *= p_.alpha; });
    if (p_.beta != 0) {
      for_each(values, [&](int i, int j, float& value) {
        if (row0 + i < p_.m && column0 + j < p_.n) value += p_.beta * load<float>(p_.C.matrix, row0 + i, column0 + j);
      });
    }
    if (p_.bias.data != nullptr) for_each(values, [&](int, int j, float& value) { value += bias_[part + j]; });
    if (p_.Z.by != StoreBy::nobody) {
      store_to(p_.Z, Z_map_, block, row0, column0, values);
      wait_for_buffer();
    }
    activate<Input>(p_.activation, p_.C.matrix.element,
                    [&](const auto& act) { for_each(values, [&](int, int, float& value) { act(value); }); });
    store_to(p_.C, C_map_, block, row0, column0, values);
  }

  // The same for float results, which threads store.
  __device__ void store_partial_sums(const CudaWork& work, std::int32_t row0, std::int32_t column0,
                                     float (&values)[block_values]) const {
    float* const slice = p_.partial_sums + static_cast<std::int64_t>(work.split) * p_.m * p_.n;
    const CudaOutput output{{slice, Element::f32, p_.n, 1}, p_.n % 2 == 0 ? StoreBy::pairs : StoreBy::threads};
    store_by_threads(output, row0, column0, values);
  }

  __device__ void store_by_threads(const CudaOutput& output, std::int32_t row0, std::int32_t column0,
                                   float (&values)[block_values]) const {
    const bool pairs = output.by == StoreBy::pairs;
    for_each_pair(values, [&](int i, int j, float first, float second) {
      const std::int32_t row = row0 + i, column = column0 + j;
      if (row >= p_.m || column >= p_.n) return;
      if (pairs && column + 1 < p_.n) return store_pair(output.matrix, row, column, first, second);
      Impl::store(output.matrix, row, column, first);
      if (column + 1 < p_.n) Impl::store(output.matrix, row, column + 1, second);
    });
  }

  // A warp has 16 rows of a block, which it stores itself. Where lines are columns, blocks of 8 x 8 are transposed
  // before, and each warp stores a quarter of the columns when all have written to the buffer.
  template <bool by_columns>
  __device__ void store_unaligned(const CudaOutput& output, int block, std::int32_t row0, std::int32_t column0,
                                  const float (&values)[block_values]) const {
    using Lines         = UnalignedLines<2, 64>;
    const int warp_line = thread_ / 32 * 16, lane = thread_ % 32;
    const Lines lines(static_cast<char*>(__cvta_shared_to_generic(buffer(block))),
                      memory_lines<std::uint16_t>(output, p_.m, p_.n, row0, column0));
#pragma unroll
    for (int c = 0; c < 8; ++c)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float* const pair  = values + 4 * c + 2 * half;
        const std::uint32_t word = rounded<false>(Input(), pair[0], pair[1]);
        const int row = warp_line + half * 8, column = c * 8;
        lines.put(by_columns ? column : row, lane / 4, by_columns ? row : column, lane % 4,
                  by_columns ? ptx::transposed_matrix(word) : word);
      }
    if constexpr (by_columns) {
      wait_for_warpgroup();
    } else {
      __syncwarp();
    }
    lines.template store<16>(warp_line, lane);
  }

  __device__ void store_to(const CudaOutput& output, const CUtensorMap& map, int block, std::int32_t row0,
                           std::int32_t column0, float (&values)[block_values]) const {
    if constexpr (Config::has_buffers) {
      if (output.goes_by_scratch() && element_bytes(output.matrix.element) == 2)
        return output.by == StoreBy::unaligned_rows ? store_unaligned<false>(output, block, row0, column0, values)
                                                    : store_unaligned<true>(output, block, row0, column0, values);
    }
    if (!output.is_by_runs()) return store_by_threads(output, row0, column0, values);
    store_run<false>(output, map, block, row0, column0, values);
  }

  // A block by way of its buffer.
  template <bool relu>
  __device__ void store_run(const CudaOutput& output, const CUtensorMap& map, int block, std::int32_t row0,
                            std::int32_t column0, const float (&values)[block_values]) const {
    if (output.by == StoreBy::rows) {
      to_buffer<relu, false>(block, values);
    } else {
      to_buffer<relu, true>(block, values);
    }
    store_buffer(output, map, block, row0, column0);
  }

  // TMA stores a buffer, when all have written to it, as the block that begins at (row0, column0).
  __device__ void store_buffer(const CudaOutput& output, const CUtensorMap& map, int block, std::int32_t row0,
                               std::int32_t column0) const {
    ptx::shared_to_tma_fence();
    wait_for_warpgroup();
    if (thread_ != 0) return;
    const bool rows = output.by == StoreBy::rows;
    ptx::store_box(map, buffer(block), rows ? column0 : row0, rows ? row0 : column0);
    ptx::commit_stores();
  }

  __device__ std::uint32_t buffer(int block) const { return buffers_ + block * Config::block_bytes; }

  // Writes a block, rounded, to its buffer, in lines of 128 bytes with the 128-byte swizzle.
  template <bool relu, bool transposed>
  __device__ void to_buffer(int block, const float (&values)[block_values]) const {
    // Among the four matrices of a stmatrix, bit 0 chooses between rows 0 to 7 and 8 to 15, bit 1 between columns.
    const int warp = thread_ / 32, lane_row = thread_ % 8, low = thread_ / 8 % 2, high = thread_ / 16 % 2;
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {  // of matrices side by side
      const float* v                  = values + 8 * pair;
      const std::uint32_t fragments[] = {rounded<relu>(Input(), v[0], v[1]), rounded<relu>(Input(), v[2], v[3]),
                                         rounded<relu>(Input(), v[4], v[5]), rounded<relu>(Input(), v[6], v[7])};
      if constexpr (transposed) {
        const int line = (2 * pair + high) * 8 + lane_row, eighth = 2 * warp + low;
        ptx::store_matrices_transposed(buffer(block) + line * 128 + ((eighth ^ lane_row) << 4), fragments);
      } else {
        const int line = warp * 16 + low * 8 + lane_row, eighth = 2 * pair + high;
        ptx::store_matrices(buffer(block) + line * 128 + ((eighth ^ lane_row) << 4), fragments);
      }
    }
  }

  const WgmmaEpilogueParameters<Activation>& p_;
  const CUtensorMap &C_map_, &Z_map_;
  std::uint32_t buffers_;
  float* bias_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
