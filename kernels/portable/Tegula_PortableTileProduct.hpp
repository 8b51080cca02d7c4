// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_TILE_PRODUCT_HPP
#define TEGULA_PORTABLE_TILE_PRODUCT_HPP

#include "Tegula_PortableTiles.hpp"
#include "product/Tegula_Product.hpp"

/// What a team does: it brings a panel of each operand into scratch, every thread multiplies its rows and columns of
/// the panels into register tiles, and so on along the inner dimension; then the sums go through the result.

namespace Tegula::Impl {

/// Calls store(outer, inner, load(outer, inner)) for all pairs, shared out over the team. Inner runs fastest: over the
/// iterations of a loop if the team is one thread, over neighbouring threads otherwise. Those load all their elements
/// before they store any, so that the loads are under way together.
template <int Outer, int Inner, int Threads, class T, class Member, class Load, class Store>
KOKKOS_FORCEINLINE_FUNCTION void copy_pairs(const Member& member, const Load& load, const Store& store) {
  if constexpr (Threads == 1) {
    for (int outer = 0; outer < Outer; ++outer) {
      for (int inner = 0; inner < Inner; ++inner) store(outer, inner, load(outer, inner));
    }
  } else {
    static_assert(Outer * Inner % Threads == 0);
    constexpr int share = Outer * Inner / Threads;
    T values[share];
    TEGULA_UNROLL_ON_DEVICE
    for (int e = 0; e < share; ++e) {
      const int pair = member.team_rank() + e * Threads;
      values[e]      = load(pair / Inner, pair % Inner);
    }
    TEGULA_UNROLL_ON_DEVICE
    for (int e = 0; e < share; ++e) {
      const int pair = member.team_rank() + e * Threads;
      store(pair / Inner, pair % Inner, values[e]);
    }
  }
}

/// Brings lines [line0, line0 + Lines) and depth [k0, k0 + depth) of an operand into a panel, panel[k * Pitch + line].
/// What lies past the operand's lines or past depth becomes zero. The operand's contiguous dimension is read innermost.
template <int Lines, int Depth, int Pitch, int Threads, class Member, class Operand, class T>
KOKKOS_FORCEINLINE_FUNCTION void load_panel(const Member& member, const Operand& operand, std::int64_t line0,
                                            std::int64_t k0, int depth, T* panel) {
  const std::int64_t left = operand.lines() - line0;
  const int lines         = left < Lines ? static_cast<int>(left) : Lines;
  const auto load  = [&](int line, int k) { return line < lines && k < depth ? operand(line0 + line, k0 + k) : T(0); };
  const auto store = [&](int line, int k, T value) { panel[k * Pitch + line] = value; };
  if (operand.depth_is_contiguous()) {
    copy_pairs<Lines, Depth, Threads, T>(member, load, store);
  } else {
    copy_pairs<Depth, Lines, Threads, T>(
        member, [&](int k, int line) { return load(line, k); },
        [&](int k, int line, T value) { store(line, k, value); });
  }
}

/// One tile of one product, computed by a team.
template <class Tile, class T, class Member>
struct TileProduct {
  template <class Product>
  KOKKOS_FUNCTION static void compute(const Member& team, const Product& product, const TeamWork& work, T* left,
                                      T* right) {
    RegisterTile sums[Tile::register_tiles] = {};
    T row_sums[rows_per_thread]             = {};
    for (std::int64_t k0 = work.k_begin; k0 < work.k_end; k0 += Tile::k) {
      const int depth = work.k_end - k0 < Tile::k ? static_cast<int>(work.k_end - k0) : Tile::k;
      load_panel<Tile::m, Tile::k, Tile::left_pitch, Tile::threads>(team, product.left, work.row0, k0, depth, left);
      load_panel<Tile::n, Tile::k, Tile::right_pitch, Tile::threads>(team, product.right, work.column0, k0, depth,
                                                                     right);
      team.team_barrier();
      TEGULA_UNROLL_ON_DEVICE
      for (int t = 0; t < Tile::register_tiles; ++t) {
        if (is_outside(team, product, work, t)) continue;
        multiply_add(left + first_row(team, t), right + first_column(team, t), depth, sums[t]);
      }
      if (work.sums_rows) add_rows(team, left, depth, row_sums);
      team.team_barrier();
    }
    TEGULA_UNROLL_ON_DEVICE
    for (int t = 0; t < Tile::register_tiles; ++t) store(team, product, work, t, sums[t]);
    if (work.sums_rows) store_row_sums(team, product, work, row_sums);
  }

 private:
  using RegisterTile                   = T[Tile::thread_m][Tile::thread_n];
  static constexpr int rows_per_thread = static_cast<int>(ceil_div(Tile::m, Tile::threads));

  // A thread's register tiles are consecutive. Its columns are neighbours if it is alone, and one register tile's width
  // of threads apart otherwise, so that neighbouring threads touch neighbouring columns.
  static constexpr int column_step = Tile::threads == 1 ? 1 : Tile::register_columns;

  KOKKOS_FUNCTION static int first_row(const Member& team, int t) {
    return (team.team_rank() * Tile::register_tiles + t) / Tile::register_columns * Tile::thread_m;
  }
  KOKKOS_FUNCTION static int first_column(const Member& team, int t) {
    const int column = (team.team_rank() * Tile::register_tiles + t) % Tile::register_columns;
    return Tile::threads == 1 ? column * Tile::thread_n : column;
  }

  // Whether none of a register tile lies in the product: the tile of a product that is narrower than a tile.
  template <class Product>
  KOKKOS_FUNCTION static bool is_outside(const Member& team, const Product& product, const TeamWork& work, int t) {
    return work.row0 + first_row(team, t) >= product.shape.m || work.column0 + first_column(team, t) >= product.shape.n;
  }

  KOKKOS_FORCEINLINE_FUNCTION static void multiply_add(const T* left, const T* right, int depth, RegisterTile& sums) {
    RegisterTile local = {};
    for (int k = 0; k < depth; ++k) {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Tile::thread_m; ++i) {
        TEGULA_UNROLL_ON_DEVICE
        for (int j = 0; j < Tile::thread_n; ++j) {
          local[i][j] += left[k * Tile::left_pitch + i] * right[k * Tile::right_pitch + j * column_step];
        }
      }
    }
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Tile::thread_m; ++i) {
      TEGULA_UNROLL_ON_DEVICE
      for (int j = 0; j < Tile::thread_n; ++j) sums[i][j] += local[i][j];
    }
  }

  KOKKOS_FUNCTION static void add_rows(const Member& team, const T* left, int depth, T (&row_sums)[rows_per_thread]) {
    TEGULA_UNROLL_ON_DEVICE
    for (int r = 0; r < rows_per_thread; ++r) {
      const int row = team.team_rank() + r * Tile::threads;
      if (row >= Tile::m) break;
      T sum = 0;
      for (int k = 0; k < depth; ++k) sum += left[k * Tile::left_pitch + row];
      row_sums[r] += sum;
    }
  }

  template <class Product>
  KOKKOS_FUNCTION static void store(const Member& team, const Product& product, const TeamWork& work, int t,
                                    const RegisterTile& sums) {
    const std::int64_t row0    = work.row0 + first_row(team, t);
    const std::int64_t column0 = work.column0 + first_column(team, t);
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Tile::thread_m; ++i) {
      TEGULA_UNROLL_ON_DEVICE
      for (int j = 0; j < Tile::thread_n; ++j) {
        const std::int64_t row = row0 + i, column = column0 + j * column_step;
        if (row < product.shape.m && column < product.shape.n) product.store(work, row, column, sums[i][j]);
      }
    }
  }

  template <class Product>
  KOKKOS_FUNCTION static void store_row_sums(const Member& team, const Product& product, const TeamWork& work,
                                             const T (&row_sums)[rows_per_thread]) {
    TEGULA_UNROLL_ON_DEVICE
    for (int r = 0; r < rows_per_thread; ++r) {
      const int row = team.team_rank() + r * Tile::threads;
      if (row < Tile::m && work.row0 + row < product.shape.m) product.store_row_sum(work, work.row0 + row, row_sums[r]);
    }
  }
};

}  // namespace Tegula::Impl

#endif
