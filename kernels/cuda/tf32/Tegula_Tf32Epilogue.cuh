// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_EPILOGUE_CUH
#define TEGULA_TF32_EPILOGUE_CUH

#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "Tegula_Tf32Arguments.cuh"
#include "Tegula_Tf32Bias.cuh"
#include "Tegula_Tf32Config.hpp"
#include "Tegula_Tf32Mainloop.cuh"
#include "Tegula_Tf32Piece.hpp"

/// The sums of a consumer leave through scratch, a piece of 64 rows x 16 columns at a time. In the usual epilogue TMA
/// stores a piece, or threads store neighbouring elements of an unaligned result or of a slice; otherwise every thread
/// stores 16 bytes of a row of the result.

namespace Tegula::Impl {

/// The epilogue of one consumer warpgroup; `thread` is the number within it.
template <class Config>
class Tf32Epilogue {
 public:
  __device__ Tf32Epilogue(const Tf32Product& product, std::uint32_t scratch, int consumer, int thread)
      : product_(product),
        buffers_(scratch + Config::pieces_at + consumer * Config::buffers * Config::piece_bytes),
        consumer_(consumer),
        thread_(thread) {}

  /// Stores the sums of a tile.
  __device__ void store(const CudaWork& work, const Tf32Sums<Config>& sums) const {
    if (product_.by_columns) {
      store_as<Tf32PieceByColumns>(work, sums);
    } else {
      store_as<Tf32PieceByRows>(work, sums);
    }
  }

 private:
  static constexpr int columns = Config::piece_columns, values = columns / 2;  // of a piece; of a thread
  static constexpr int pieces = Config::tile_n / columns;
  static_assert(pieces % Config::buffers == 0, "the next tile begins with the buffer that has been read longest");

  __device__ void wait() const { ptx::named_barrier(1 + consumer_, Config::warpgroup); }
  __device__ std::uint32_t buffer(int piece) const { return buffers_ + piece % Config::buffers * Config::piece_bytes; }
  __device__ int line(int half) const { return tf32_line(product_.left_fetch.major, Tf32Thread(thread_), half); }

  template <class Piece>
  __device__ void store_as(const CudaWork& work, const Tf32Sums<Config>& sums) const {
    const std::int32_t row0 = work.row + consumer_ * 64;
    if (product_.by_tma) {
      for_plain<Piece>(row0, work.column, sums, [&](std::uint32_t buffer, std::int32_t column) {
        ptx::shared_to_tma_fence();
        if (thread_ == 0) ptx::wait_stores_read<Config::buffers - 2>();  // the next buffer is free
        wait();
        if (thread_ == 0) store_boxes<Piece>(buffer, row0, column);
      });
    } else if (product_.result.is_plain()) {
      VectorMatrix<float> C = product_.result.C;
      C.data += work.split * product_.result.slice;
      for_plain<Piece>(row0, work.column, sums, [&](std::uint32_t buffer, std::int32_t column) {
        wait();
        store_elements<Piece>(C, buffer, row0, column);
      });
    } else {
      store_any<Piece>(work, row0, sums);
    }
  }

  // alpha sums + bias, with or without relu, to one buffer after the other. Calls put(buffer, column) for each piece,
  // in which all threads wait for each other.
  template <class Piece, class Put>
  __device__ void for_plain(std::int32_t row0, std::int32_t column0, const Tf32Sums<Config>& sums,
                            const Put& put) const {
    const VectorResult<float>& result = product_.result;
    const float least                 = is_activation<Relu>(result.activation) ? 0 : -INFINITY;
    const Tf32Bias<Piece> bias(result, row0 + line(0), row0 + line(1));
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece) {
      float mine[values];
#pragma unroll
      for (int e = 0; e < values; ++e) mine[e] = result.alpha * sums[piece * values + e];
      bias.add(column0 + piece * columns + thread_ % 4 * 2, mine);
#pragma unroll
      for (float& value : mine) value = value < least ? 0 : value;
      write<Piece>(buffer(piece), mine);
      put(buffer(piece), column0 + piece * columns);
    }
  }

  // The piece that begins here, neighbouring threads neighbouring elements of a row of the result.
  template <class Piece>
  __device__ void store_elements(const VectorMatrix<float>& C, std::uint32_t from, std::int32_t row,
                                 std::int32_t column) const {
    constexpr int lines = Config::warpgroup / Piece::length;  // at once
    const int along = thread_ % Piece::length, first = thread_ / Piece::length;
    const std::int32_t i = (Piece::by_columns ? column : row) + first, j = (Piece::by_columns ? row : column) + along;
    if (j >= product_.result.n) return;
    float* to = C.at(i, j);
#pragma unroll
    for (int l = 0; l < Piece::lines; l += lines) {
      float value;
      ptx::load_element(at(from, Piece::place(first + l, along)), value);
      if (i + l < product_.result.m) *to = value;
      to += lines * C.row_stride;
    }
  }

  template <class Piece>
  __device__ void store_boxes(std::uint32_t from, std::int32_t row, std::int32_t column) const {
    constexpr int box_bytes = Config::piece_bytes / Piece::boxes;
#pragma unroll
    for (int box = 0; box < Piece::boxes; ++box)
      ptx::store_box(product_.C, from + box * box_bytes, Piece::by_columns ? row + box * Piece::box_fast : column,
                     Piece::by_columns ? column : row);
    ptx::commit_stores();
  }

  // Any epilogue. The loop is not unrolled: the instructions of all pieces would not fit the instruction cache.
  template <class Piece>
  __device__ void store_any(const CudaWork& work, std::int32_t row0, const Tf32Sums<Config>& sums) const {
    const VectorEpilogue<float> out(product_.result, work.split);
#pragma unroll 1
    for (int piece = 0; piece < pieces; ++piece) {
      float mine[values];
      pick(sums, piece, mine);
      const std::int32_t column = work.column + piece * columns;
      Piece::by_columns ? store_piece<Piece>(out, column, row0, mine) : store_piece<Piece>(out, row0, column, mine);
    }
  }

  // mine = alpha times the sums of a piece. Sums stay in their registers, so that every piece needs code of its own.
  __device__ void pick(const Tf32Sums<Config>& sums, int piece, float (&mine)[values]) const {
    const float alpha = product_.result.alpha;
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
      if (product_.left_fetch.major == Major::depth) return write_columns_of_far_rows(to, mine);
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
      ptx::store_element(at(to, Tf32PieceByColumns::place(column, line(e % 4 / 2))), mine[e]);
    }
  }

  __device__ static std::uint32_t at(std::uint32_t piece, int place) {
    return piece + static_cast<std::uint32_t>(place);
  }

  const Tf32Product& product_;
  std::uint32_t buffers_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
