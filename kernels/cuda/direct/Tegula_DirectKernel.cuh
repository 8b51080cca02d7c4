// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_KERNEL_CUH
#define TEGULA_DIRECT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_DirectProduct.cuh"
#include "Tegula_DirectStore.cuh"

/// The kernel of the direct family: a team, or a cluster of teams, computes one tile. There is one for each pair of
/// ways to read operands, and not one that chooses: a kernel waits for its code, too, and least if that is short and in
/// one piece.

namespace Tegula::Impl {

template <class Config, class Input, DirectRead left_by, DirectRead right_by>
struct DirectKernel : DirectArguments<bits_t<Input>> {
  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = DirectArguments<Bits>;
  using teams     = CudaTeams<direct_threads, direct_teams, direct_scratch<Config, Bits>()>;
  using member    = typename teams::member;

  static constexpr int sums_bytes = direct_sums<Config, Bits>();

  explicit DirectKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    Sum* const scratch = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(sums_bytes, direct_alignment));
    const Arguments& p = *this;
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0), lane = thread % 32;
    const int rank = p.cluster == 0 ? 0 : ptx::cluster_rank();
    // Most numbers are powers of 2, since a division takes as long as a few dozen other instructions.
    const int tile        = team.league_rank() >> p.cluster;
    const int line_warps  = direct_warps_log2 - p.depth_warps;  // log2 of the warps that have lines of their own
    const int columns     = (p.n + Config::tile_n - 1) / Config::tile_n;
    const int tile_row    = columns == 1 ? tile : tile / columns;
    const int row         = (tile_row << line_warps) * Config::tile_m;
    const int column      = (tile - tile_row * columns) * Config::tile_n;
    const DirectPart part = {row + (warp & ((1 << line_warps) - 1)) * Config::tile_m, column,
                             (rank << p.depth_warps) + (warp >> line_warps), 1 << (p.cluster + p.depth_warps)};

    const DirectStore<Config, Bits> result(p, row, column, rank, thread);
    DirectSums<Config, Bits> sums = {};
    if (part.row < p.m) DirectProduct<Config, Input, left_by, right_by>(p, part, lane).run(sums);
    put(sums, scratch + warp * Config::warp_sums, lane);
    result.store(scratch, thread);
  }

 private:
  // Writes the sums of a warp to its part of scratch, each added over the lanes that share its depth.
  __device__ void put(DirectSums<Config, Bits>& sums, Sum* to, int lane) const {
    const DirectLane<Config> at(lane);
#pragma unroll
    for (int r = 0; r < Config::rows; ++r)
#pragma unroll
      for (int c = 0; c < Config::columns; ++c) {
#pragma unroll
        for (int distance = 1; distance < Config::depth_lanes; distance *= 2)
          sums[r][c] += __shfl_xor_sync(0xFFFFFFFFu, sums[r][c], distance);
        const int row    = direct_line<left_by, Config::row_lanes, Config::rows>(at.row, r);
        const int column = direct_line<right_by, Config::column_lanes, Config::columns>(at.column, c);
        if (at.depth == 0) to[row * Config::pitch + column] = sums[r][c];
      }
  }
};

}  // namespace Tegula::Impl

#endif
