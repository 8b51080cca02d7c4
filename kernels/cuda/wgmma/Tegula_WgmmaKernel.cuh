// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_KERNEL_CUH
#define TEGULA_WGMMA_KERNEL_CUH

#include "../Tegula_ColumnSums.cuh"
#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxCluster.cuh"
#include "../ptx/Tegula_PtxDependents.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "Tegula_WgmmaConfig.hpp"
#include "Tegula_WgmmaEpilogue.cuh"
#include "Tegula_WgmmaMainloop.cuh"
#include "Tegula_WgmmaProducer.cuh"
#include "Tegula_WgmmaTurn.cuh"

/// The kernel of the wgmma family: a persistent team whose first warpgroup fetches what the others multiply.

namespace Tegula::Impl {

template <class Config, class Input, class Activation, WgmmaEpilogueKind kind, int Products>
struct WgmmaKernel : WgmmaArguments<Products, Activation> {
  using begins_itself = void;
  using ends_itself   = void;

  using teams  = CudaTeamsOf<Config>;
  using member = typename teams::member;

  explicit WgmmaKernel(const WgmmaArguments<Products, Activation>& arguments)
      : WgmmaArguments<Products, Activation>(arguments) {}

  /// A work item of a product.
  __device__ static CudaWork work_of(const WgmmaProduct<Activation>& product, std::uint32_t number) {
    if constexpr (takes_all_runs<kind>) {
      return product.tiles(number);
    } else {
      return product.tiles.uncut(number);
    }
  }

  __device__ void operator()(const member& team) const {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const WgmmaPipeline<Config> pipeline(ptx::shared_address(scratch));
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, team.team_rank() / 32, 0), warpgroup = warp * 32 / Config::warpgroup;
    // The teams of a tile are neighbours.
    const auto rank = static_cast<std::uint32_t>(team.league_rank()) / Config::tile_teams;
    const int part  = Config::tile_teams > 1 ? ptx::cluster_rank() : 0;

    if (gridDim.x != team.league_size()) __trap();  // see below
    int fetched = 0;
    if (warp == 0 && ptx::is_elected()) {
      for (const auto& product : this->products) {
        ptx::prefetch_map(product.left);
        ptx::prefetch_map(product.right);
        if (product.epilogue.C.is_by_runs()) ptx::prefetch_map(product.results.C);
      }
      WgmmaBuffers<Config>::init(ptx::shared_address(scratch));
      pipeline.init();
    }
    ptx::wait_for_kernel_in_front();
    // Sums are added, and results finished, by small teams that go where one of these has ended, and have their code
    // and arguments there when the last one ends. Teams of another product have no room there: to launch them early
    // makes them late, as was measured.
    if (this->is_followed) ptx::let_kernel_behind_begin();
    if constexpr (fetches_first)
      if (warp == 0) fetched = produce_first(pipeline, *this, rank, ptx::is_elected());
    barrier_of_tile(team);
    if (warpgroup == 0) {
      if constexpr (moves_registers) ptx::leave_registers<producer_registers>();
      if (warp == 0) produce(pipeline, *this, rank, fetched, ptx::is_elected(), part);
      if (this->column_sums.parts_of_sums != nullptr) add_sums(team);
    } else {
      if constexpr (moves_registers) ptx::take_registers<consumer_registers>();
      consume(pipeline, scratch, warpgroup - 1, team.team_rank() % Config::warpgroup, rank, part);
    }
    // Kokkos' loop over the league would follow in a TeamPolicy, and for its sake ptxas would not keep the sums in
    // registers. The league is never larger than the grid, so that nothing is left to do.
    ptx::exit_thread();
#endif
  }

 private:
  // Three warpgroups have 168 registers a thread and four have 128: more than the producer needs, fewer than the sums
  // need.
  static constexpr bool moves_registers   = Config::consumers > 1;
  static constexpr int producer_registers = Config::consumers == 3 ? 56 : 40,
                       consumer_registers = Config::consumers == 3 ? 152 : 232;

  // The first step is fetched before the team's first barrier. A small tile comes soon enough without that, and its
  // kernel should be short; so should that of two products, which is the longest. A step for several teams waits for
  // their barriers to be there.
  static constexpr bool fetches_first = Config::consumers > 1 && Products == 1 && Config::tile_teams == 1;

  // Waits for all teams of a tile.
  __device__ static void barrier_of_tile(const member& team) {
    if constexpr (Config::tile_teams > 1) {
      __syncwarp();
      ptx::cluster_arrive_after_init();
      ptx::cluster_wait();
    } else {
      team.team_barrier();
    }
  }

  // Adds column sums. The warps of the first warpgroup that fetch nothing do that.
  __device__ void add_sums(const member& team) const {
    constexpr int warp_lanes = 32, idle_warps = Config::warpgroup / warp_lanes - 1;
    const int warp = team.team_rank() / warp_lanes - 1;
    if (warp >= 0)
      add_column_sums(this->column_sums, team.league_rank() * idle_warps + warp, team.league_size() * idle_warps,
                      team.team_rank() % warp_lanes);
  }

  __device__ void consume(const WgmmaPipeline<Config>& pipeline, char* scratch, int consumer, int thread,
                          std::uint32_t number, int part) const {
    WgmmaStage<Config> stage{0, 0};
    WgmmaTurn<Config> turn(pipeline, consumer, thread);
    std::uint32_t phases = 0;  // of buffers
    for (WgmmaTurns<Products> turns(this->shares, number); !turns.is_over(); turns.next()) {
      const auto& product = this->products[turns.product()];
      const CudaWork work = part_of<Config>(work_of(product, turns.number()), part);
      const int steps     = work.step_end - work.step_begin;
      if (turn.is_others()) {
        stage.skip(steps);
        continue;
      }
      const WgmmaEpilogue<Config, Input, kind, Activation, Products> out(product, scratch, consumer, thread);
      WgmmaSums<Config> sums;
#pragma unroll
      for (auto& block : sums)
#pragma unroll
        for (float& sum : block) sum = 0;
      const auto bias = out.fetch_bias(work);
      out.fetch(work);
      __syncwarp();
      turn.wait();
      multiply_add<Config, Input>(pipeline, product.left_fetch.major, product.right_fetch.major, consumer, thread,
                                  steps, stage, sums, [&] {
                                    turn.pass_on();
                                    out.prepare(work, bias);
                                  });
      out.store(work, sums, phases);
    }
    if (thread == 0) ptx::wait_stores_read<0>();  // scratch may be released
  }
};

}  // namespace Tegula::Impl

#endif
