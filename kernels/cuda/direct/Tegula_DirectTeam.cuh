// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_TEAM_CUH
#define TEGULA_DIRECT_TEAM_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_DirectProduct.cuh"
#include "Tegula_DirectStore.cuh"

namespace Tegula::Impl {

/// What a team, or a cluster of teams, does for a tile of a product.
template <class Config, class Input, DirectRead left_by, DirectRead right_by, class Left, class Arguments,
          bool is_shared>
class DirectTeam {
  using Bits = bits_t<Input>;
  using Sum  = sum_t<Bits>;

 public:
  /// `team` counts from the first one of the product; scratch has room for direct_used().
  __device__ DirectTeam(const Arguments& arguments, Sum* scratch, int team, int thread)
      : p_(arguments), scratch_(scratch), team_(team), thread_(thread) {}

  /// `left`: a Left, which reads the left operand. Where everything is, is known before the kernel in front has ended.
  template <class Member>
  __device__ void compute(const Member& team, Left left) const {
    const int warp = __shfl_sync(0xFFFFFFFFu, thread_ / 32, 0), lane = thread_ % 32;
    const int cluster = is_shared ? p_.how.cluster : 0, rank = is_shared ? ptx::cluster_rank() : 0;
    // Most numbers are powers of 2, since a division takes as long as a few dozen other instructions.
    const int tile        = team_ >> cluster;
    const int line_warps  = direct_warps_log2 - p_.how.depth_warps;  // log2 of the warps that have lines of their own
    const int columns     = (p_.n + Config::tile_n - 1) / Config::tile_n;
    const int tile_row    = columns == 1 ? tile : tile / columns;
    const int row         = (tile_row << line_warps) * Config::tile_m;
    const int column      = (tile - tile_row * columns) * Config::tile_n;
    const DirectPart part = {row + (warp & ((1 << line_warps) - 1)) * Config::tile_m, column,
                             (rank << p_.how.depth_warps) + (warp >> line_warps), 1 << (cluster + p_.how.depth_warps)};

    DirectProduct<Config, Input, left_by, right_by, Left> product(p_, part, lane, left);
    DirectStore<Config, Bits, Arguments, is_shared> result(p_, scratch_, row, column, rank, thread_);
    begin_in_order(team);
    result.ask_first();
    DirectSums<Config, Bits> sums = {};
    if (part.row < p_.m) product.run(sums);
    put(sums, scratch_ + warp * Config::warp_sums, lane);
    if constexpr (Arguments::sums_rows) put_row_sums(left.row_sums, scratch_ + warp * Config::warp_sums, lane);
    result.store();
  }

 private:
  // Writes the sums of a warp to its part of scratch, each added over the lanes that share its depth.
  __device__ void put(DirectSums<Config, Bits>& sums, Sum* to, int lane) const {
    const DirectLane<Config> at(lane);
#pragma unroll
    for (int r = 0; r < Config::rows; ++r)
#pragma unroll
      for (int c = 0; c < Config::columns; ++c) {
        sums[r][c]       = added_over_depth(sums[r][c]);
        const int row    = direct_line<left_by, Config::row_lanes, Config::rows>(at.row, r);
        const int column = direct_line<right_by, Config::column_lanes, Config::columns>(at.column, c);
        if (at.depth == 0) to[row * Config::pitch + column] = sums[r][c];
      }
  }

  // The sums of the left operand's lines, behind the sums of the row. All lanes side by side have the same.
  __device__ void put_row_sums(Sum (&sums)[Config::rows], Sum* to, int lane) const {
    const DirectLane<Config> at(lane);
#pragma unroll
    for (int r = 0; r < Config::rows; ++r) {
      sums[r]       = added_over_depth(sums[r]);
      const int row = direct_line<left_by, Config::row_lanes, Config::rows>(at.row, r);
      if (at.depth == 0 && at.column == 0) to[row * Config::pitch + Config::tile_n] = sums[r];
    }
  }

  __device__ static Sum added_over_depth(Sum sum) {
#pragma unroll
    for (int distance = 1; distance < Config::depth_lanes; distance *= 2)
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, distance);
    return sum;
  }

  const Arguments& p_;
  Sum* scratch_;
  int team_, thread_;
};

}  // namespace Tegula::Impl

#endif
