// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FLOAT_EPILOGUE_CUH
#define TEGULA_WGMMA_FLOAT_EPILOGUE_CUH

#include "../Tegula_CudaTiles.hpp"
#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxRelu.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "Tegula_WgmmaFloatBias.cuh"
#include "Tegula_WgmmaRows.hpp"

/// Sums that become floats, of a consumer of the tf32 and fp32_split families: they leave through scratch, a piece of
/// 64 rows x 16 columns at a time. In the usual epilogue TMA stores a piece, or threads store neighbouring elements of
/// an unaligned result or of a slice; otherwise every thread stores 16 bytes of a row of the result.

namespace Tegula::Impl {

/// The epilogue of one consumer warpgroup; `thread` is the number within it. Config::Ending is its WgmmaFloatScratch,
/// at Config::ending_at.
template <class Config>
class WgmmaFloatEpilogue {
  using Scratch = typename Config::Ending;
  using Bias    = WgmmaFloatBias<Config>;

 public:
  __device__ WgmmaFloatEpilogue(const WgmmaFloatOutput& output, std::uint32_t scratch, int consumer, int thread)
      : output_(output),
        buffers_(scratch + Config::ending_at + consumer * Scratch::buffers * Scratch::piece_bytes),
        bias_(output, scratch + Config::ending_at + Scratch::lines_at, consumer, thread),
        consumer_(consumer),
        thread_(thread) {}

  /// What store() needs besides sums, on its way. Nobody looks at it before the main loop is over, so that nobody waits
  /// for it.
  using Fetched = typename Bias::Fetched;
  __device__ Fetched fetch(const CudaWork& work) const {
    const std::int32_t row0 = first_row(work), rows[] = {row0 + line(0), row0 + line(1)};
    return bias_.fetch(rows, work.column);
  }

  /// A thread's sums, as Wgmma lays them out.
  using Sums = float[Config::tile_n / 2];

  /// Stores the sums of a tile.
  __device__ void store(const CudaWork& work, const Fetched& fetched, const Sums& sums) const {
    if (output_.by_columns) {
      store_as<WgmmaPieceByColumns>(work, fetched, sums);
    } else {
      store_as<WgmmaPieceByRows>(work, fetched, sums);
    }
  }

 private:
  static constexpr int columns = Scratch::piece_columns, values = columns / 2;  // of a piece; of a thread
  static constexpr int pieces = Scratch::pieces;

  __device__ void wait() const { ptx::named_barrier(1 + consumer_, Config::warpgroup); }
  __device__ std::uint32_t buffer(int piece) const {
    return buffers_ + piece % Scratch::buffers * Scratch::piece_bytes;
  }
  __device__ int line(int half) const { return wgmma_line(output_.left, WgmmaThread(thread_), half); }
  __device__ std::int32_t first_row(const CudaWork& work) const { return work.row + consumer_ * 64; }

  template <class Piece>
  __device__ void store_as(const CudaWork& work, const Fetched& fetched, const Sums& sums) const {
    const std::int32_t row0 = first_row(work);
    if (output_.by_tma) {
      for_plain<Piece>(work.column, fetched, sums, [&](int piece, std::int32_t column) {
        ptx::shared_to_tma_fence();
        if (thread_ == 0) ptx::wait_stores_read<Scratch::buffers - 2>();  // the next buffer is free
        wait();
        if (thread_ == 0) store_boxes<Piece>(buffer(piece), row0, column);
      });
    } else if (output_.result.is_plain()) {
      VectorMatrix<float> C = output_.result.C;
      C.data += work.split * output_.result.slice;
      for_plain<Piece>(work.column, fetched, sums, [&](int piece, std::int32_t column) {
        if (piece % Scratch::buffers != Scratch::buffers - 1) return;
        wait_for_lines<Piece>();
        store_elements<Piece>(C, row0, column - (Scratch::buffers - 1) * columns);
        wait_for_lines<Piece>();
      });
      wait();  // columns' values have been read
    } else {
      store_any<Piece>(work, row0, sums);
    }
  }

  // alpha sums + bias, with or without relu, to one buffer after the other. Calls put(piece, column) for each of them.
  template <class Piece, class Put>
  __device__ void for_plain(std::int32_t column0, const Fetched& fetched, const Sums& sums, const Put& put) const {
    const VectorResult<float>& result = output_.result;
    const float least                 = is_activation<Relu>(result.activation) ? 0 : -INFINITY;
    bias_.share(fetched);
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece) {
      float mine[values];
#pragma unroll
      for (int e = 0; e < values; e += 4)
        bias_.add(fetched, piece * columns + 2 * e, result.alpha, sums + piece * values + e, mine + e);
#pragma unroll
      for (float& value : mine) value = ptx::max_or_nan(value, least);
      write<Piece>(buffer(piece), mine);
      put(piece, column0 + piece * columns);
    }
  }

  // The pieces of all buffers, which begin here: a warp has 16 rows of them, or 8 columns, and stores lines of 32
  // elements.
  template <class Piece>
  __device__ void store_elements(const VectorMatrix<float>& C, std::int32_t row, std::int32_t column) const {
    constexpr int lanes = 32, warps = Config::warpgroup / lanes, at_once = 8;
    constexpr int all_columns = Scratch::buffers * columns, lines = (Piece::by_columns ? all_columns : 64) / warps;
    static_assert(Piece::by_columns || all_columns == lanes);
    const int lane = thread_ % lanes, line0 = thread_ / lanes * lines;
    const std::int32_t i = (Piece::by_columns ? column : row) + line0, j = (Piece::by_columns ? row : column) + lane;
#pragma unroll
    for (int along = 0; along < (Piece::by_columns ? 64 : lanes); along += lanes) {
      float* to           = C.at(i, j + along);
      const bool is_there = j + along < output_.result.n;
#pragma unroll
      for (int l = 0; l < lines; l += at_once) {
        float of[at_once];
#pragma unroll
        for (int e = 0; e < at_once; ++e) ptx::load_element(place_of<Piece>(line0 + l + e, lane + along), of[e]);
#pragma unroll
        for (int e = 0; e < at_once; ++e, to += C.row_stride)
          if (is_there && i + l + e < output_.result.m) *to = of[e];
      }
    }
  }
  // An element of all buffers' pieces.
  template <class Piece>
  __device__ std::uint32_t place_of(int line, int along) const {
    const int column = Piece::by_columns ? line : along;
    return Piece::by_columns ? at(buffer(column / columns), Piece::place(column % columns, along))
                             : at(buffer(column / columns), Piece::place(line, column % columns));
  }
  // Until those have written who have parts of a warp's lines: the warp itself, where rows are its own.
  template <class Piece>
  __device__ void wait_for_lines() const {
    output_.left == Major::depth && !Piece::by_columns ? __syncwarp() : wait();
  }

  template <class Piece>
  __device__ void store_boxes(std::uint32_t from, std::int32_t row, std::int32_t column) const {
    constexpr int box_bytes = Scratch::piece_bytes / Piece::boxes;
#pragma unroll
    for (int box = 0; box < Piece::boxes; ++box)
      ptx::store_box(output_.C, from + box * box_bytes, Piece::by_columns ? row + box * Piece::box_fast : column,
                     Piece::by_columns ? column : row);
    ptx::commit_stores();
  }

  // Any epilogue. The loop is not unrolled: the instructions of all pieces would not fit the instruction cache.
  template <class Piece>
  __device__ void store_any(const CudaWork& work, std::int32_t row0, const Sums& sums) const {
    const VectorEpilogue<float> out(output_.result, work.split);
#pragma unroll 1
    for (int piece = 0; piece < pieces; ++piece) {
      float mine[values];
      pick(sums, piece, mine);
      const std::int32_t column = work.column + piece * columns;
      Piece::by_columns ? store_piece<Piece>(out, column, row0, mine) : store_piece<Piece>(out, row0, column, mine);
    }
  }

  // mine = alpha times the sums of a piece. Sums stay in their registers, so that every piece needs code of its own.
  __device__ void pick(const Sums& sums, int piece, float (&mine)[values]) const {
    const float alpha = output_.result.alpha;
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      if (piece != p) continue;
#pragma unroll
      for (int e = 0; e < values; ++e) mine[e] = alpha * sums[p * values + e];
    }
  }

  // Stores the piece that begins at row i, column j of the result.
  template <class Piece>
  __device__ void store_piece(const VectorEpilogue<float>& out, std::int32_t i, std::int32_t j,
                              const float (&mine)[values]) const {
    constexpr int size = 4, line_runs = Piece::length / size, lines = Config::warpgroup / line_runs;
    const int first = thread_ / line_runs, run = thread_ % line_runs * size;
    write<Piece>(buffer(0), mine);
    wait();
    Vector<float> runs[Piece::lines / lines];
#pragma unroll
    for (int r = 0; r < Piece::lines / lines; ++r)
      ptx::load_vector(at(buffer(0), Piece::place(r * lines + first, run)), runs[r].of);
    wait();
#pragma unroll
    for (int r = 0; r < Piece::lines / lines; ++r) out.store(i + r * lines + first, j + run, runs[r]);
  }

  // Neighbours in the piece are written at once: columns of a row, or two rows that a thread has side by side. For two
  // rows, half of the threads begin with the second column, so that no two threads meet in a bank.
  template <class Piece>
  __device__ void write(std::uint32_t to, const float (&mine)[values]) const {
    const int quarter = thread_ % 4, turn = quarter / 2;
    if constexpr (Piece::by_columns) {
      if (output_.left == Major::depth) return write_columns_of_far_rows(to, mine);
      const std::uint32_t first  = at(to, Piece::place(2 * quarter + turn, line(0))),
                          second = at(to, Piece::place(2 * quarter + 1 - turn, line(0)));
#pragma unroll
      for (int j = 0; j < columns / 8; ++j) {
        const float* v = mine + 4 * j;
        ptx::store_pair(first + j * 8 * 128, turn ? v[1] : v[0], turn ? v[3] : v[2]);
        ptx::store_pair(second + j * 8 * 128, turn ? v[0] : v[1], turn ? v[2] : v[3]);
      }
    } else {
      const std::uint32_t first  = at(to, Piece::place(line(0), 2 * quarter)),
                          second = at(to, Piece::place(line(1), 2 * quarter));
#pragma unroll
      for (int j = 0; j < columns / 8; ++j) {
        const float* v = mine + 4 * j;
        ptx::store_pair(first ^ (j * 8 * 4), v[0], v[1]);  // the swizzle keeps them within a line's 128 bytes
        ptx::store_pair(second ^ (j * 8 * 4), v[2], v[3]);
      }
    }
  }

  // The same element by element, for rows that are not neighbours.
  __device__ void write_columns_of_far_rows(std::uint32_t to, const float (&mine)[values]) const {
#pragma unroll
    for (int e = 0; e < values; ++e) {
      const int column = e / 4 * 8 + thread_ % 4 * 2 + e % 2;
      ptx::store_element(at(to, WgmmaPieceByColumns::place(column, line(e % 4 / 2))), mine[e]);
    }
  }

  __device__ static std::uint32_t at(std::uint32_t piece, int place) {
    return piece + static_cast<std::uint32_t>(place);
  }

  const WgmmaFloatOutput& output_;
  std::uint32_t buffers_;
  Bias bias_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
