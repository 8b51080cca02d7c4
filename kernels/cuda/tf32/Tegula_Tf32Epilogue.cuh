// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_EPILOGUE_CUH
#define TEGULA_TF32_EPILOGUE_CUH

#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_Tf32Arguments.cuh"
#include "Tegula_Tf32Config.hpp"
#include "Tegula_Tf32Mainloop.cuh"

/// The sums of a consumer on their way out: by way of scratch, so that every thread stores 16 bytes of a row of the
/// result, a piece of 64 rows x 32 columns at a time.

namespace Tegula::Impl {

/// Where a piece has its elements, in floats: runs of 4 along the rows of the result, in an order in which threads meet
/// in few banks.
struct Tf32PieceByRows {  // rows of the result are rows of the piece
  static constexpr int length = 32, lines = 64;
  TEGULA_HOST_DEVICE static constexpr int place(int row, int column) {
    const int turn = (row & 3) << 1;
    return row * length + ((column >> 2 ^ turn) << 2 | (column & 3));
  }
};
struct Tf32PieceByColumns {  // rows of the result are columns of the piece
  static constexpr int length = 64, lines = 32;
  TEGULA_HOST_DEVICE static constexpr int place(int column, int row) {
    const int turn = column >> 1 & 3;
    return column * length + ((row >> 2 ^ turn) << 2 | (row & 3));
  }
};

/// The epilogue of one consumer warpgroup; `thread` counts within it.
template <class Config>
class Tf32Epilogue {
 public:
  __device__ Tf32Epilogue(const Tf32Product& product, std::uint32_t scratch, int consumer, int thread)
      : product_(product),
        piece_(scratch + Config::pieces_at + consumer * Config::piece_bytes),
        consumer_(consumer),
        thread_(thread) {}

  /// Stores the sums of a tile.
  __device__ void store(const TensorWork& work, const Tf32Sums<Config>& sums) const {
    const VectorResult<float>& result = product_.result;
    const VectorEpilogue<float> out(result, work.split);
    if (!result.is_plain()) {
      store_as(work, sums, [&](auto i, auto j, const auto& values) { out.store(i, j, values); });
    } else if (is_activation<Relu>(result.activation)) {
      store_as(work, sums,
               [&](auto i, auto j, const auto& v) { out.template store_plain<true>(i, j, v, out.bias(i, j)); });
    } else {
      store_as(work, sums,
               [&](auto i, auto j, const auto& v) { out.template store_plain<false>(i, j, v, out.bias(i, j)); });
    }
  }

 private:
  static constexpr int columns = Config::piece_columns, values = columns / 2;  // of a piece; of a thread

  // Calls store_run(i, j, run) for the runs of the result.
  template <class StoreRun>
  __device__ void store_as(const TensorWork& work, const Tf32Sums<Config>& sums, const StoreRun& store_run) const {
    const std::int32_t row0 = work.row + consumer_ * 64;
#pragma unroll 1
    for (int piece = 0; piece < Config::tile_n / columns; ++piece) {
      float mine[values];
      pick(sums, piece, mine);
      const std::int32_t column0 = work.column + piece * columns;
      if (product_.by_columns) {
        write<Tf32PieceByColumns>(mine);
        wait();
        read<Tf32PieceByColumns>([&](int i, int j, const auto& run) { store_run(column0 + i, row0 + j, run); });
      } else {
        write<Tf32PieceByRows>(mine);
        wait();
        read<Tf32PieceByRows>([&](int i, int j, const auto& run) { store_run(row0 + i, column0 + j, run); });
      }
      wait();
    }
  }

  // mine = alpha times the sums of a piece. Sums stay in their registers, so every piece has its own copy of this.
  __device__ void pick(const Tf32Sums<Config>& sums, int piece, float (&mine)[values]) const {
    const float alpha = product_.result.alpha;
#pragma unroll
    for (int p = 0; p < Config::tile_n / columns; ++p) {
      if (piece != p) continue;
#pragma unroll
      for (int e = 0; e < values; ++e) mine[e] = alpha * sums[p * values + e];
    }
  }

  __device__ void wait() const { ptx::named_barrier(1 + consumer_, Config::warpgroup); }

  // Neighbours in the piece are stored at once: columns of a row, or, where a thread has two rows side by side, these.
  template <class Piece>
  __device__ void write(const float (&mine)[values]) const {
    const Tf32Thread thread(thread_);
    const Major major = product_.left_fetch.major;
    const int first = tf32_line(major, thread, 0), second = tf32_line(major, thread, 1);
#pragma unroll
    for (int j = 0; j < columns / 8; ++j) {
      const int column = 8 * j + 2 * thread.quarter;
      const float* v   = mine + 4 * j;
      if constexpr (std::is_same_v<Piece, Tf32PieceByRows>) {
        ptx::store_pair(at(Piece::place(first, column)), v[0], v[1]);
        ptx::store_pair(at(Piece::place(second, column)), v[2], v[3]);
      } else if (major == Major::lines) {
        ptx::store_pair(at(Piece::place(column, first)), v[0], v[2]);
        ptx::store_pair(at(Piece::place(column + 1, first)), v[1], v[3]);
      } else {
        ptx::store_element(at(Piece::place(column, first)), v[0]);
        ptx::store_element(at(Piece::place(column + 1, first)), v[1]);
        ptx::store_element(at(Piece::place(column, second)), v[2]);
        ptx::store_element(at(Piece::place(column + 1, second)), v[3]);
      }
    }
  }

  // Calls store(i, j, run) with the runs of a piece, from row i, column j of the result on, counted in the piece.
  template <class Piece, class Store>
  __device__ void read(const Store& store) const {
    constexpr int size = 4, line_runs = Piece::length / size, lines = Config::warpgroup / line_runs;
    const int i = thread_ / line_runs, j = thread_ % line_runs * size;
#pragma unroll
    for (int pass = 0; pass < Piece::lines; pass += lines) {
      Vector<float> run;
      ptx::load_vector(at(Piece::place(pass + i, j)), run.of);
      store(pass + i, j, run);
    }
  }

  __device__ std::uint32_t at(int place) const { return piece_ + static_cast<std::uint32_t>(place) * 4; }

  const Tf32Product& product_;
  std::uint32_t piece_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
