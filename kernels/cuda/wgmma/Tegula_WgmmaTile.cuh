// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_TILE_CUH
#define TEGULA_WGMMA_TILE_CUH

#include <algorithm>

#include "../Tegula_ApproximateActivation.cuh"
#include "Tegula_WgmmaBias.cuh"
#include "Tegula_WgmmaBuffers.cuh"
#include "Tegula_WgmmaMainloop.cuh"

/// Where a consumer's blocks of 64 x 64 results go, and by which buffers.

namespace Tegula::Impl {

/// A consumer's part of a tile, as epilogues see it; `thread` is the number within the consumer. `Products` share the
/// launch.
template <class ConfigType, class InputType, WgmmaEpilogueKind of_kind, class Activation, int Products>
struct WgmmaTile {
  using Config     = ConfigType;
  using Input      = InputType;
  using Parameters = WgmmaEpilogueParameters<Activation>;
  using Block      = WgmmaBlock<Input>;
  using Values     = float[Block::values];

  static constexpr WgmmaEpilogueKind kind = of_kind;
  static constexpr bool is_own            = Parameters::is_own;
  // Products that share a launch are computed as they are: their kernels are the longest.
  static constexpr bool computes_transposes = Config::overlaps && Products == 1;
  static constexpr int parts = Config::column_blocks, blocks = Config::blocks;

  using Bias = WgmmaBias<Config, Input, Parameters, computes_transposes>;

  // Blocks for which TMA is told once that they have been written: until all memory knows that takes half as long as a
  // block. More of them would be stored late, when the kernel ends.
  static constexpr int blocks_at_once = 2;

  __device__ WgmmaTile(const WgmmaProduct<Activation>& product, char* scratch, int consumer_, int thread_)
      : p(product.epilogue),
        maps(product.results),
        buffers(ptx::shared_address(scratch), consumer_, thread_),
        block_of_thread(thread_),
        shared(reinterpret_cast<float*>(scratch + Config::bias_at) + consumer_ * Config::row_floats),
        bias(product.epilogue, shared, thread_),
        consumer(consumer_),
        thread(thread_) {}

  __device__ bool has_Z() const { return p.Z.by != StoreBy::nobody; }
  // Kernels that take none do not ask.
  __device__ bool is_slice(const CudaWork& work) const { return takes_all_runs<kind> && p.is_slice(work); }

  __device__ std::int32_t row_of(const CudaWork& work, int block) const {
    const int first_block = Config::takes_turns ? 0 : consumer * Config::row_blocks;
    return work.row + (first_block + block / parts) * 64;
  }
  __device__ static constexpr int column_in_tile(int block) {
    const int column = block % parts * 64, last = Config::tile_n - 64;
    return column < last ? column : last;
  }
  __device__ static std::int32_t column_of(const CudaWork& work, int block) {
    return work.column + column_in_tile(block);
  }
  // Of a thread, which has four sums in every 8 columns.
  __device__ static constexpr int first_sum(int block) { return column_in_tile(block) / 2; }

  __device__ typename Bias::OfBlock bias_of(int block) const {
    return bias.of_block(block / parts * 64, column_in_tile(block));
  }

  // Until so many boxes may be written. All of them are free when a tile is stored. Who takes boxes ends a group of
  // stores, and none takes more than `most`.
  __device__ void wait_for_boxes(int box, int boxes) const {
    if (box + boxes <= Config::buffers) return;
    const int most = max(boxes_of(p.C.matrix), has_Z() ? boxes_of(p.Z.matrix) : 1);
    buffers.wait_until_read(Config::buffers / most - 1);
  }

  // Writes a block to a box, or of floats to two.
  template <bool relu>
  __device__ void put(const CudaOutput& output, int box, const Values& values) const {
    const std::uint32_t at = buffers.box(box);
    output.by == StoreBy::rows ? block_of_thread.template put<relu, false>(at, values)
                               : block_of_thread.template put<relu, true>(at, values);
  }
  __device__ void put_any(const CudaOutput& output, int box, const Values& values) const {
    element_bytes(output.matrix.element) == 4 ? put_floats(output, box, values) : put<false>(output, box, values);
  }
  __device__ void put_floats(const CudaOutput& output, int box, const Values& values) const {
    const std::uint32_t first = buffers.box(box), second = buffers.box(box + 1);
    output.by == StoreBy::rows ? block_of_thread.template put_floats<false>(first, second, values)
                               : block_of_thread.template put_floats<true>(first, second, values);
  }

  // TMA stores blocks of C, so many at a time: a block has been written to `box`, and those before it that belong to it
  // to the boxes before.
  __device__ void store_written(const CudaWork& work, int block, int box, int at_once) const {
    const int before = block % at_once;
    if (before + 1 < at_once && block + 1 < blocks) return;
    buffers.wait_until_written();
    if (thread != 0) return;
    for (int b = before; b >= 0; --b)
      buffers.begin_store(p.C, maps.C, box - b, row_of(work, block - b), column_of(work, block - b));
    ptx::commit_stores();
  }

  // Calls function(value) for all values, or function(value, next) for pairs of them, if it takes two. Not beside the
  // multiplication of another tile, where the longer chains of pairs cost more than they save: measured.
  template <class Function>
  __device__ static void for_each(Values& values, const Function& function) {
#pragma unroll
    for (int e = 0; e < Block::values; e += 2) {
      if constexpr (!Config::takes_turns && requires { function(values[e], values[e + 1]); }) {
        function(values[e], values[e + 1]);
      } else {
        function(values[e]);
        function(values[e + 1]);
      }
    }
  }

  const Parameters& p;
  const WgmmaResultMaps& maps;
  WgmmaBuffers<Config> buffers;
  Block block_of_thread;
  float* shared;  // of the consumer: bias, or sums of columns
  Bias bias;
  int consumer, thread;
};

}  // namespace Tegula::Impl

#endif
