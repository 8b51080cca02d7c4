// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FETCH_CUH
#define TEGULA_MMA_FETCH_CUH

#include <algorithm>

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_KokkosCompat.hpp"
#include "Tegula_MmaLayout.hpp"

/// How the threads of a team bring tiles of an operand to scratch, one tile for each step of depth. What lies outside
/// the operand becomes zero.

namespace Tegula::Impl {

/// An operand as lines x depth.
struct MmaOperand {
  const std::uint16_t* data = nullptr;
  std::int64_t line_stride = 0, depth_stride = 0;  // elements
  std::int32_t lines = 0;
  Major major        = Major::depth;  // the direction whose stride is 1, if there is one
  bool whole_chunks  = false;         // it lies so that 16 bytes are copied at once
};

/// Where a tile begins, and where its part of the inner dimension ends.
struct MmaOrigin {
  std::int32_t line, depth, depth_end;
};

/// Copies whole chunks and does not wait for them. Eight threads copy 128 bytes of a row, or fewer a shorter row, or
/// more where there are not rows enough; with every pass they go that far along the rows and, at their ends, on to the
/// next rows.
template <class Config, Major major, int Lines>
class MmaFetch {
  static constexpr bool by_depth    = major == Major::depth;
  static constexpr int rows         = by_depth ? Lines : Config::tile_k;
  static constexpr int row_chunks   = MmaLayout<major, Lines, Config::tile_k>::row_chunks;
  static constexpr int piece_chunks = std::max(std::min(row_chunks, 8), Config::threads / rows);
  static constexpr int pieces       = row_chunks / piece_chunks;
  static constexpr int pass_rows    = Config::threads / piece_chunks;
  static_assert(pass_rows % 8 == 0 && pieces * piece_chunks == row_chunks, "the swizzle is the same in every pass");

 public:
  static constexpr int passes = Lines * Config::tile_k / chunk_elements / Config::threads;

  __device__ MmaFetch(const MmaOperand& operand, int thread, const MmaOrigin& origin)
      : rows_stride_(pass_rows * (by_depth ? operand.line_stride : operand.depth_stride)),
        step_stride_(Config::tile_k * (by_depth ? 1 : operand.depth_stride)) {
    const int row = thread / piece_chunks, chunk = thread % piece_chunks;
    const int line = by_depth ? row : chunk * chunk_elements, depth = by_depth ? chunk * chunk_elements : row;
    from_ = operand.data + (origin.line + line) * operand.line_stride + (origin.depth + depth) * operand.depth_stride;
    lines_left_ = operand.lines - origin.line - line;
    depth_left_ = origin.depth_end - origin.depth - depth;
    offset_     = ptx::kept(chunk_offset(row, chunk, row_chunks));
  }

  /// Steps of which the whole tile lies within the operand.
  static __device__ int whole_steps(const MmaOperand& operand, const MmaOrigin& origin) {
    return origin.line + Lines <= operand.lines ? (origin.depth_end - origin.depth) / Config::tile_k : 0;
  }

  /// The next tile is whole: one of the `passes` copies that bring it.
  __device__ void copy(std::uint32_t tile, int pass) const { ptx::copy_chunk(to(tile, pass), from(pass)); }
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
      ptx::copy_part_of_chunk(to(tile, pass), from(pass), 2 * elements);
    }
    go_on();
  }

 private:
  static constexpr int piece_elements = piece_chunks * chunk_elements;

  __device__ std::uint32_t to(std::uint32_t tile, int pass) const {
    return tile + offset_ + pass / pieces * pass_rows * row_chunks * chunk_bytes +
           pass % pieces * piece_chunks * chunk_bytes;
  }
  __device__ const std::uint16_t* from(int pass) const {
    return from_ + pass / pieces * rows_stride_ + pass % pieces * piece_elements;
  }

  const std::uint16_t* from_;  // the thread's first chunk of the next tile
  std::int64_t rows_stride_, step_stride_;
  std::int32_t lines_left_, depth_left_;  // of the operand from there on
  int offset_;
};

/// Gathers element by element, for strides and addresses of any kind, and waits for what it reads. Chunks run along
/// depth, whatever the operand's direction; neighbouring threads read what lies together.
template <class Config, int Lines>
class MmaGather {
  static constexpr int row_chunks = Config::tile_k / chunk_elements;

 public:
  static constexpr int passes = Lines * row_chunks / Config::threads;

  __device__ MmaGather(const MmaOperand& operand, int thread, const MmaOrigin& origin)
      : operand_(operand), thread_(thread), origin_(origin) {}

  static __device__ int whole_steps(const MmaOperand&, const MmaOrigin&) { return 0; }
  __device__ void copy(std::uint32_t, int) const {}
  __device__ void go_on() {}

  __device__ void fetch(std::uint32_t tile) {
#pragma unroll 2
    for (int pass = 0; pass < passes; ++pass) {
      const int number = thread_ + pass * Config::threads;
      const int line   = operand_.major == Major::depth ? number / row_chunks : number % Lines,
                chunk  = operand_.major == Major::depth ? number % row_chunks : number / Lines;
      std::uint32_t words[4];
      gather(origin_.line + line, origin_.depth + chunk * chunk_elements, words);
      ptx::store_chunk(tile + chunk_offset(line, chunk, row_chunks), words);
    }
    origin_.depth += Config::tile_k;
  }

 private:
  __device__ void gather(std::int32_t line, std::int32_t depth, std::uint32_t (&words)[4]) const {
    const std::uint16_t* from = operand_.data + line * operand_.line_stride + depth * operand_.depth_stride;
    const int elements        = line < operand_.lines ? origin_.depth_end - depth : 0;
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      const std::uint32_t low  = 2 * word < elements ? from[2 * word * operand_.depth_stride] : 0,
                          high = 2 * word + 1 < elements ? from[(2 * word + 1) * operand_.depth_stride] : 0;
      words[word]              = low | high << 16;
    }
  }

  const MmaOperand& operand_;
  int thread_;
  MmaOrigin origin_;
};

}  // namespace Tegula::Impl

#endif
