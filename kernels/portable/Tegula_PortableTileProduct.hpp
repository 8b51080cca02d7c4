// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_TILE_PRODUCT_HPP
#define TEGULA_PORTABLE_TILE_PRODUCT_HPP

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_PortableLayout.hpp"
#include "product/Tegula_Product.hpp"

/// What a team of one thread does, on a host: it brings a panel of each operand into scratch, multiplies the panels
/// into register tiles, and so on along the inner dimension; then the sums go through the result.

namespace Tegula::Impl {

/// Calls store(outer, inner, load(outer, inner)) for all pairs. Inner runs fastest.
template <int Outer, int Inner, class Load, class Store>
KOKKOS_FORCEINLINE_FUNCTION void copy_pairs(const Load& load, const Store& store) {
  for (int outer = 0; outer < Outer; ++outer) {
    for (int inner = 0; inner < Inner; ++inner) store(outer, inner, load(outer, inner));
  }
}

/// Brings lines [line0, line0 + Lines) and depth [k0, k0 + depth) of an operand into a panel, panel[k * Lines + line].
/// What lies past the operand's lines or past depth becomes zero. The operand's contiguous dimension is read innermost.
template <int Lines, int Depth, class Operand, class T>
KOKKOS_FORCEINLINE_FUNCTION void load_panel(const Operand& operand, std::int64_t line0, std::int64_t k0, int depth,
                                            T* panel) {
  const std::int64_t left = operand.lines() - line0;
  const int lines         = left < Lines ? static_cast<int>(left) : Lines;
  const auto load  = [&](int line, int k) { return line < lines && k < depth ? operand(line0 + line, k0 + k) : T(0); };
  const auto store = [&](int line, int k, T value) { panel[k * Lines + line] = value; };
  if (operand.depth_is_contiguous()) {
    copy_pairs<Lines, Depth>(load, store);
  } else {
    copy_pairs<Depth, Lines>([&](int k, int line) { return load(line, k); },
                             [&](int k, int line, T value) { store(line, k, value); });
  }
}

/// One tile of one product.
template <class Tile, class T, class Member>
struct TileProduct {
  using Scratch = TileScratch<Tile, T>;

  template <class Product>
  KOKKOS_FUNCTION static void compute(const Member&, const Product& product, const TeamWork& work, bool, T* scratch) {
    T* const left                           = scratch;
    T* const right                          = scratch + Scratch::left_size;
    RegisterTile sums[Tile::register_tiles] = {};
    T row_sums[Tile::m]                     = {};
    for (std::int64_t k0 = work.k_begin; k0 < work.k_end; k0 += Tile::k) {
      const int depth = work.k_end - k0 < Tile::k ? static_cast<int>(work.k_end - k0) : Tile::k;
      load_panel<Tile::m, Tile::k>(product.left, work.row0, k0, depth, left);
      load_panel<Tile::n, Tile::k>(product.right, work.column0, k0, depth, right);
      for (int t = 0; t < Tile::register_tiles; ++t) {
        if (is_outside(product, work, t)) continue;
        multiply_add(left + first_row(t), right + first_column(t), depth, sums[t]);
      }
      if (work.sums_rows) add_rows(left, depth, row_sums);
    }
    for (int t = 0; t < Tile::register_tiles; ++t) store(product, work, t, sums[t]);
    if (work.sums_rows) store_row_sums(product, work, row_sums);
  }

 private:
  using RegisterTile = T[Tile::thread_m][Tile::thread_n];

  KOKKOS_FUNCTION static int first_row(int t) { return t / Tile::register_columns * Tile::thread_m; }
  KOKKOS_FUNCTION static int first_column(int t) { return t % Tile::register_columns * Tile::thread_n; }

  // Whether none of a register tile lies in the product: the tile of a product that is narrower than a tile.
  template <class Product>
  KOKKOS_FUNCTION static bool is_outside(const Product& product, const TeamWork& work, int t) {
    return work.row0 + first_row(t) >= product.shape.m || work.column0 + first_column(t) >= product.shape.n;
  }

  KOKKOS_FORCEINLINE_FUNCTION static void multiply_add(const T* left, const T* right, int depth, RegisterTile& sums) {
    RegisterTile local = {};
    for (int k = 0; k < depth; ++k) {
      for (int i = 0; i < Tile::thread_m; ++i) {
        for (int j = 0; j < Tile::thread_n; ++j) local[i][j] += left[k * Tile::m + i] * right[k * Tile::n + j];
      }
    }
    for (int i = 0; i < Tile::thread_m; ++i) {
      for (int j = 0; j < Tile::thread_n; ++j) sums[i][j] += local[i][j];
    }
  }

  KOKKOS_FUNCTION static void add_rows(const T* left, int depth, T (&row_sums)[Tile::m]) {
    for (int row = 0; row < Tile::m; ++row) {
      T sum = 0;
      for (int k = 0; k < depth; ++k) sum += left[k * Tile::m + row];
      row_sums[row] += sum;
    }
  }

  template <class Product>
  KOKKOS_FUNCTION static void store(const Product& product, const TeamWork& work, int t, const RegisterTile& sums) {
    const std::int64_t row0    = work.row0 + first_row(t);
    const std::int64_t column0 = work.column0 + first_column(t);
    for (int i = 0; i < Tile::thread_m; ++i) {
      for (int j = 0; j < Tile::thread_n; ++j) {
        const std::int64_t row = row0 + i, column = column0 + j;
        if (row < product.shape.m && column < product.shape.n) product.store(work, row, column, sums[i][j]);
      }
    }
  }

  template <class Product>
  KOKKOS_FUNCTION static void store_row_sums(const Product& product, const TeamWork& work,
                                             const T (&row_sums)[Tile::m]) {
    for (int row = 0; row < Tile::m; ++row) {
      if (work.row0 + row < product.shape.m) product.store_row_sum(work, work.row0 + row, row_sums[row]);
    }
  }
};

}  // namespace Tegula::Impl

#endif
