// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_EPILOGUE_CUH
#define TEGULA_WGMMA_EPILOGUE_CUH

#include <algorithm>

#include "../Tegula_ApproximateActivation.cuh"
#include "../Tegula_UnalignedLines.hpp"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "Tegula_WgmmaArguments.cuh"
#include "Tegula_WgmmaBuffers.cuh"
#include "Tegula_WgmmaMainloop.cuh"

/// The sums of a consumer go to memory, a block of 64 x 64 at a time.

namespace Tegula::Impl {

/// The epilogue of one consumer warpgroup; `thread` is the number within it. What is fetched for it is read while the
/// tile is multiplied: a block of C, or of what the layer below saved, lies in the buffer that gets the result.
template <class Config, class Input, WgmmaEpilogueKind kind, class Activation = ActivationChoice>
class WgmmaEpilogue {
  using Block  = WgmmaBlock<Input>;
  using Values = float[Block::values];

 public:
  __device__ WgmmaEpilogue(const WgmmaProduct<Activation>& product, char* scratch, int consumer, int thread)
      : p_(product.epilogue),
        maps_(product.results),
        buffers_(ptx::shared_address(scratch), consumer, thread),
        block_(thread),
        bias_(reinterpret_cast<float*>(scratch + Config::bias_at) + consumer * Config::row_floats),
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
    if (!adds_bias(work)) return bias;
#pragma unroll
    for (int e = 0; e < Bias::count; ++e) {
      const std::int32_t at = thread_ + e * Config::warpgroup;
      if (bias_lies_along_rows()) {
        const std::int32_t row = row_of(work, 0) + at;
        if (at < Config::row_blocks * 64 && row < p_.m) bias.bits[e] = load_bits(p_.bias, row);
      } else if (at < Config::tile_n && work.column + at < p_.n) {
        bias.bits[e] = load_bits(p_.bias, work.column + at);
      }
    }
    return bias;
  }

  /// Begins to fetch what the tile's epilogue reads, as far as there are buffers, when these have been stored.
  __device__ void fetch(const CudaWork& work) const {
    if constexpr (kind != WgmmaEpilogueKind::plain) {
      if (thread_ != 0 || !p_.fetches() || is_slice(work)) return;
      for (int block = 0; block < min(blocks, fetched_at_once()); ++block) fetch_block(work, block, 0);
    }
  }

  /// What store() needs besides sums, to be done while tensor cores still add them.
  __device__ void prepare(const CudaWork& work, const Bias& bias) const {
    // The buffers have been read, and so has the bias of the last tile.
    buffers_.wait_until_read(0);
    if (!adds_bias(work)) return;
    share(bias);
    buffers_.wait_for_warpgroup();
  }

  /// Stores the sums of a tile. `phases` is that of WgmmaBuffers, of the consumer.
  __device__ void store(const CudaWork& work, const WgmmaSums<Config>& sums, std::uint32_t& phases) const {
    // Of two products of a kernel one may need more than the other.
    using Kind        = WgmmaEpilogueKind;
    const Kind needed = kind == Kind::plain ? kind : is_slice(work) ? Kind::runs : p_.needed;
    if (!WgmmaEpilogueParameters<Activation>::is_own && needed == Kind::plain)
      return is_activation<Relu>(p_.activation) ? store_plain<true>(work, sums) : store_plain<false>(work, sums);
    if constexpr (kind == Kind::runs)
      if (needed == Kind::of_sums) return store_of_sums(work, sums);
    if constexpr (kind != Kind::plain) store_blocks(work, sums, phases);
  }

 private:
  // Plain kernels have none, and do not ask.
  __device__ bool is_slice(const CudaWork& work) const { return kind != WgmmaEpilogueKind::plain && p_.is_slice(work); }
  __device__ bool adds_bias(const CudaWork& work) const { return p_.bias.data != nullptr && !is_slice(work); }

  __device__ bool bias_lies_along_rows() const { return Config::overlaps && p_.is_transposed; }

  static constexpr int parts  = Config::column_blocks;
  static constexpr int blocks = Config::blocks;

  // Blocks for which TMA is told once that they have been written: until all memory knows that takes half as long as a
  // block. More of them would be stored late, when the kernel ends.
  static constexpr int blocks_at_once = 2;

  __device__ void share(const Bias& bias) const {
#pragma unroll
    for (int e = 0; e < Bias::count; ++e) {
      const int at = thread_ + e * Config::warpgroup;
      if (at < Config::row_floats) bias_[at] = from_bits(p_.bias.element, bias.bits[e]);
    }
  }

  __device__ std::int32_t row_of(const CudaWork& work, int block) const {
    const int first_block = Config::takes_turns ? 0 : consumer_ * Config::row_blocks;
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

  // values = the sums of a block. Sums stay in their registers, so that every block needs code of its own, which the
  // empty statement keeps behind a branch: to select among all sums takes as many instructions for each block.
  __device__ static void pick(const WgmmaSums<Config>& sums, int block, Values& values) {
#pragma unroll
    for (int b = 0; b < blocks; ++b) {
      if (block != b) continue;
      asm volatile("");
#pragma unroll
      for (int e = 0; e < Block::values; ++e) values[e] = sums[b / parts][first_sum(b) + e];
    }
  }

  // What a thread adds to its values of a block: -0, which changes nothing, where there is no bias.
  struct BlockBias {
    float of[Block::columns];
  };

  __device__ BlockBias bias_of(int block) const {
    BlockBias bias;
    if (p_.bias.data == nullptr) {
#pragma unroll
      for (float& b : bias.of) b = -0.0f;
    } else if (bias_lies_along_rows()) {
      block_.read_column(bias_ + block / parts * 64, bias.of);
    } else {
      block_.read_row(bias_ + column_in_tile(block), bias.of);
    }
    return bias;
  }

  // values = factor values + bias
  __device__ void add_bias(float factor, const BlockBias& bias, Values& values) const {
    const auto add = [&](const auto& number) {
#pragma unroll
      for (int e = 0; e < Block::values; ++e) values[e] = std::fma(factor, values[e], bias.of[number(e)]);
    };
    bias_lies_along_rows() && p_.bias.data != nullptr ? add([](int e) { return Block::row_number(e); })
                                                      : add([](int e) { return Block::column_number(e); });
  }

  // The bias of the next block is read before this one is written: nobody waits for it then.
  __device__ void read_next_bias(int block, BlockBias& bias) const {
    if (block + 1 < blocks) bias = bias_of(block + 1);
  }

  // The usual epilogue: while blocks are written to their buffers, TMA stores those before.
  template <bool relu>
  __device__ void store_plain(const CudaWork& work, const WgmmaSums<Config>& sums) const {
    BlockBias bias = bias_of(0);
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
      Values values;
#pragma unroll
      for (int e = 0; e < Block::values; ++e) values[e] = sums[block / parts][first_sum(block) + e];
      add_bias(p_.alpha, bias, values);
      read_next_bias(block, bias);
      put<relu>(p_.C, block, values);
      store_written(work, block, block, blocks_at_once);
    }
  }

  // TMA stores blocks of C, so many at a time: a block has been written to `box`, and those before it that belong to it
  // to the boxes before.
  __device__ void store_written(const CudaWork& work, int block, int box, int at_once) const {
    const int before = block % at_once;
    if (before + 1 < at_once && block + 1 < blocks) return;
    buffers_.wait_until_written();
    if (thread_ != 0) return;
    for (int b = before; b >= 0; --b)
      buffers_.begin_store(p_.C, maps_.C, box - b, row_of(work, block - b), column_of(work, block - b));
    ptx::commit_stores();
  }

  // Results that depend on nothing but sums and bias, a block after the other. The loop is not unrolled: the
  // instructions of all blocks would not fit the instruction cache.
  __device__ void store_of_sums(const CudaWork& work, const WgmmaSums<Config>& sums) const {
    const bool has_Z = p_.Z.by != StoreBy::nobody;
    const int boxes = boxes_of(p_.C.matrix), at_once = has_Z || boxes > 1 ? 1 : blocks_at_once;
    int box = 0;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      Values values;
      pick(sums, block, values);
      add_bias(p_.alpha, bias_of(block), values);
      if (has_Z) {
        wait_for_boxes(box, boxes_of(p_.Z.matrix));
        store_boxes(p_.Z, maps_.Z, box, row_of(work, block), column_of(work, block), values);
      }
      apply_activation_of_sums(boxes > 1, values);
      wait_for_boxes(box, boxes);
      put<false>(p_.C, box, values);
      store_written(work, block, box, at_once);
      box += boxes;
    }
  }

  // Any other, a block after the other. What holds for the whole tile is asked before the loop, since tensor cores wait
  // until the last block is written.
  __device__ void store_blocks(const CudaWork& work, const WgmmaSums<Config>& sums, std::uint32_t& phases) const {
    const bool slices = is_slice(work), has_Z = p_.Z.by != StoreBy::nobody;
    int box = 0;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      const std::int32_t row = row_of(work, block), column = column_of(work, block);
      Values values;
      pick(sums, block, values);
      if (slices) {
        store_partial_sums(work.split, row, column, values);
        continue;
      }
      block_.for_each(values, [&](int, int, float& value) { value *= p_.alpha; });
      read_before(row, column, box, values, phases);
      add_bias(1, bias_of(block), values);
      if (has_Z) store_anywhere(p_.Z, maps_.Z, box, row, column, values);
      apply_activation(values);
      if (p_.column_sums != nullptr) store_column_sums(row, column, values);
      store_anywhere(p_.C, maps_.C, box, row, column, values);
      if (thread_ == 0 && p_.fetches()) fetch_next(work, block);
      __syncwarp();
    }
  }

  // What the result depends on besides sums: TMA has fetched it, or threads load it.
  __device__ void read_before(std::int32_t row0, std::int32_t column0, int box, Values& values,
                              std::uint32_t& phases) const {
    if (p_.fetches()) return read_fetched(box, values, phases);
    if constexpr (kind == WgmmaEpilogueKind::any) {
      if (p_.beta == 0) return;
      block_.for_each(values, [&](int i, int j, float& value) {
        if (row0 + i < p_.m && column0 + j < p_.n) value += p_.beta * load<float>(p_.C.matrix, row0 + i, column0 + j);
      });
    }
  }

  __device__ void apply_activation(Values& values) const {
    activate<Input>(p_.activation, p_.C.matrix.element,
                    [&](const auto& act) { block_.for_each(values, [&](int, int, float& value) { act(value); }); });
  }

  // The same where floats have none of Tegula's activations but a plain one (WgmmaEpilogueKind::of_sums).
  __device__ void apply_activation_of_sums(bool is_float, Values& values) const {
    if constexpr (WgmmaEpilogueParameters<Activation>::is_own) {
      apply_activation(values);
    } else if (is_float) {
      if (is_activation<Relu>(p_.activation))
        block_.for_each(values, [&](int, int, float& value) { value = Relu()(ApproximateFloat<float>(value)).value; });
    } else {
      with_approximate<Input>(p_.activation, [&](const auto& act) {
        block_.for_each(values, [&](int, int, float& value) { act(value); });
      });
    }
  }

  // Slices of sums, which threads store. Places in them are counted from where the result begins, of which they may
  // lack the first rows or columns.
  __device__ void store_partial_sums(std::int32_t split, std::int32_t row0, std::int32_t column0,
                                     const Values& values) const {
    const std::int64_t rows = p_.slice_rows, columns = p_.slice_columns;
    if constexpr (Config::overlaps) {
      if (p_.is_transposed) {
        float* const slice = p_.partial_sums + (split * columns - (p_.n - columns)) * rows - (p_.m - rows);
        return store_by_threads({{slice, Element::f32, 1, rows}, StoreBy::threads}, row0, column0, values);
      }
    }
    float* const slice = p_.partial_sums + (split * rows - (p_.m - rows)) * columns - (p_.n - columns);
    const CudaOutput output{{slice, Element::f32, columns, 1}, columns % 2 == 0 ? StoreBy::pairs : StoreBy::threads};
    store_by_threads(output, row0, column0, values);
  }

  __device__ void store_by_threads(const CudaOutput& output, std::int32_t row0, std::int32_t column0,
                                   const Values& values) const {
    const bool pairs = output.by == StoreBy::pairs;
    block_.for_each_pair(values, [&](int i, int j, float first, float second) {
      const std::int32_t row = row0 + i, column = column0 + j;
      if (row >= p_.m || column >= p_.n) return;
      if (pairs && column + 1 < p_.n) return store_pair(output.matrix, row, column, first, second);
      Impl::store(output.matrix, row, column, first);
      if (column + 1 < p_.n) Impl::store(output.matrix, row, column + 1, second);
    });
  }

  // A warp has 16 rows of a block, which it stores itself. Where lines are columns, blocks of 8 x 8 are transposed
  // before, and each warp stores a quarter of the columns when all have written to the buffer.
  __device__ void store_unaligned(const CudaOutput& output, int box, std::int32_t row0, std::int32_t column0,
                                  const Values& values) const {
    using Lines           = UnalignedLines<2, 64>;
    const bool by_columns = output.by == StoreBy::unaligned_columns;
    const int warp_line = thread_ / 32 * 16, lane = thread_ % 32;
    const Lines lines(static_cast<char*>(__cvta_shared_to_generic(buffers_.box(box))),
                      memory_lines<std::uint16_t>(output, p_.m, p_.n, row0, column0));
    const auto put = [&](int e, int row, int column) {
      const std::uint32_t word = rounded<false>(Input(), values[e], values[e + 1]);
      by_columns ? lines.put(column, lane / 4, row, lane % 4, ptx::transposed_matrix(word))
                 : lines.put(row, lane / 4, column, lane % 4, word);
    };
#pragma unroll
    for (int e = 0; e < Block::values; e += 2) put(e, warp_line + e % 4 / 2 * 8, e / 4 * 8);
    by_columns ? buffers_.wait_for_warpgroup() : __syncwarp();
    lines.template store<16>(warp_line, lane);
    buffers_.done_with_box();
  }

  __device__ void store_anywhere(const CudaOutput& output, const CUtensorMap& map, int& box, std::int32_t row0,
                                 std::int32_t column0, const Values& values) const {
    if constexpr (kind == WgmmaEpilogueKind::any) {
      if (output.goes_by_scratch() && element_bytes(output.matrix.element) == 2) {
        wait_for_boxes(box, 1);
        return store_unaligned(output, box++, row0, column0, values);
      }
      if (!output.is_by_runs()) return store_by_threads(output, row0, column0, values);
    }
    store_to(output, map, box, row0, column0, values);
  }

  // A block by way of boxes from `box` on, which then is the next one's.
  __device__ void store_to(const CudaOutput& output, const CUtensorMap& map, int& box, std::int32_t row0,
                           std::int32_t column0, const Values& values) const {
    if (!p_.fetches()) wait_for_boxes(box, boxes_of(output.matrix));
    store_boxes(output, map, box, row0, column0, values);
  }
  __device__ void store_boxes(const CudaOutput& output, const CUtensorMap& map, int& box, std::int32_t row0,
                              std::int32_t column0, const Values& values) const {
    put<false>(output, box, values);
    buffers_.store(output, map, box, row0, column0);
    box += boxes_of(output.matrix);
  }

  // Until so many boxes may be written. All of them are free when a tile is stored. Who takes boxes ends a group of
  // stores, and none takes more than `most`.
  __device__ void wait_for_boxes(int box, int boxes) const {
    if (box + boxes <= Config::buffers) return;
    const int most = max(boxes_of(p_.C.matrix), p_.Z.by == StoreBy::nobody ? 1 : boxes_of(p_.Z.matrix));
    buffers_.wait_until_read(Config::buffers / most - 1);
  }

  template <bool relu>
  __device__ void put(const CudaOutput& output, int box, const Values& values) const {
    const bool by_rows        = output.by == StoreBy::rows;
    const std::uint32_t first = buffers_.box(box);
    if constexpr (kind != WgmmaEpilogueKind::plain) {
      if (element_bytes(output.matrix.element) == 4) {
        const std::uint32_t second = buffers_.box(box + 1);
        return by_rows ? block_.template put_floats<false>(first, second, values)
                       : block_.template put_floats<true>(first, second, values);
      }
    }
    by_rows ? block_.template put<relu, false>(first, values) : block_.template put<relu, true>(first, values);
  }

  // Of what was fetched.
  __device__ int fetched_at_once() const { return Config::buffers / boxes_of(p_.fetched.matrix); }

  // One thread does these two.
  __device__ void fetch_block(const CudaWork& work, int block, int pending) const {
    buffers_.fetch(p_.fetched, p_.slope.is_one ? maps_.C : maps_.saved, block * boxes_of(p_.fetched.matrix),
                   row_of(work, block), column_of(work, block), pending);
  }
  // A block has been stored, and perhaps it has not been read: the one before it has, and another takes its place.
  __device__ void fetch_next(const CudaWork& work, int block) const {
    const int pending = fetched_at_once() > 1 ? 1 : 0, next = block - pending + fetched_at_once();
    if (block >= pending && next < blocks) fetch_block(work, next, pending);
  }

  // values += beta C, or values *= act'(saved)
  __device__ void read_fetched(int box, Values& values, std::uint32_t& phases) const {
    buffers_.wait_until_fetched(box, phases);
#pragma unroll
    for (int from = 0; from < Block::values; from += Block::half) {
      float other[Block::half];
      get(box, from, other);
      const auto apply = [&](const auto& function) {
#pragma unroll
        for (int e = 0; e < Block::half; ++e) values[from + e] = function(values[from + e], other[e]);
      };
      if (p_.slope.is_one) {
        apply([&](float value, float c) { return value + p_.beta * c; });
      } else if (p_.slope.is_curved) {
        apply([&](float value, float y) { return value * p_.slope.curve(y); });
      } else {
        apply([&](float value, float y) { return value * p_.slope.step(y); });
      }
    }
    // Lines of both along one direction belong to one warp (WgmmaBlock); else others still read what this one writes
    // to.
    p_.fetched.by == p_.C.by ? __syncwarp() : buffers_.wait_for_warpgroup();
  }

  __device__ void get(int box, int from, float (&other)[Block::half]) const {
    const bool by_rows        = p_.fetched.by == StoreBy::rows;
    const std::uint32_t first = buffers_.box(box);
    if (element_bytes(p_.fetched.matrix.element) == 4) {
      const std::uint32_t second = buffers_.box(box + 1);
      return by_rows ? block_.template get_floats<false>(first, second, from, other)
                     : block_.template get_floats<true>(first, second, from, other);
    }
    by_rows ? block_.template get<false>(first, from, other) : block_.template get<true>(first, from, other);
  }

  // The sums of a block's columns are part of a row of p_.column_sums. Each warp has those of 16 rows. Three of them
  // hand theirs to the first, in the place of the bias, which no product with a layer below has. It is free again for
  // the next block: before that the warps meet once more, when this one goes to TMA.
  __device__ void store_column_sums(std::int32_t row0, std::int32_t column0, const Values& values) const {
    constexpr int warp_lanes = 32, warps = Config::warpgroup / warp_lanes;
    const int warp = thread_ / warp_lanes;
    block_.sum_columns(values, p_.m - row0, [&](int j, float sum, float next) {
      if (warp > 0) *reinterpret_cast<float2*>(bias_ + (warp - 1) * 64 + j) = {sum, next};
      buffers_.wait_for_warpgroup();
      if (warp > 0 || row0 >= p_.m) return;
#pragma unroll
      for (int other = 1; other < warps; ++other) {
        const auto more = *reinterpret_cast<const float2*>(bias_ + (other - 1) * 64 + j);
        sum += more.x, next += more.y;
      }
      const std::int32_t column = column0 + j;
      float* const to           = p_.column_sums + std::int64_t(row0 / rows_of_sums) * p_.n + column;
      if (column < p_.n) to[0] = sum;
      if (column + 1 < p_.n) to[1] = next;
    });
  }

  const WgmmaEpilogueParameters<Activation>& p_;
  const WgmmaResultMaps& maps_;
  WgmmaBuffers<Config> buffers_;
  Block block_;
  float* bias_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
