// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_FETCH_CUH
#define TEGULA_ASYNC_FETCH_CUH

#include <algorithm>
#include <bit>

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_AsyncLayout.hpp"
#include "Tegula_AsyncOperand.hpp"

/// The threads of a team bring tiles of an operand to scratch, one tile for each step of depth. Elements outside the
/// operand become zero.

namespace Tegula::Impl {

/// Where a tile begins, and where the team's part of the inner dimension ends.
struct AsyncOrigin {
  std::int32_t line, depth, depth_end;
};

/// Copies units of UnitBytes, chunks, words or single elements, and does not wait for them. Single elements may have
/// any stride and address that cp.async takes. Enough threads stand side by side to copy 128 bytes of a row, fewer if
/// the row is shorter, more if there are too few rows. Each pass moves them along the rows and, at the end of a row, to
/// the next rows.
template <class Config, Major major, int Lines, int UnitBytes = chunk_bytes>
class AsyncFetch {
  using Element                       = typename Config::element;
  using Layout                        = AsyncLayout<Element, major, Lines, Config::tile_k>;
  static constexpr bool by_depth      = major == Major::depth;
  static constexpr int rows           = by_depth ? Lines : Config::tile_k;
  static constexpr int unit_elements  = UnitBytes / int(sizeof(Element));
  static constexpr int row_units      = Layout::row_bytes / UnitBytes;
  static constexpr int piece_units    = std::max(std::min(row_units, 128 / UnitBytes), Config::threads / rows);
  static constexpr int piece_elements = piece_units * unit_elements, piece_bytes = piece_units * UnitBytes;
  static constexpr int pieces    = row_units / piece_units;
  static constexpr int pass_rows = Config::threads / piece_units;
  static_assert(UnitBytes == chunk_bytes || UnitBytes == word_bytes || unit_elements == 1, "what cp.async copies");
  static_assert(std::has_single_bit(unsigned(pass_rows)) && (pieces == 1 || piece_bytes % 128 == 0) &&
                    pieces * piece_units == row_units,
                "to() adds what a pass changes, or xors it");

 public:
  static constexpr int passes = Lines * Config::tile_k / unit_elements / Config::threads;

  __device__ AsyncFetch(const AsyncOperand& operand, int thread, const AsyncOrigin& origin)
      : rows_stride_(pass_rows * (by_depth ? operand.line_stride : operand.depth_stride)),
        piece_stride_(piece_elements * fast_stride(operand)),
        step_stride_(Config::tile_k * (by_depth ? fast_stride(operand) : operand.depth_stride)) {
    const int row = thread / piece_units, unit = thread % piece_units;
    const int line = by_depth ? row : unit * unit_elements, depth = by_depth ? unit * unit_elements : row;
    from_ = static_cast<const Element*>(operand.data) + (origin.line + line) * operand.line_stride +
            (origin.depth + depth) * operand.depth_stride;
    lines_left_ = operand.lines - origin.line - line;
    depth_left_ = origin.depth_end - origin.depth - depth;
    offset_     = ptx::kept(Layout::offset(row, unit * UnitBytes / chunk_bytes) + unit * UnitBytes % chunk_bytes);
  }

  /// Steps whose tile lies within the operand, whole.
  static __device__ int whole_steps(const AsyncOperand& operand, const AsyncOrigin& origin) {
    return origin.line + Lines <= operand.lines ? (origin.depth_end - origin.depth) / Config::tile_k : 0;
  }

  /// One of the `passes` copies that bring the next tile, which is whole.
  __device__ void copy(std::uint32_t tile, int pass) const { ptx::copy_unit<UnitBytes>(to(tile, pass), from(pass)); }
  /// Moves on to the tile behind it.
  __device__ void go_on() {
    from_ += step_stride_;
    depth_left_ -= Config::tile_k;
  }

  /// Fetches the next tile, of which a part may lie outside the operand.
  __device__ void copy_part(std::uint32_t tile, int pass) const {
    const std::int32_t fast = by_depth ? depth_left_ : lines_left_, slow = by_depth ? lines_left_ : depth_left_;
    const std::int32_t left = pass / pieces * pass_rows < slow ? fast - pass % pieces * piece_elements : 0;
    const int elements      = left < 0 ? 0 : left < unit_elements ? left : unit_elements;
    ptx::copy_part_of_unit<UnitBytes>(to(tile, pass), from(pass), int(sizeof(Element)) * elements);
  }

  /// The same. The loop is not unrolled: this is rare.
  __device__ void fetch(std::uint32_t tile) {
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) copy_part(tile, pass);
    go_on();
  }

 private:
  static __device__ std::int64_t fast_stride(const AsyncOperand& operand) {
    return unit_elements > 1 ? 1 : by_depth ? operand.depth_stride : operand.line_stride;
  }

  // Rows that a pass adds are swizzled by themselves: they change other bits of a row's number than the thread's rows
  // have, and a swizzle is some of these bits.
  __device__ std::uint32_t to(std::uint32_t tile, int pass) const {
    const int rows = pass / pieces * pass_rows;
    return tile + (offset_ ^ Layout::swizzle(rows) * chunk_bytes) + rows * Layout::row_bytes +
           pass % pieces * piece_bytes;
  }
  __device__ const Element* from(int pass) const {
    return from_ + pass / pieces * rows_stride_ + pass % pieces * piece_stride_;
  }

  const Element* from_;  // the thread's first unit of the next tile
  std::int64_t rows_stride_, piece_stride_, step_stride_;
  std::int32_t lines_left_, depth_left_;  // of the operand, from there on
  int offset_;
};

}  // namespace Tegula::Impl

#endif
