// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_TILES_HPP
#define TEGULA_PORTABLE_TILES_HPP

#include <array>
#include <cstddef>

#include "Tegula_TileOrder.hpp"

/// The tile sizes of the portable kernel, as data. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// A team computes an M x N tile of the product in steps of K along the inner dimension. Its Threads threads share the
/// tile out as register tiles of ThreadM x ThreadN; a thread that is alone owns them all. A multiprocessor of a device
/// shall hold Teams teams at once, which bounds the registers of a thread.
template <int M, int N, int K, int ThreadM, int ThreadN, int Threads, int Teams = 1>
struct PortableTile {
  static constexpr int m = M, n = N, k = K;
  static constexpr int thread_m = ThreadM, thread_n = ThreadN;
  static constexpr int threads = Threads, teams = Teams;

  static_assert(M % ThreadM == 0 && N % ThreadN == 0);
  static constexpr int register_rows    = M / ThreadM;
  static constexpr int register_columns = N / ThreadN;
  static_assert(register_rows * register_columns % Threads == 0);
  static constexpr int register_tiles = register_rows * register_columns / Threads;  // of one thread

  static constexpr TileShape shape() { return {M, N, K}; }
};

template <class... Tiles>
struct TileList {};

/// What a multiprocessor that is full of teams does in a cycle.
struct TileRate {
  double multiply_adds, stored_sums;
};

/// The most bytes that one instruction of a device moves.
inline constexpr std::size_t widest_access = 16;

/// Accumulators in one such access.
template <class T>
inline constexpr int pack_size = sizeof(T) < widest_access ? static_cast<int>(widest_access / sizeof(T)) : 1;

/// The tiles offered on a host or a device for an accumulator type, largest first, and how fast each is. Measured on an
/// H200; what counts is how they compare.
template <bool IsHost, class Accumulator>
struct PortableTiles;

// Host: a team is one thread, which walks through the register tiles. Their rows are long enough that compilers keep
// the loop over a row, and turn it into whole vectors of whatever width they are allowed, before they unroll anything.
template <class Accumulator>
struct PortableTiles<true, Accumulator> {
  using type = TileList<PortableTile<64, 64, 64, 2, 32, 1>>;
  static constexpr std::array rates{TileRate{1, 1}};
};

// Device: one register tile a thread, as large as registers allow, since what a thread reads of scratch is the less for
// it; the small tiles serve products too small to fill the device with large ones. Scratch stays below the 48 KiB that
// every Kokkos and every device allow.
template <class Accumulator>
requires(sizeof(Accumulator) <= 4) struct PortableTiles<false, Accumulator> {
  using smallest = PortableTile<32, 32, 32, 4, 4, 64, 8>;
  using type     = TileList<PortableTile<128, 128, 8, 8, 16, 128, 2>, PortableTile<64, 64, 16, 8, 4, 128, 4>, smallest>;
  static constexpr std::array rates{TileRate{94, 0.9}, TileRate{88, 1.2}, TileRate{75, 1.1}};
};
template <class Accumulator>
requires(sizeof(Accumulator) > 4) struct PortableTiles<false, Accumulator> {
  using smallest = PortableTile<32, 32, 16, 4, 4, 64, 6>;
  using type     = TileList<PortableTile<128, 64, 8, 8, 8, 128, 2>, PortableTile<64, 64, 16, 8, 4, 128, 3>, smallest>;
  static constexpr std::array rates{TileRate{48, 1.0}, TileRate{47, 1.4}, TileRate{41, 1.1}};
};

}  // namespace Tegula::Impl

#endif
