// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_TILES_HPP
#define TEGULA_PORTABLE_TILES_HPP

#include <cstddef>
#include <type_traits>

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_TileOrder.hpp"

/// The tile sizes of the portable kernel, as data.

namespace Tegula::Impl {

/// A team computes an M x N tile of the product in steps of K along the inner dimension. Its Threads threads share the
/// tile out as register tiles of ThreadM x ThreadN; a thread may own several.
template <int M, int N, int K, int ThreadM, int ThreadN, int Threads>
struct PortableTile {
  static constexpr int m = M, n = N, k = K;
  static constexpr int thread_m = ThreadM, thread_n = ThreadN;
  static constexpr int threads = Threads;

  static_assert(M % ThreadM == 0 && N % ThreadN == 0);
  static constexpr int register_rows    = M / ThreadM;
  static constexpr int register_columns = N / ThreadN;
  static_assert(register_rows * register_columns % Threads == 0);
  static constexpr int register_tiles = register_rows * register_columns / Threads;  // of one thread

  // A panel is stored k-major. Where many threads write it, one element of padding a line keeps them off each other's
  // scratch banks.
  static constexpr int padding     = Threads > 1 ? 1 : 0;
  static constexpr int left_pitch  = M + padding;
  static constexpr int right_pitch = N + padding;

  static constexpr std::size_t alignment = 64;
  template <class T>
  static constexpr std::size_t left_bytes = sizeof(T) * left_pitch* K;
  template <class T>
  static constexpr std::size_t right_bytes = sizeof(T) * right_pitch* K;
  template <class T>
  static constexpr std::size_t scratch_bytes = left_bytes<T> + right_bytes<T> + 2 * alignment;

  // Registers of 32 bits that a thread needs, roughly: two register tiles (the sums, and those of one step), the
  // elements they are multiplied from, and addresses.
  template <class T>
  static constexpr int registers = static_cast<int>(sizeof(T) / 4) * (2 * ThreadM * ThreadN + ThreadM + ThreadN) + 48;

  static constexpr TileShape shape() { return {M, N, K}; }
};

template <class... Tiles>
struct TileList {};

/// The tiles offered on an execution space for an accumulator type, largest first.
template <class ExecutionSpace, class Accumulator>
struct PortableTiles;

// Host: a team is one thread, which walks through the register tiles. Their rows are long enough that compilers keep
// the loop over a row, and turn it into whole vectors of whatever width they are allowed, before they unroll anything.
template <class ExecutionSpace, class Accumulator>
requires is_host_space<ExecutionSpace>
struct PortableTiles<ExecutionSpace, Accumulator> {
  using type = TileList<PortableTile<64, 64, 64, 2, 32, 1>>;
};

// Device: one register tile a thread; the small tile serves products too small to fill the device with large ones.
// Scratch stays below the 48 KiB that every Kokkos and every device allow.
template <class ExecutionSpace, class Accumulator>
requires(!is_host_space<ExecutionSpace> && sizeof(Accumulator) <= 4) struct PortableTiles<ExecutionSpace, Accumulator> {
  using type = TileList<PortableTile<128, 128, 16, 8, 8, 256>, PortableTile<32, 32, 32, 4, 4, 64>>;
};
template <class ExecutionSpace, class Accumulator>
requires(!is_host_space<ExecutionSpace> && sizeof(Accumulator) > 4) struct PortableTiles<ExecutionSpace, Accumulator> {
  using type = TileList<PortableTile<64, 64, 16, 4, 4, 256>, PortableTile<32, 32, 16, 4, 4, 64>>;
};

}  // namespace Tegula::Impl

#endif
