// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_KERNEL_CUH
#define TEGULA_WGMMA_KERNEL_CUH

#include "Tegula_WgmmaConfig.hpp"
#include "Tegula_WgmmaEpilogue.cuh"
#include "Tegula_WgmmaMainloop.cuh"
#include "Tegula_WgmmaProducer.cuh"

/// The kernel of the wgmma family: a persistent team whose first warpgroup fetches what the others multiply.

namespace Tegula::Impl {

/// What a kernel is told.
struct WgmmaArguments {
  CUtensorMap left, right, C, Z;
  WgmmaFetch left_fetch, right_fetch;
  TensorTiles tiles;
  WgmmaEpilogueParameters epilogue;
};

template <class Config, class Input, bool plain>
struct WgmmaKernel : WgmmaArguments {
  using config = Config;
  using policy = Kokkos::TeamPolicy<Kokkos::Cuda, Kokkos::LaunchBounds<Config::threads, 1>>;
  using member = typename policy::member_type;

  explicit WgmmaKernel(const WgmmaArguments& arguments) : WgmmaArguments(arguments) {}

  __device__ void operator()(const member& team) const {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const WgmmaPipeline<Config> pipeline(ptx::shared_address(scratch));
    // The same in all threads of a warp, and the compiler is to know it.
    const int warpgroup = __shfl_sync(0xFFFFFFFFu, team.team_rank() / Config::warpgroup, 0);
    const auto first    = static_cast<std::uint32_t>(team.league_rank()),
               teams    = static_cast<std::uint32_t>(team.league_size());

    if (gridDim.x != team.league_size()) __trap();  // see below
    if (team.team_rank() == 0) {
      ptx::prefetch_map(left);
      ptx::prefetch_map(right);
      pipeline.init();
    }
    team.team_barrier();
    if (warpgroup == 0) {
      if constexpr (moves_registers) ptx::leave_registers<producer_registers>();
      if (team.team_rank() == 0) produce<Config>(pipeline, tiles, left, left_fetch, right, right_fetch, first, teams);
    } else {
      if constexpr (moves_registers) ptx::take_registers<consumer_registers>();
      consume(pipeline, scratch, warpgroup - 1, team.team_rank() % Config::warpgroup, first, teams);
    }
    // Kokkos' loop over the league would follow, and ptxas would keep the sums out of registers for it. The league is
    // never larger than the grid, so that there is nothing left to do.
    ptx::exit_thread();
#endif
  }

 private:
  // A kernel of three warpgroups has 168 registers a thread: more than the producer needs, less than the sums do.
  static constexpr bool moves_registers   = Config::consumers == 2;
  static constexpr int producer_registers = 40, consumer_registers = 232;

  __device__ void consume(const WgmmaPipeline<Config>& pipeline, char* scratch, int consumer, int thread,
                          std::uint32_t first, std::uint32_t teams) const {
    WgmmaEpilogue<Config, Input, plain> out(epilogue, C, Z, scratch, consumer, thread);
    WgmmaStage<Config> stage{0, 0};
    for (std::uint32_t rank = first; rank < tiles.works(); rank += teams) {
      const TensorWork work = tiles(rank);
      WgmmaSums<Config> sums;
#pragma unroll
      for (auto& block : sums)
#pragma unroll
        for (float& sum : block) sum = 0;
      const auto bias = out.fetch_bias(work);
      multiply_add<Config, Input>(pipeline, left_fetch.major, right_fetch.major, consumer, thread == 0,
                                  work.step_end - work.step_begin, stage, sums);
      out.store(work, bias, sums);
    }
    out.finish();
  }
};

}  // namespace Tegula::Impl

#endif
