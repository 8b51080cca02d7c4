// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_LAYOUT_HPP
#define TEGULA_PORTABLE_LAYOUT_HPP

#include "Tegula_PortableTiles.hpp"

/// What a team keeps in scratch. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// Where the elements of Lines x Depth of an operand lie. The lines of one k are neighbours, so that a thread reads its
/// own in packs. Behind every pack of k's there is a gap: threads that bring neighbouring packs along the inner
/// dimension write to that many different k's at once, and the gaps spread those over the banks of scratch.
template <class T, int Lines, int Depth>
struct PortablePanel {
  static constexpr int pack           = pack_size<T>;
  static constexpr int packs_of_depth = Depth / pack;
  static_assert(Depth % pack == 0 && Lines % pack == 0);

  static constexpr int banks = 32 * 4 / static_cast<int>(sizeof(T));  // in elements, as devices have them
  static constexpr int gap   = banks / packs_of_depth > pack ? banks / packs_of_depth / pack* pack : pack;
  static constexpr int size  = Depth * Lines + packs_of_depth * gap;

  TEGULA_HOST_DEVICE static constexpr int offset(int line, int k) { return k * Lines + k / pack * gap + line; }
};

/// The scratch of a team: of one thread, a panel of each operand.
template <class Tile, class T>
struct TileScratch {
  static constexpr int left_size = Tile::m * Tile::k, right_size = Tile::n * Tile::k;
  static constexpr int size              = left_size + right_size;
  static constexpr std::size_t alignment = 64, bytes = sizeof(T) * size + 2 * alignment;
};

/// Of many threads, two panels of each operand, and at the end as many rows of sums as all threads hold in one run
/// each.
template <class Tile, class T>
requires(Tile::threads > 1) struct TileScratch<Tile, T> {
  using Left  = PortablePanel<T, Tile::m, Tile::k>;
  using Right = PortablePanel<T, Tile::n, Tile::k>;

  static constexpr int step_size   = Left::size + Right::size;
  static constexpr int stage_rows  = Tile::register_rows * pack_size<T>;
  static constexpr int stage_pitch = Tile::n + 1, stage_size = stage_rows * stage_pitch;
  static constexpr int size              = 2 * step_size > stage_size ? 2 * step_size : stage_size;
  static constexpr std::size_t alignment = 128, bytes = sizeof(T) * size + alignment;
  static_assert(bytes <= 48 * 1024);
};

/// A tile configuration without its type.
struct TileChoice {
  TileShape tile;
  int threads;
  int teams;  // of a multiprocessor at once
  TileRate rate;
  std::size_t scratch_bytes;
};

template <class T, class... Tiles>
constexpr auto tile_choices(TileList<Tiles...>, const std::array<TileRate, sizeof...(Tiles)>& rates) {
  std::size_t i = 0;
  return std::array{
      TileChoice{Tiles::shape(), Tiles::threads, Tiles::teams, rates[i++], TileScratch<Tiles, T>::bytes}...};
}

/// What the planner chooses among.
template <bool IsHost, class Accumulator>
inline constexpr auto portable_choices = tile_choices<Accumulator>(typename PortableTiles<IsHost, Accumulator>::type(),
                                                                   PortableTiles<IsHost, Accumulator>::rates);

}  // namespace Tegula::Impl

#endif
