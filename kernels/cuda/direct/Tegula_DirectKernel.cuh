// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_KERNEL_CUH
#define TEGULA_DIRECT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_DirectProduct.cuh"
#include "Tegula_DirectStore.cuh"

/// The kernel of the direct family: a team, or a cluster of teams, computes one tile.

namespace Tegula::Impl {

template <class Config, class Input>
struct DirectKernel : DirectArguments<bits_t<Input>> {
  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = DirectArguments<Bits>;
  using teams =
      CudaTeams<direct_threads, direct_teams, direct_warps * Config::warp_sums* static_cast<int>(sizeof(Sum)) + 16>;
  using member = typename teams::member;

  explicit DirectKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    Sum* const scratch = static_cast<Sum*>(
        team.team_scratch(0).get_shmem_aligned(int(direct_warps * Config::warp_sums * sizeof(Sum)), 16));
    const Arguments& p = *this;
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0), lane = thread % 32;
    const int cluster = p.cluster, rank = cluster == 1 ? 0 : ptx::cluster_rank();
    const int tile        = team.league_rank() / cluster;
    const int tile_warps  = direct_warps >> p.depth_warps;  // that have lines of their own
    const int columns     = (p.n + Config::tile_n - 1) / Config::tile_n;
    const int row         = tile / columns * tile_warps * Config::tile_m;
    const int column      = tile % columns * Config::tile_n;
    const DirectPart part = {row + warp % tile_warps * Config::tile_m, column,
                             (rank << p.depth_warps) + warp / tile_warps, cluster << p.depth_warps};

    const DirectStore<Config, Bits> result(p, row, column, rank, thread);
    DirectSums<Config, Bits> sums = {};
    if (part.row < p.m) multiply(part, lane, sums);
    put(sums, scratch + warp * Config::warp_sums, lane);
    result.store(scratch, thread);
  }

 private:
  __device__ void multiply(const DirectPart& part, int lane, DirectSums<Config, Bits>& sums) const {
    const auto multiply_by = [&]<DirectRead left, DirectRead right>() {
      DirectProduct<Config, Input, left, right>(*this, part, lane).run(sums);
    };
    const auto multiply_left = [&]<DirectRead left>() {
      this->read_right == DirectRead::depth ? multiply_by.template operator()<left, DirectRead::depth>()
                                            : multiply_by.template operator()<left, DirectRead::elements>();
    };
    switch (this->read_left) {
      case DirectRead::depth:
        return multiply_left.template operator()<DirectRead::depth>();
      case DirectRead::lines:
        return multiply_left.template operator()<DirectRead::lines>();
      default:
        return multiply_left.template operator()<DirectRead::elements>();
    }
  }

  // Writes the sums of a warp to its part of scratch, each added over the lanes that share its depth.
  __device__ void put(DirectSums<Config, Bits>& sums, Sum* to, int lane) const {
    const DirectLane<Config> at(lane);
    const bool by_lines = this->read_left == DirectRead::lines;
#pragma unroll
    for (int r = 0; r < Config::rows; ++r)
#pragma unroll
      for (int c = 0; c < Config::columns; ++c) {
#pragma unroll
        for (int distance = 1; distance < Config::depth_lanes; distance *= 2)
          sums[r][c] += __shfl_xor_sync(0xFFFFFFFFu, sums[r][c], distance);
        const int row    = by_lines ? direct_line<DirectRead::lines, Config::row_lanes, Config::rows>(at.row, r)
                                    : direct_line<DirectRead::depth, Config::row_lanes, Config::rows>(at.row, r);
        const int column = direct_line<DirectRead::depth, Config::column_lanes, Config::columns>(at.column, c);
        if (at.depth == 0) to[row * Config::pitch + column] = sums[r][c];
      }
  }
};

}  // namespace Tegula::Impl

#endif
