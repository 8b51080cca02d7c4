// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_KERNEL_CUH
#define TEGULA_FP32_SPLIT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxAnew.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "../wgmma/Tegula_WgmmaFloatEpilogue.cuh"
#include "Tegula_Fp32SplitExact.cuh"
#include "Tegula_Fp32SplitMainloop.cuh"
#include "Tegula_Fp32SplitProducer.cuh"
#include "Tegula_Fp32SplitScales.cuh"

/// The kernel of the fp32_split family: a persistent team, whose first warpgroup fetches what the others multiply. All
/// teams take the route that the passes before it have found.

namespace Tegula::Impl {

template <class Config>
struct Fp32SplitKernel : Fp32SplitArguments {
  using ends_itself = void;

  using teams  = CudaTeamsOf<Config>;
  using member = typename teams::member;

  explicit Fp32SplitKernel(const Fp32SplitArguments& arguments) : Fp32SplitArguments(arguments) {}

  __device__ void operator()(const member& team) const {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    if (gridDim.x != team.league_size()) __trap();  // see below
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, team.team_rank() / 32, 0), warpgroup = warp * 32 / Config::warpgroup;
    const Fp32SplitRoute route = this->operands.route();
    if (warp == 0 && ptx::is_elected()) {
      ptx::prefetch_map(this->left);
      ptx::prefetch_map(this->right);
      if (this->output.by_tma) ptx::prefetch_map(this->output.C);
      with_ring(scratch, route, []<class Scheme>(const Pipeline<Scheme>& pipeline) { pipeline.init(); });
    }
    team.team_barrier();
    if (warpgroup == 0) {
      ptx::leave_registers<producer_registers>();
      if (warp == 0) {
        const auto rank = static_cast<std::uint32_t>(team.league_rank());
        with_ring(scratch, route, [&]<class Scheme>(const Pipeline<Scheme>& pipeline) {
          produce_parts<Config, Scheme>(pipeline, *this, rank, ptx::is_elected());
        });
      }
    } else {
      ptx::take_registers<consumer_registers>();
      consume(team, scratch, warpgroup - 1, route);
    }
    // Kokkos' loop over the league would follow in a TeamPolicy, and for its sake ptxas would not keep the sums in
    // registers. The league is never larger than the grid, so that nothing is left to do.
    ptx::exit_thread();
#endif
  }

 private:
  template <class Scheme>
  using Pipeline = WgmmaPipeline<Fp32SplitRing<Config, Scheme>>;

  // A team's warpgroups have 168 registers a thread, or, of two teams at once, 128: more than the producer needs, fewer
  // than the sums need.
  static constexpr int producer_registers = Config::teams == 1 ? 40 : 24, consumer_registers = 232;
  static_assert((producer_registers + Config::consumers * consumer_registers) * Config::warpgroup * Config::teams <=
                64 * 1024);

  // Calls function(pipeline) with the pipeline of the route, if it has one.
  template <class Function>
  __device__ static void with_ring(char* scratch, Fp32SplitRoute route, const Function& function) {
    const std::uint32_t address = ptx::shared_address(scratch);
    if (route == Fp32SplitRoute::half_parts) function.template operator()<HalfParts>(Pipeline<HalfParts>(address));
    if (route == Fp32SplitRoute::bhalf_parts) function.template operator()<BhalfParts>(Pipeline<BhalfParts>(address));
  }

  // Computes all work items of a team.
  __device__ void consume(const member& team, char* scratch, int consumer, Fp32SplitRoute route) const {
    const int thread            = team.team_rank() % Config::warpgroup;
    const std::uint32_t address = ptx::shared_address(scratch);
    Fp32SplitStage stage{0, 0};
    for (WgmmaTurns<1> turns(this->shares, team.league_rank()); !turns.is_over(); turns.next()) {
      const CudaWork work  = this->tiles(turns.number());
      const bool has_parts = route != Fp32SplitRoute::exact && work.step_end > work.step_begin;
      const auto bias      = WgmmaFloatEpilogue<Config>(this->output, address, consumer, thread).fetch(work);
      typename Fp32SplitScales<Config>::Fetched scales{};
      if (has_parts) scales = Fp32SplitScales<Config>(this->operands, address, consumer, thread).fetch(work);
      Fp32SplitSums<Config> sums;
#pragma unroll
      for (float& sum : sums) sum = 0;
      with_ring(scratch, route, [&]<class Scheme>(const Pipeline<Scheme>& pipeline) {
        if (has_parts)
          PartProducts<Config, Scheme>(pipeline, consumer, thread == 0, stage, sums)
              .add(work.step_end - work.step_begin);
      });
      if (route == Fp32SplitRoute::exact)
        multiply_add_exact<Config>(this->operands, work, scratch, consumer, thread, sums);
      // The main loop wants all registers.
      const int again = ptx::anew(thread);
      if (has_parts) Fp32SplitScales<Config>(this->operands, address, consumer, again).apply(scales, sums);
      WgmmaFloatEpilogue<Config>(this->output, address, consumer, again).store(work, bias, sums);
    }
    ptx::wait_stores_read<0>();  // scratch may go
  }
};

}  // namespace Tegula::Impl

#endif
