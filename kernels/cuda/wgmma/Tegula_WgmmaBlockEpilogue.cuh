// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_BLOCK_EPILOGUE_CUH
#define TEGULA_WGMMA_BLOCK_EPILOGUE_CUH

#include "../Tegula_UnalignedLines.hpp"
#include "../ptx/Tegula_PtxAnew.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "Tegula_WgmmaFetched.cuh"

namespace Tegula::Impl {

/// Any epilogue, a block after the other. Loops are not unrolled: the instructions of all blocks would not fit the
/// instruction cache.
template <class Tile>
class WgmmaBlockEpilogue {
  using Config = typename Tile::Config;
  using Input  = typename Tile::Input;
  using Block  = typename Tile::Block;
  using Values = typename Tile::Values;
  using Sums   = WgmmaSums<Config>;

 public:
  __device__ explicit WgmmaBlockEpilogue(const Tile& tile) : t_(tile), p_(tile.p), fetched_(tile) {}

  /// Results that depend on nothing but sums and bias.
  __device__ void store_of_sums(const CudaWork& work, const Sums& sums) const {
    const bool has_Z = t_.has_Z();
    const int boxes = boxes_of(p_.C.matrix), at_once = has_Z || boxes > 1 ? 1 : Tile::blocks_at_once;
    int box = 0;
#pragma unroll 1
    for (int block = 0; block < Tile::blocks; ++block) {
      Values values;
      form_Z(work, sums, block, has_Z, box, values);
      apply_activation_of_sums(boxes > 1, values);
      t_.wait_for_boxes(box, boxes);
      t_.put_any(p_.C, box, values);
      t_.store_written(work, block, box, at_once);
      box += boxes;
    }
  }

  /// C = act(Z), Z = alpha sum + bias, in 16 bits, with this act; perhaps Z is stored, too.
  template <class Activation>
  __device__ void store_activated(const CudaWork& work, const Sums& sums) const {
    const bool has_Z = t_.has_Z();
    with_approximate_of<Activation, Input>(p_.activation, [&](const auto& act) {
      int box = 0;
#pragma unroll 1
      for (int block = 0; block < Tile::blocks; ++block) {
        Values values;
        form_Z(work, sums, block, has_Z, box, values);
        if (has_Z) t_.wait_for_boxes(box, 1);
        Tile::for_each(values, act);
        t_.template put<false>(p_.C, box, values);
        t_.store_written(work, block, box++, has_Z ? 1 : Tile::blocks_at_once);
      }
    });
  }

  /// dZ = alpha sum act'(saved) of a layer below in 16 bits, and the sums of its columns.
  __device__ void store_slopes(const CudaWork& work, const Sums& sums, std::uint32_t& phases) const {
    const OutputSlope<float> slope{false, p_.slope.is_curved, ptx::anew(p_.slope.number)};
    const auto store = [&](const auto& multiply) {
#pragma unroll 1
      for (int block = 0; block < Tile::blocks; ++block) {
        Values values;
        pick(sums, block, p_.alpha, values);
        multiply(block, values);
        if (p_.column_sums != nullptr) store_column_sums(t_, work, block, values);
        t_.template put<false>(p_.C, block, values);
        t_.store_written(work, block, block, 1);  // warps meet before they sum again
      }
    };
    const auto store_by = [&](const auto& act) {
      store([&](int block, Values& values) {
        fetched_.template apply<true>(block, values, phases, [&](float value, float y) { return value * act(y); });
      });
    };
    if (p_.slope.is_relu()) return store([&](int block, Values& v) { fetched_.apply_relu(block, v, phases); });
    slope.is_curved ? store_by([&](float y) { return slope.curve(y); })
                    : store_by([&](float y) { return slope.step(y); });
  }

  /// Any other. What holds for the whole tile is asked before the loop, since tensor cores wait until the last block is
  /// written.
  __device__ void store_any(const CudaWork& work, const Sums& sums, std::uint32_t& phases) const {
    const bool slices = t_.is_slice(work), has_Z = t_.has_Z();
    int box = 0;
#pragma unroll 1
    for (int block = 0; block < Tile::blocks; ++block) {
      const std::int32_t row = t_.row_of(work, block), column = t_.column_of(work, block);
      Values values;
      pick(sums, block, slices ? 1 : p_.alpha, values);
      if (slices) {
        store_partial_sums(work.split, row, column, values);
        continue;
      }
      read_before(row, column, box, values, phases);
      t_.bias.add(1, t_.bias_of(block), values);
      if (has_Z) store_anywhere(p_.Z, t_.maps.Z, box, row, column, values);
      apply_activation(values);
      if constexpr (fetches)
        if (p_.column_sums != nullptr) store_column_sums(t_, work, block, values);
      store_anywhere(p_.C, t_.maps.C, box, row, column, values);
      if constexpr (fetches)
        if (t_.thread == 0 && p_.fetches()) fetched_.go_on(work, block);
      __syncwarp();
    }
  }

 private:
  // Tiles that overlap have nothing to fetch, and no layer below.
  static constexpr bool fetches = !Config::overlaps;

  // values = the sums of a block, or factor times these. Sums stay in their registers, so that every block needs code
  // of its own, which the empty statement keeps behind a branch: to select among all sums takes as many instructions
  // for each block. Nor should all sums be multiplied before the loop, which would take as many registers again: the
  // factor is another one in every block.
  __device__ static void pick(const Sums& sums, int block, Values& values) {
    pick(sums, block, values, [](float sum) { return sum; });
  }
  __device__ static void pick(const Sums& sums, int block, float factor, Values& values) {
    factor = ptx::anew(factor);
    pick(sums, block, values, [&](float sum) { return factor * sum; });
  }
  template <class Function>
  __device__ static void pick(const Sums& sums, int block, Values& values, const Function& function) {
#pragma unroll
    for (int b = 0; b < Tile::blocks; ++b) {
      if (block != b) continue;
      asm volatile("");
#pragma unroll
      for (int e = 0; e < Block::values; ++e) values[e] = function(sums[b / Tile::parts][Tile::first_sum(b) + e]);
    }
  }

  // Z = alpha sum + bias of a block, which is stored if it is wanted.
  __device__ void form_Z(const CudaWork& work, const Sums& sums, int block, bool is_stored, int& box,
                         Values& values) const {
    pick(sums, block, values);
    t_.bias.add(p_.alpha, t_.bias_of(block), values);
    if (!is_stored) return;
    t_.wait_for_boxes(box, boxes_of(p_.Z.matrix));
    store_boxes(p_.Z, t_.maps.Z, box, t_.row_of(work, block), t_.column_of(work, block), values);
  }

  // What the result depends on besides sums: TMA has fetched it, or threads load it.
  __device__ void read_before(std::int32_t row0, std::int32_t column0, int box, Values& values,
                              std::uint32_t& phases) const {
    if constexpr (fetches)
      if (p_.fetches()) return fetched_.apply(box, values, phases);
    if constexpr (Tile::kind == WgmmaEpilogueKind::any) {
      if (p_.beta == 0) return;
      t_.block_of_thread.for_each(values, [&](int i, int j, float& value) {
        if (row0 + i < p_.m && column0 + j < p_.n) value += p_.beta * load<float>(p_.C.matrix, row0 + i, column0 + j);
      });
    }
  }

  __device__ void apply_activation(Values& values) const {
    activate<Input>(p_.activation, p_.C.matrix.element, [&](const auto& act) { Tile::for_each(values, act); });
  }

  // The same where floats have none of Tegula's activations but a plain one (WgmmaEpilogueKind::of_sums).
  __device__ void apply_activation_of_sums(bool is_float, Values& values) const {
    const auto apply = [&](const auto& act) { Tile::for_each(values, act); };
    if constexpr (Tile::is_own) {
      apply_activation(values);
    } else if (is_float) {
      if (is_activation<Relu>(p_.activation)) with_approximate_of<Relu, float>(p_.activation, apply);
    } else {
      with_approximate<Input>(p_.activation, apply);
    }
  }

  // Slices of sums, which threads store. Places in them are counted from where the result begins, of which they may
  // lack the first rows or columns.
  __device__ void store_partial_sums(std::int32_t split, std::int32_t row0, std::int32_t column0,
                                     const Values& values) const {
    const std::int64_t rows = p_.slice_rows, columns = p_.slice_columns;
    if constexpr (Tile::computes_transposes) {
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
    t_.block_of_thread.for_each_pair(values, [&](int i, int j, float first, float second) {
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
    const int warp_line = t_.thread / 32 * 16, lane = t_.thread % 32;
    const Lines lines(static_cast<char*>(__cvta_shared_to_generic(t_.buffers.box(box))),
                      memory_lines<std::uint16_t>(output, p_.m, p_.n, row0, column0));
    const auto put = [&](int e, int row, int column) {
      const std::uint32_t word = rounded<false>(Input(), values[e], values[e + 1]);
      by_columns ? lines.put(column, lane / 4, row, lane % 4, ptx::transposed_matrix(word))
                 : lines.put(row, lane / 4, column, lane % 4, word);
    };
#pragma unroll
    for (int e = 0; e < Block::values; e += 2) put(e, warp_line + e % 4 / 2 * 8, e / 4 * 8);
    by_columns ? t_.buffers.wait_for_warpgroup() : __syncwarp();
    lines.template store<16>(warp_line, lane);
    t_.buffers.done_with_box();
  }

  // A block, by boxes from `box` on, which then is the next one's, or by threads.
  __device__ void store_anywhere(const CudaOutput& output, const CUtensorMap& map, int& box, std::int32_t row0,
                                 std::int32_t column0, const Values& values) const {
    if constexpr (Tile::kind == WgmmaEpilogueKind::any) {
      if (output.goes_by_scratch() && element_bytes(output.matrix.element) == 2) {
        t_.wait_for_boxes(box, 1);
        return store_unaligned(output, box++, row0, column0, values);
      }
      if (!output.is_by_runs()) return store_by_threads(output, row0, column0, values);
    }
    if (!p_.fetches()) t_.wait_for_boxes(box, boxes_of(output.matrix));
    store_boxes(output, map, box, row0, column0, values);
  }
  __device__ void store_boxes(const CudaOutput& output, const CUtensorMap& map, int& box, std::int32_t row0,
                              std::int32_t column0, const Values& values) const {
    t_.put_any(output, box, values);
    t_.buffers.store(output, map, box, row0, column0);
    box += boxes_of(output.matrix);
  }

  const Tile& t_;
  const typename Tile::Parameters& p_;
  WgmmaFetched<Tile> fetched_;
};

}  // namespace Tegula::Impl

#endif
