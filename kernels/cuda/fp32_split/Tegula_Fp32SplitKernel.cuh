// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_KERNEL_CUH
#define TEGULA_FP32_SPLIT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../wgmma/Tegula_WgmmaEpilogue.cuh"
#include "Tegula_Fp32SplitExact.cuh"
#include "Tegula_Fp32SplitMainloop.cuh"
#include "Tegula_Fp32SplitProducer.cuh"

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
    const int warpgroup        = __shfl_sync(0xFFFFFFFFu, team.team_rank() / Config::warpgroup, 0);
    const Fp32SplitRoute route = this->operands.route();
    if (team.team_rank() == 0) {
      ptx::prefetch_map(this->product.left);
      ptx::prefetch_map(this->product.right);
      with_ring(scratch, route, []<class Scheme>(const Pipeline<Scheme>& pipeline) { pipeline.init(); });
    }
    team.team_barrier();
    if (warpgroup == 0) {
      ptx::leave_registers<producer_registers>();
      if (team.team_rank() == 0) {
        const auto rank = static_cast<std::uint32_t>(team.league_rank());
        with_ring(scratch, route, [&]<class Scheme>(const Pipeline<Scheme>& pipeline) {
          produce_parts<Config, Scheme>(pipeline, *this, rank);
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

  // Three warpgroups have 168 registers a thread: more than the producer needs, fewer than the sums need.
  static constexpr int producer_registers = 40, consumer_registers = 232;

  // Calls function(pipeline) with the pipeline of the route, if it has one.
  template <class Function>
  __device__ static void with_ring(char* scratch, Fp32SplitRoute route, const Function& function) {
    const std::uint32_t address = ptx::shared_address(scratch);
    if (route == Fp32SplitRoute::half_parts) function.template operator()<HalfParts>(Pipeline<HalfParts>(address));
    if (route == Fp32SplitRoute::bhalf_parts) function.template operator()<BhalfParts>(Pipeline<BhalfParts>(address));
  }

  // Computes all work items of a team. The epilogue is that of the wgmma family. Threads store float results, for which
  // Input is not used.
  __device__ void consume(const member& team, char* scratch, int consumer, Fp32SplitRoute route) const {
    using Input      = Bf16;
    const int thread = team.team_rank() % Config::warpgroup;
    Fp32SplitStage stage{0, 0};
    for (WgmmaTurns<1> turns(this->shares, team.league_rank()); !turns.is_over(); turns.next()) {
      const CudaWork work = this->product.tiles(turns.number());
      WgmmaSums<Config> sums;
#pragma unroll
      for (float& sum : sums[0]) sum = 0;
      with_ring(scratch, route, [&]<class Scheme>(const Pipeline<Scheme>& pipeline) {
        if (work.step_end <= work.step_begin) return;
        PartProducts<Config, Scheme>(pipeline, consumer, thread == 0, stage, sums).add(work.step_end - work.step_begin);
        scale_sums<Config>(this->operands, work, consumer, thread, sums);
      });
      if (route == Fp32SplitRoute::exact)
        multiply_add_exact<Config>(this->operands, work, scratch, consumer, thread, sums);
      const WgmmaEpilogue<Config, Input, WgmmaEpilogueKind::any> out(this->product, scratch, consumer, thread);
      std::uint32_t phases = 0;
      out.prepare(work, out.fetch_bias(work));
      out.store(work, sums, phases);
    }
  }
};

}  // namespace Tegula::Impl

#endif
