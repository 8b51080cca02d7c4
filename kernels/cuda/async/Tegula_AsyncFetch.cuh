// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_FETCH_CUH
#define TEGULA_ASYNC_FETCH_CUH

#include <algorithm>

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_AsyncLayout.hpp"
#include "Tegula_KokkosCompat.hpp"

/// How the threads of a team bring tiles of an operand to scratch, one tile for each step of depth. What lies outside
/// the operand becomes zero.

namespace Tegula::Impl {

/// An operand as lines x depth.
struct AsyncOperand {
  const void* data         = nullptr;
  std::int64_t line_stride = 0, depth_stride = 0;  // elements
  std::int32_t lines = 0;
  Major major        = Major::depth;  // the direction along which rows lie in scratch: that of the smaller stride
  bool whole_chunks  = false;         // its stride is 1, and 16 bytes are copied at once
};

/// Where a tile begins, and where its part of the inner dimension ends.
struct AsyncOrigin {
  std::int32_t line, depth, depth_end;
};

/// Copies and does not wait for it. Eight threads copy 128 bytes of a row, or fewer a shorter row, or more where there
/// are not rows enough; with every pass they go that far along the rows and, at their ends, on to the next rows.
/// Elements of an operand that does not lie in whole chunks are copied one by one, from strides and addresses of any
/// kind, if cp.async takes so few bytes.
template <class Config, Major major, int Lines>
class AsyncFetch {
  using Element                      = typename Config::element;
  using Layout                       = AsyncLayout<Element, major, Lines, Config::tile_k>;
  static constexpr bool by_depth     = major == Major::depth;
  static constexpr int rows          = by_depth ? Lines : Config::tile_k;
  static constexpr int row_chunks    = Layout::row_chunks;
  static constexpr int element_bytes = int(sizeof(Element)), chunk_elements = Layout::chunk_elements;
  static constexpr int piece_chunks = std::max(std::min(row_chunks, 8), Config::threads / rows);
  static constexpr int pieces       = row_chunks / piece_chunks;
  static constexpr int pass_rows    = Config::threads / piece_chunks;
  static_assert(pass_rows % 8 == 0 && pieces * piece_chunks == row_chunks, "the swizzle is the same in every pass");

 public:
  static constexpr int passes            = Lines * Config::tile_k / chunk_elements / Config::threads;
  static constexpr bool takes_any_stride = element_bytes >= 4;

  __device__ AsyncFetch(const AsyncOperand& operand, int thread, const AsyncOrigin& origin)
      : fast_stride_(by_depth ? operand.depth_stride : operand.line_stride),
        rows_stride_(pass_rows * (by_depth ? operand.line_stride : operand.depth_stride)),
        step_stride_(Config::tile_k * (by_depth && !takes_any_stride ? 1 : operand.depth_stride)),
        whole_chunks_(operand.whole_chunks) {
    const int row = thread / piece_chunks, chunk = thread % piece_chunks;
    const int line = by_depth ? row : chunk * chunk_elements, depth = by_depth ? chunk * chunk_elements : row;
    from_ = static_cast<const Element*>(operand.data) + (origin.line + line) * operand.line_stride +
            (origin.depth + depth) * operand.depth_stride;
    lines_left_ = operand.lines - origin.line - line;
    depth_left_ = origin.depth_end - origin.depth - depth;
    offset_     = ptx::kept(Layout::offset(row, chunk));
  }

  /// Steps of which the whole tile lies within the operand.
  static __device__ int whole_steps(const AsyncOperand& operand, const AsyncOrigin& origin) {
    return origin.line + Lines <= operand.lines ? (origin.depth_end - origin.depth) / Config::tile_k : 0;
  }

  /// The next tile is whole: one of the `passes` copies that bring it.
  __device__ void copy(std::uint32_t tile, int pass) const {
    if (in_chunks()) {
      ptx::copy_chunk(to(tile, pass), from(pass, 1));
    } else {
      copy_elements(tile, pass, chunk_elements);
    }
  }
  /// From there to the tile behind it.
  __device__ void go_on() {
    from_ += step_stride_;
    depth_left_ -= Config::tile_k;
  }

  /// Fetches the next tile, of which a part may lie outside. The loop stays a loop: this is rare.
  __device__ void fetch(std::uint32_t tile) {
    const std::int32_t fast = by_depth ? depth_left_ : lines_left_, slow = by_depth ? lines_left_ : depth_left_;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      const std::int32_t left = pass / pieces * pass_rows < slow ? fast - pass % pieces * piece_elements : 0;
      const int elements      = left < 0 ? 0 : left < chunk_elements ? left : chunk_elements;
      if (in_chunks()) {
        ptx::copy_part_of_chunk(to(tile, pass), from(pass, 1), element_bytes * elements);
      } else {
        copy_elements(tile, pass, elements);
      }
    }
    go_on();
  }

 private:
  static constexpr int piece_elements = piece_chunks * chunk_elements;

  __device__ bool in_chunks() const { return !takes_any_stride || whole_chunks_; }

  // The first `elements` of a chunk; the others become zero.
  __device__ void copy_elements(std::uint32_t tile, int pass, int elements) const {
    if constexpr (takes_any_stride) {
      const Element* element = from(pass, fast_stride_);
#pragma unroll
      for (int e = 0; e < chunk_elements; ++e, element += fast_stride_)
        ptx::copy_element<element_bytes>(to(tile, pass) + e * element_bytes, element, e < elements);
    }
  }

  __device__ std::uint32_t to(std::uint32_t tile, int pass) const {
    return tile + offset_ + pass / pieces * pass_rows * row_chunks * chunk_bytes +
           pass % pieces * piece_chunks * chunk_bytes;
  }
  __device__ const Element* from(int pass, std::int64_t fast_stride) const {
    return from_ + pass / pieces * rows_stride_ + pass % pieces * piece_elements * fast_stride;
  }

  const Element* from_;  // the thread's first chunk of the next tile
  std::int64_t fast_stride_, rows_stride_, step_stride_;
  std::int32_t lines_left_, depth_left_;  // of the operand from there on
  int offset_;
  bool whole_chunks_;
};

}  // namespace Tegula::Impl

#endif
