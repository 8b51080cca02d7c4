// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_TEAM_PRODUCT_HPP
#define TEGULA_PORTABLE_TEAM_PRODUCT_HPP

#include "Tegula_PortablePanel.hpp"
#include "Tegula_PortableTiles.hpp"
#include "product/Tegula_Product.hpp"

/// What a team of many threads does. Scratch holds two panels of each operand: while the threads multiply one step, the
/// next is on its way, through registers, to the other two. At the end the sums go through scratch to the result, so
/// that neighbouring threads store neighbours.

namespace Tegula::Impl {

/// Which part of a tile's sums a thread has. Threads form a grid, the tile's rows are cut into runs of a pack for each
/// row of the grid, and again until all are cut; columns likewise. Threads that run together are a patch of the grid.
/// Within it threads are numbered in squares of two by two: 16 bytes for each of 32 threads come out of scratch twice
/// as fast where neighbours, or neighbours but one, read the same (measured on NVIDIA's GPUs), and so both do.
template <class Tile, class T>
struct ThreadPlace {
  static constexpr int pack = pack_size<T>;
  static constexpr int rows = Tile::register_rows, columns = Tile::register_columns;  // of the grid
  static constexpr int patch_columns = columns < 8 ? columns : 8;
  static constexpr int patch_rows    = rows < 32 / patch_columns ? rows : 32 / patch_columns;
  static constexpr int row_packs = Tile::thread_m / pack, column_packs = Tile::thread_n / pack;
  static_assert(Tile::register_tiles == 1 && rows % patch_rows == 0 && columns % patch_columns == 0);
  static_assert(patch_rows % 2 == 0 && patch_columns % 2 == 0);
  static_assert(Tile::thread_m % pack == 0 && Tile::thread_n % pack == 0);

  int row, column;

  KOKKOS_FUNCTION explicit ThreadPlace(int rank) {
    constexpr int patch = patch_rows * patch_columns, patches = columns / patch_columns;
    const int number = rank / patch, square = rank % patch / 4, in_square = rank % 4;
    row    = number / patches * patch_rows + square / (patch_columns / 2) * 2 + in_square / 2;
    column = number % patches * patch_columns + square % (patch_columns / 2) * 2 + in_square % 2;
  }

  /// The first row or column of the tile in a run of this thread's.
  KOKKOS_FUNCTION int first_row(int run) const { return (run * rows + row) * pack; }
  KOKKOS_FUNCTION int first_column(int run) const { return (run * columns + column) * pack; }
};

/// One tile of one product. by_packs: both operands can be read so (PanelShare).
template <class Tile, class T, class Member>
struct TeamProduct {
  using Scratch = TileScratch<Tile, T>;

  template <class Product, class ByPacks>
  KOKKOS_FORCEINLINE_FUNCTION static void compute(const Member& team, const Product& product, const TeamWork& work,
                                                  ByPacks by_packs, T* scratch) {
    const Place place(team.team_rank());
    Sums sums                   = {};
    T row_sums[rows_per_thread] = {};
    using LeftShare             = PanelShare<T, Tile::m, Tile::k, Tile::threads, ByPacks, decltype(product.left)>;
    using RightShare            = PanelShare<T, Tile::n, Tile::k, Tile::threads, ByPacks, decltype(product.right)>;
    LeftShare left(team.team_rank(), product.left, by_packs, work.row0, work.k_begin);
    RightShare right(team.team_rank(), product.right, by_packs, work.column0, work.k_begin);
    typename LeftShare::Fetched fetched_left;
    typename RightShare::Fetched fetched_right;
    const bool whole_lines = left.has_whole_lines() && right.has_whole_lines();
    const auto fetch       = [&](int depth) {
      if (whole_lines && depth == Tile::k) {
        left.fetch_whole(fetched_left);
        right.fetch_whole(fetched_right);
      } else {
        left.fetch_rest(depth, fetched_left);
        right.fetch_rest(depth, fetched_right);
      }
    };
    const auto put = [&](int depth, T* panels) {
      left.put(depth, fetched_left, panels);
      right.put(depth, fetched_right, panels + Left::size);
    };
    const int steps = static_cast<int>(ceil_div(work.k_end - work.k_begin, Tile::k)), last = last_depth(work);
    if (steps > 0) {
      fetch(steps > 1 ? Tile::k : last);
      put(steps > 1 ? Tile::k : last, scratch);
    }
    team.team_barrier();
    for (int step = 0; step < steps; ++step) {
      T* const panels = scratch + (step & 1) * Scratch::step_size;
      T* const next   = scratch + (~step & 1) * Scratch::step_size;
      const int depth = step + 2 < steps ? Tile::k : last;  // of the next step
      if (step + 1 < steps) fetch(depth);
      multiply_add(place, panels, sums);
      if (work.sums_rows) add_rows(team.team_rank(), panels, row_sums);
      if (step + 1 < steps) put(depth, next);
      team.team_barrier();
    }
    store(team, product, work, place, sums, scratch);
    if (work.sums_rows) store_row_sums(team.team_rank(), product, work, row_sums);
  }

 private:
  using Left                           = typename Scratch::Left;
  using Right                          = typename Scratch::Right;
  using Place                          = ThreadPlace<Tile, T>;
  using Sums                           = T[Tile::thread_m][Tile::thread_n];
  using Run                            = Pack<T, pack_size<T>>;
  static constexpr int pack            = pack_size<T>;
  static constexpr int rows_per_thread = static_cast<int>(ceil_div(Tile::m, Tile::threads));

  KOKKOS_FUNCTION static int last_depth(const TeamWork& work) {
    return static_cast<int>((work.k_end - work.k_begin - 1) % Tile::k) + 1;
  }

  KOKKOS_FUNCTION static const Run& run_at(const T* scratch) { return *reinterpret_cast<const Run*>(scratch); }

  KOKKOS_FORCEINLINE_FUNCTION static void multiply_add(const Place& place, const T* panels, Sums& sums) {
    TEGULA_UNROLL_STEPS_ON_DEVICE
    for (int k = 0; k < Tile::k; ++k) {
      Run left[Place::row_packs], right[Place::column_packs];
      TEGULA_UNROLL_ON_DEVICE
      for (int r = 0; r < Place::row_packs; ++r) left[r] = run_at(panels + Left::offset(place.first_row(r), k));
      TEGULA_UNROLL_ON_DEVICE
      for (int c = 0; c < Place::column_packs; ++c)
        right[c] = run_at(panels + Left::size + Right::offset(place.first_column(c), k));
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Tile::thread_m; ++i) {
        TEGULA_UNROLL_ON_DEVICE
        for (int j = 0; j < Tile::thread_n; ++j) sums[i][j] += left[i / pack][i % pack] * right[j / pack][j % pack];
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void add_rows(int rank, const T* left, T (&row_sums)[rows_per_thread]) {
    TEGULA_UNROLL_ON_DEVICE
    for (int r = 0; r < rows_per_thread; ++r) {
      const int row = rank + r * Tile::threads;
      if (row >= Tile::m) break;
      T sum = 0;
      for (int k = 0; k < Tile::k; ++k) sum += left[Left::offset(row, k)];
      row_sums[r] += sum;
    }
  }

  // Runs are unrolled, though each holds the code of every activation: so the registers of sums that are stored are
  // free for the runs behind.
  template <class Product>
  KOKKOS_FORCEINLINE_FUNCTION static void store(const Member& team, const Product& product, const TeamWork& work,
                                                const Place& place, const Sums& sums, T* stage) {
    TEGULA_UNROLL_ON_DEVICE
    for (int run = 0; run < Place::row_packs; ++run) {
      if (run > 0) team.team_barrier();
      put_run(run, place, sums, stage);
      team.team_barrier();
      store_stage(team.team_rank(), product, work, run * Scratch::stage_rows, stage);
    }
  }

  // Sums go to scratch one by one: packs of them would have to lie in neighbouring registers, where on GPUs of NVIDIA a
  // sum and its factor are then read through the same port, one after the other.
  KOKKOS_FORCEINLINE_FUNCTION static void put_run(int r, const Place& place, const Sums& sums, T* stage) {
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < pack; ++i) {
      TEGULA_UNROLL_ON_DEVICE
      for (int j = 0; j < Tile::thread_n; ++j) {
        const int row = place.row * pack + i, column = place.first_column(j / pack) + j % pack;
        stage[row * Scratch::stage_pitch + column] = sums[r * pack + i][j];
      }
    }
  }

  /// Passes a stage on to the result. Neighbouring threads store neighbours along the result's contiguous dimension,
  /// and a thread stays in its row or column, of which it stores several elements at once.
  template <class Product>
  KOKKOS_FORCEINLINE_FUNCTION static void store_stage(int rank, const Product& product, const TeamWork& work,
                                                      int stage_row0, const T* stage) {
    constexpr int rows_size = Scratch::stage_rows, columns_size = Tile::n;
    static_assert(Tile::threads % rows_size == 0 && Tile::threads % columns_size == 0);
    constexpr int batch        = sizeof(T) < 32 ? static_cast<int>(32 / sizeof(T)) : 1;
    const std::int64_t row0    = work.row0 + stage_row0;
    const std::int64_t rows    = product.shape.m - row0;
    const std::int64_t columns = product.shape.n - work.column0;
    const bool along_rows      = product.rows_are_contiguous();
    const int row              = along_rows ? rank % rows_size : rank / columns_size;
    const int column           = along_rows ? rank / rows_size : rank % columns_size;
    if (row >= rows || column >= columns) return;
    const int row_step    = along_rows ? 0 : Tile::threads / columns_size;
    const int column_step = along_rows ? Tile::threads / rows_size : 0;
    const int stage_step  = row_step * Scratch::stage_pitch + column_step;
    // Elements of this thread: as many steps as stay within the stage and within the product.
    const auto steps = [](std::int64_t left, int size, int step) {
      return static_cast<int>(ceil_div(left < size ? left : size, step));
    };
    const int count      = along_rows ? steps(columns - column, columns_size - column, column_step)
                                      : steps(rows - row, rows_size - row, row_step);
    const T* const first = stage + row * Scratch::stage_pitch + column;
    TEGULA_KEEP_LOOP_ON_DEVICE
    for (int done = 0; done < count; done += batch) {
      T sums[batch];
      const int left = count - done < batch ? count - done : batch;
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b) sums[b] = b < left ? first[(done + b) * stage_step] : T(0);
      product.store_run(
          work, {row0 + row + done * row_step, work.column0 + column + done * column_step, row_step, column_step, left},
          sums);
    }
  }

  template <class Product>
  KOKKOS_FUNCTION static void store_row_sums(int rank, const Product& product, const TeamWork& work,
                                             const T (&row_sums)[rows_per_thread]) {
    TEGULA_UNROLL_ON_DEVICE
    for (int r = 0; r < rows_per_thread; ++r) {
      const int row = rank + r * Tile::threads;
      if (row < Tile::m && work.row0 + row < product.shape.m) product.store_row_sum(work, work.row0 + row, row_sums[r]);
    }
  }
};

}  // namespace Tegula::Impl

#endif
