// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_KERNEL_CUH
#define TEGULA_TALL_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../Tegula_ElementEpilogue.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "Tegula_TallFetch.cuh"
#include "Tegula_TallGradient.cuh"
#include "Tegula_TallProductsDouble.cuh"
#include "Tegula_TallProductsFloat.cuh"

/// The kernel of the tall family. A team has a part of the rows of all long matrices, and each of its four warps every
/// fourth tile of that part. A warp brings dC, saved and A, forms dZ, multiplies, stores dA, and waits for no other
/// warp. Only the sums, dB^T and dbias, are added in the end, first those of warps and then, by another kernel, those
/// of teams.

namespace Tegula::Impl {

template <class Config, Major major, bool by_elements>
struct TallKernel : TallArguments<typename Config::element> {
  using T         = typename Config::element;
  using Arguments = TallArguments<T>;
  using Fetch     = TallFetch<Config, major, by_elements>;
  using Layout    = TallLayout<Config, major>;
  using teams     = CudaTeamsOf<Config>;
  using member    = typename teams::member;

  explicit TallKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int warp           = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const std::int32_t first = team.league_rank() * this->team_rows,
                       end   = this->m - first > this->team_rows ? first + this->team_rows : this->m;
    char* const tiles        = scratch + warp * Config::warp_bytes;
    T* const held            = reinterpret_cast<T*>(scratch + Config::warps * Config::warp_bytes);

    const std::int32_t row = first + warp * Config::tile_rows;
    const Fetch fetch(end, thread % 32);
    fetch_first(fetch, row, ptx::shared_address(tiles));
    hold(held, thread);
    team.team_barrier();
    TallGradient<Config, major> gradient(*this, thread % 32);
    TallProducts<T, Config, major> products(*this, held, thread % 32);
    stream(fetch, gradient, products, row, end, tiles, thread % 32);
    if (this->partial.slices == nullptr) return;

    T* const sums = reinterpret_cast<T*>(tiles);
    products.write(sums);
    gradient.write(sums + Config::width * Config::width);
    team.team_barrier();
    add(scratch, thread, this->partial.slices + team.league_rank() * std::int64_t(this->partial.slice_size()));
  }

 private:
  // The copies of a tile end in this order: dC, saved, A, which is multiplied last.
  __device__ void fetch_first(const Fetch& fetch, std::int32_t row, std::uint32_t tiles) const {
    fetch(this->dC, row, tiles);
    fetch(this->saved, row, tiles + Config::saved_at);
    fetch(this->A, row, tiles + Config::A_at);
  }

  __device__ void stream(const Fetch& fetch, TallGradient<Config, major>& gradient,
                         TallProducts<T, Config, major>& products, std::int32_t row, std::int32_t end,
                         const char* scratch, int lane) const {
    const std::uint32_t tiles = ptx::shared_address(scratch), saved_tile = tiles + Config::saved_at,
                        A_tile = tiles + Config::A_at;
    std::uint32_t dZ_tile = tiles, next_tile = tiles + Config::tile_bytes;
#pragma unroll 1
    while (row < end) {
      const std::int32_t next = end - row > Config::team_tile_rows ? row + Config::team_tile_rows : end;
      ptx::wait_copies<1>();
      __syncwarp();
      fetch(this->dC, next, next_tile);
      gradient.form(dZ_tile, saved_tile);
      __syncwarp();
      if (this->stores_runs) {
        fetch(this->saved, next, saved_tile);
        if (this->dA.data != nullptr) products.store_dA(dZ_tile, row);
      } else {
        products.put_dA(dZ_tile, saved_tile);
        __syncwarp();
        store_elements(reinterpret_cast<const T*>(scratch + Config::saved_at), row, lane);
        __syncwarp();
        fetch(this->saved, next, saved_tile);
      }
      ptx::wait_copies<2>();
      __syncwarp();
      if (this->partial.k > 0) products.add_to_dB(dZ_tile, A_tile);
      __syncwarp();
      fetch(this->A, next, A_tile);
      const std::uint32_t used = dZ_tile;
      dZ_tile                  = next_tile;
      next_tile                = used;
      row                      = next;
    }
    // The sums take the place of the tiles.
    __syncwarp();
  }

  struct AsTheyLie {
    __device__ static constexpr int offset(int row, int column) { return Layout::place(row, column) / Layout::size; }
  };
  struct Across {
    __device__ static constexpr int offset(int column, int row) { return Layout::place(row, column) / Layout::size; }
  };

  // Stores a tile of dA that does not lie as the tiles do, out of the place of saved.
  __device__ void store_elements(const T* tile, std::int32_t row, int lane) const {
    if (this->dA_elements.is_transposed) {
      ElementEpilogue<T, Across>(this->dA_elements, 0, row)
          .store(tile, this->dA_elements.m, LaneStride(Config::tile_rows), lane);
    } else {
      ElementEpilogue<T, AsTheyLie>(this->dA_elements, row, 0).store(tile, Config::tile_rows, this->dA_row, lane);
    }
  }

  // Brings B^T, with zeros around it.
  __device__ void hold(T* held, int thread) const {
    if (this->dA.data == nullptr) return;
#pragma unroll 4
    for (int at = thread; at < Config::width * Config::width; at += Config::threads) {
      const int line = at / Config::width, column = at % Config::width;
      held[at] = line < this->B.columns && column < this->B.rows ? this->B(column, line) : T(0);
    }
  }

  // The sums over all warps, always in the same order.
  __device__ void add(const char* scratch, int thread, T* slice) const {
    const TallSums<T>& p = this->partial;
#pragma unroll 1
    for (int at = thread; at < Config::sums; at += Config::threads) {
      const bool is_dbias = at >= Config::width * Config::width;
      const int line      = is_dbias ? at - Config::width * Config::width : at / Config::width;
      const int column    = at % Config::width;
      if (line >= p.n || (is_dbias ? !p.has_dbias : column >= p.k)) continue;
      T total = 0;
#pragma unroll
      for (int warp = 0; warp < Config::warps; ++warp)
        total += reinterpret_cast<const T*>(scratch + warp * Config::warp_bytes)[at];
      slice[is_dbias ? p.n * p.k + line : line * p.k + column] = total;
    }
  }
};

}  // namespace Tegula::Impl

#endif
