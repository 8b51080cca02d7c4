// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_KERNEL_CUH
#define TEGULA_TF32_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxAnew.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "../wgmma/Tegula_WgmmaFloatEpilogue.cuh"
#include "../wgmma/Tegula_WgmmaProducer.cuh"
#include "Tegula_Tf32Arguments.cuh"
#include "Tegula_Tf32Config.hpp"
#include "Tegula_Tf32Exact.cuh"
#include "Tegula_Tf32Mainloop.cuh"
#include "Tegula_Tf32x3Mainloop.cuh"

/// The kernel of the tf32 and tf32x3 families: a persistent team whose first warpgroup fetches what the others
/// multiply.

namespace Tegula::Impl {

template <class Config>
struct Tf32Kernel : Tf32Arguments {
  using ends_itself = void;

  using teams  = CudaTeamsOf<Config>;
  using member = typename teams::member;

  explicit Tf32Kernel(const Tf32Arguments& arguments) : Tf32Arguments(arguments) {}

  __device__ static CudaWork work_of(const Tf32Product& product, std::uint32_t number) { return product.tiles(number); }

  __device__ void operator()(const member& team) const {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    if (gridDim.x != team.league_size()) __trap();  // see below
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const std::uint32_t address = ptx::shared_address(scratch);
    const WgmmaPipeline<Config> pipeline(address);
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, team.team_rank() / 32, 0), warpgroup = warp * 32 / Config::warpgroup;
    const auto rank = static_cast<std::uint32_t>(team.league_rank());
    int fetched     = 0;
    if (warp == 0 && ptx::is_elected()) {
      ptx::prefetch_map(this->products[0].left);
      ptx::prefetch_map(this->products[0].right);
      if (this->products[0].output.by_tma) ptx::prefetch_map(this->products[0].output.C);
      if constexpr (Config::splits) Tf32x3Barriers<Config>(address).init();
      pipeline.init();
    }
    if (warp == 0) fetched = produce_first(pipeline, *this, rank, ptx::is_elected());
    team.team_barrier();
    if (warpgroup == 0) {
      ptx::leave_registers<producer_registers>();
      if (warp == 0) produce(pipeline, *this, rank, fetched, ptx::is_elected());
      if constexpr (Config::splits) {
        const int thread = team.team_rank() - 32;  // behind the producer's warp
        if (thread >= 0 && thread < Tf32x3Barriers<Config>::threads)
          split_right_operands<Config>(pipeline, Tf32x3Barriers<Config>(address), *this, rank, thread);
      }
    } else {
      ptx::take_registers<consumer_registers>();
      consume({pipeline, warpgroup - 1, team.team_rank() % Config::warpgroup}, address, rank);
    }
    // Kokkos' loop over the league would follow, and for its sake ptxas would not keep the sums in registers. The
    // league is never larger than the grid, so that nothing is left to do.
    ptx::exit_thread();
#endif
  }

 private:
  // A team's warpgroups have 168 registers a thread, or, of two teams at once, 128: more than the producer needs, fewer
  // than the sums need.
  static constexpr int producer_registers = Config::teams == 1 ? 40 : 24, consumer_registers = 232;
  static_assert((producer_registers + Config::consumers * consumer_registers) * Config::warpgroup * Config::teams <=
                64 * 1024);

  __device__ void consume(const Tf32Consumer<Config>& consumer, std::uint32_t scratch, std::uint32_t team) const {
    const Tf32Product& product = this->products[0];
    WgmmaStage<Config> stage{0, 0};
    for (WgmmaTurns<1> turns(this->shares, team); !turns.is_over(); turns.next()) {
      const CudaWork work = work_of(product, turns.number());
      const int steps     = work.step_end - work.step_begin;
      const auto bias =
          WgmmaFloatEpilogue<Config>(product.output, scratch, consumer.number, consumer.thread).fetch(work);
      Tf32Sums<Config> sums;
#pragma unroll
      for (float& sum : sums) sum = 0;
      const bool has_depth = product.left_fetch.major == Major::depth;
      if constexpr (Config::splits) {
        const Tf32x3Barriers<Config> barriers(scratch);
        has_depth ? Tf32x3Products<Config, Major::depth>(consumer, barriers, stage, sums).add(steps)
                  : Tf32x3Products<Config, Major::lines>(consumer, barriers, stage, sums).add(steps);
        form_exactly<Config>(product, work, consumer, sums);
      } else {
        has_depth ? multiply_add_depth<Config>(consumer, steps, stage, sums)
                  : multiply_add_lines<Config>(consumer, steps, stage, sums);
      }
      // The main loop wants all registers.
      WgmmaFloatEpilogue<Config>(product.output, scratch, consumer.number, ptx::anew(consumer.thread))
          .store(work, bias, sums);
    }
    ptx::wait_stores_read<0>();  // scratch may go
  }
};

}  // namespace Tegula::Impl

#endif
