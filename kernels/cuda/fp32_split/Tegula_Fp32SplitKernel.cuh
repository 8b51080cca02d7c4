// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_KERNEL_CUH
#define TEGULA_FP32_SPLIT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../wgmma/Tegula_WgmmaEpilogue.cuh"
#include "Tegula_Fp32SplitEnd.cuh"
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

  // Computes all work items of a team. What the short end does not do is left to the epilogue of the wgmma family,
  // which has Input for results of 16 bits only.
  __device__ void consume(const member& team, char* scratch, int consumer, Fp32SplitRoute route) const {
    using Input      = Bf16;
    const int thread = team.team_rank() % Config::warpgroup;
    Fp32SplitStage stage{0, 0};
    for (WgmmaTurns<1> turns(this->shares, team.league_rank()); !turns.is_over(); turns.next()) {
      const CudaWork work  = this->product.tiles(turns.number());
      const bool has_parts = route != Fp32SplitRoute::exact && work.step_end > work.step_begin;
      typename Fp32SplitScales<Config>::Fetched scales{};
      if (has_parts) scales = Fp32SplitScales<Config>(this->operands, consumer, thread).fetch(work);
      WgmmaSums<Config> sums;
#pragma unroll
      for (float& sum : sums[0]) sum = 0;
      with_ring(scratch, route, [&]<class Scheme>(const Pipeline<Scheme>& pipeline) {
        if (has_parts)
          PartProducts<Config, Scheme>(pipeline, consumer, thread == 0, stage, sums)
              .add(work.step_end - work.step_begin);
      });
      if (route == Fp32SplitRoute::exact)
        multiply_add_exact<Config>(this->operands, work, scratch, consumer, thread, sums);
      // What an end needs is computed here, and not kept in registers that the main loop wants.
      int end_thread = thread;
      asm volatile("" : "+r"(end_thread));
      const WgmmaEpilogue<Config, Input, WgmmaEpilogueKind::any> out(this->product, scratch, consumer, end_thread);
      const WgmmaBuffers<Config> buffers(ptx::shared_address(scratch), consumer, end_thread);
      out.prepare(work, out.fetch_bias(work));
      if (has_parts) Fp32SplitScales<Config>(this->operands, consumer, end_thread).apply(scales, buffers, sums);
      if (this->product.epilogue.needed == WgmmaEpilogueKind::plain || out.is_slice(work)) [[likely]] {
        const Fp32SplitStore<Config> usual(this->product, buffers, consumer, end_thread);
        usual.store(work, out.adds_bias(work), out.shared_bias(), sums);
      } else {
        std::uint32_t phases = 0;
        out.store(work, sums, phases);
      }
    }
    if (thread == 0) ptx::wait_stores_read<0>();  // scratch may be released
  }
};

}  // namespace Tegula::Impl

#endif
