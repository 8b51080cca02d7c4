// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_KERNEL_CUH
#define TEGULA_TF32_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "../wgmma/Tegula_WgmmaProducer.cuh"
#include "Tegula_Tf32Epilogue.cuh"

/// The kernel of the tf32 family: a persistent team whose first warpgroup fetches what the others multiply.

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
    const int warpgroup = __shfl_sync(0xFFFFFFFFu, team.team_rank() / Config::warpgroup, 0);
    const auto rank     = static_cast<std::uint32_t>(team.league_rank());
    int fetched         = 0;
    if (team.team_rank() == 0) {
      ptx::prefetch_map(this->products[0].left);
      ptx::prefetch_map(this->products[0].right);
      if (this->products[0].by_tma) ptx::prefetch_map(this->products[0].C);
      pipeline.init();
      fetched = produce_first(pipeline, *this, rank);
    }
    team.team_barrier();
    if (warpgroup == 0) {
      ptx::leave_registers<producer_registers>();
      if (team.team_rank() == 0) produce(pipeline, *this, rank, fetched);
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
  // Three warpgroups have 168 registers a thread: more than the producer needs, fewer than the sums need.
  static constexpr int producer_registers = 40, consumer_registers = 232;

  __device__ void consume(const Tf32Consumer<Config>& consumer, std::uint32_t scratch, std::uint32_t team) const {
    const Tf32Product& product = this->products[0];
    const Tf32Epilogue<Config> out(product, scratch, consumer.number, consumer.thread);
    WgmmaStage<Config> stage{0, 0};
    for (WgmmaTurns<1> turns(this->shares, team); !turns.is_over(); turns.next()) {
      const CudaWork work = work_of(product, turns.number());
      const int steps     = work.step_end - work.step_begin;
      Tf32Sums<Config> sums;
#pragma unroll
      for (float& sum : sums) sum = 0;
      if (product.left_fetch.major == Major::depth) {
        multiply_add_depth<Config>(consumer, steps, stage, sums);
      } else {
        multiply_add_lines<Config>(consumer, steps, stage, sums);
      }
      out.store(work, sums);
    }
    if (consumer.thread == 0) ptx::wait_stores_read<0>();  // scratch may go
  }
};

}  // namespace Tegula::Impl

#endif
