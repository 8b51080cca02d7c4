// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_KERNEL_CUH
#define TEGULA_NARROW_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../direct/Tegula_DirectStore.cuh"
#include "Tegula_NarrowProduct.cuh"

/// The kernel of the narrow family: a team, or a cluster of teams, computes one tile. Nobody waits for anybody before
/// the sums of warps are added.

namespace Tegula::Impl {

template <class Config, class Input, NarrowForm form, bool is_shared>
struct NarrowKernel : NarrowArguments<bits_t<Input>> {
  using begins_itself = void;

  using Bits      = bits_t<Input>;
  using Arguments = NarrowArguments<Bits>;
  using Sum       = sum_t<Bits>;
  using teams     = CudaTeams<direct_threads, Config::teams, direct_scratch<Config, Bits, is_shared>()>;
  using member    = typename teams::member;

  static constexpr int used_bytes = direct_used<Config, Bits, is_shared>();

  explicit NarrowKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    const Arguments& p = *this;
    Sum* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(used_bytes), int(direct_alignment)));
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const int cluster = is_shared ? p.how.cluster : 0, rank = is_shared ? ptx::cluster_rank() : 0;
    // Most numbers are powers of 2, since a division takes as long as a few dozen other instructions.
    const int tile       = static_cast<int>(team.league_rank()) >> cluster;
    const int line_warps = direct_warps_log2 - p.how.depth_warps;  // log2 of the warps that have lines of their own
    const int columns    = (p.n + Config::tile_n - 1) / Config::tile_n;
    const int tile_row   = columns == 1 ? tile : tile / columns;
    const int row        = (tile_row << line_warps) * Config::tile_m;
    const int column     = (tile - tile_row * columns) * Config::tile_n;
    const int warp_row   = row + (warp & ((1 << line_warps) - 1)) * Config::tile_m;

    NarrowProduct<Config, Input, form> product(p, warp_row, column, thread % 32);
    DirectStore<Config, Bits, Arguments, is_shared> result(p, scratch, row, column, rank, thread);
    begin_in_order(team);
    result.ask_first();
    if (warp_row < p.m)
      product.run((rank << p.how.depth_warps) + (warp >> line_warps), 1 << (cluster + p.how.depth_warps));
    product.put(scratch + warp * Config::warp_sums);
    result.store();
  }
};

}  // namespace Tegula::Impl

#endif
