// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_KERNEL_CUH
#define TEGULA_PANEL_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "Tegula_PanelStore.cuh"
#include "Tegula_PanelStream.cuh"

/// The kernel of the panel family. Teams are persistent: they bring a panel of the right operand to scratch and stream
/// the left one past it. Groups of warps have tiles of their own and take turns: half of them multiply while the others
/// store. Without turns they would keep step, and the tensor cores would idle while all store.

namespace Tegula::Impl {

/// The turns of the groups: a group begins a tile when the group two before it has multiplied its own. Barriers are
/// numbered as ptx::named_barrier counts them: at one kind the warps of a group meet, at the other a turn is passed on.
class PanelTurns {
  static constexpr int groups = PanelConfig::groups, turns = PanelConfig::turns, threads = PanelConfig::group_threads;

 public:
  __device__ explicit PanelTurns(int group) : group_(group) {}

  __device__ void meet() const { ptx::named_barrier(1 + group_, threads); }
  __device__ void take(std::int32_t tile, const PanelPart& part) const {
    if (tile - turns >= part.begin) ptx::named_barrier(1 + groups + group_, 2 * threads);
  }
  __device__ void give(std::int32_t tile, const PanelPart& part) const {
    if (tile + turns < part.end) ptx::named_barrier_arrive(1 + groups + (group_ + turns) % groups, 2 * threads);
  }

 private:
  int group_;
};

template <Major left_major, Major right_major, bool adds>
struct PanelKernel : PanelArguments {
  using ends_itself = void;

  using teams  = CudaTeamsOf<PanelConfig>;
  using member = teams::member;

  explicit PanelKernel(const PanelArguments& arguments) : PanelArguments(arguments) {}

  __device__ void operator()(const member& team) const {
    if (gridDim.x != team.league_size()) __trap();  // see below
    char* const memory = static_cast<char*>(
        team.team_scratch(0).get_shmem_aligned(int(PanelConfig::used_bytes), int(PanelConfig::alignment)));
    const int thread = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    Warp own(*this, ptx::shared_address(memory), warp, thread);

    const std::int32_t end = shares.first(team.league_rank() + 1);
    std::int32_t tile      = shares.first(team.league_rank());
#pragma unroll 1
    while (tile < end) {
      const PanelPart part = shares.part(tile, end);
      team.team_barrier();  // nobody reads the old panel any more
      fetch_panel<right_major>(right, part.panel, depth, thread, own.scratch);
      share_bias(part.panel * PanelConfig::tile_n, thread, reinterpret_cast<double*>(memory + PanelConfig::bias_at));
      multiply(part, own);
      tile += part.end - part.begin;
    }
    own.out.finish();
    // As in the kernels of the wgmma family: Kokkos' loop over the league would take registers.
    ptx::exit_thread();
  }

 private:
  // The part of a warp.
  struct Warp {
    std::uint32_t scratch;
    int group, thread;  // its group, and the thread's number in the group
    int column0;        // the first column of the panel that it multiplies
    PanelStore<adds> out;
    PanelProduct<left_major, right_major> product;

    __device__ Warp(const PanelArguments& arguments, std::uint32_t scratch, int warp, int thread)
        : scratch(scratch),
          group(warp / PanelConfig::group_warps),
          thread(thread % PanelConfig::group_threads),
          column0(warp % PanelConfig::group_warps * PanelConfig::warp_n),
          out(arguments, scratch + PanelConfig::staged_at + warp * PanelConfig::staged_bytes,
              scratch + PanelConfig::bias_at + column0 * int(sizeof(double)), thread % 32),
          product(column0, thread % 32) {}

    /// The first stage of its group.
    __device__ std::uint32_t stages() const {
      return scratch + PanelConfig::streamed_at + group * (PanelConfig::stages * PanelConfig::stage_bytes);
    }
  };

  __device__ void share_bias(std::int32_t column, int thread, double* to) const {
    if (result.bias.data != nullptr && thread < PanelConfig::tile_n && column + thread < result.n)
      to[thread] = *result.bias.at(0, column + thread);
  }

  // Computes all tiles of a part.
  __device__ void multiply(const PanelPart& part, Warp& own) const {
    const PanelTurns turns(own.group);
    PanelStream<left_major> stream(left, depth, own.thread, part.begin + own.group, part.end);
    std::uint32_t stage = own.stages();
#pragma unroll 1
    for (int step = 0; step < PanelConfig::stages; ++step) stream(stage + step * PanelConfig::stage_bytes);
    ptx::wait_copies<0>();
    __syncthreads();
    own.product.read(stage, own.scratch);
#pragma unroll 1
    for (std::int32_t tile = part.begin + own.group; tile < part.end; tile += PanelConfig::groups) {
      const std::int32_t row = tile * PanelConfig::tile_m, column = part.panel * PanelConfig::tile_n + own.column0;
      own.out.prefetch(row, column);
      turns.take(tile, part);
      PanelSums sums = {};
      multiply_tile(turns, stream, own, stage, sums);
      turns.give(tile, part);
      own.out(sums, row, column);
    }
  }

  // A stage is filled again as soon as all warps of the group have read its last part, which they do before they
  // multiply it.
  __device__ void multiply_tile(const PanelTurns& turns, PanelStream<left_major>& stream, Warp& own,
                                std::uint32_t& stage, PanelSums& sums) const {
    constexpr int parts = PanelProduct<left_major, right_major>::parts;
    std::uint32_t held  = own.scratch;
#pragma unroll 1
    for (std::int32_t left = depth; left > 0; left -= PanelConfig::tile_k) {
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        if (part == parts - 1) {
          ptx::wait_copies<PanelConfig::stages - 2>();
          turns.meet();
          stream(stage);
          stage += PanelConfig::stage_bytes;
          if (stage == own.stages() + PanelConfig::stages * PanelConfig::stage_bytes) stage = own.stages();
          held = left > PanelConfig::tile_k ? held + PanelConfig::held_step_bytes : own.scratch;
        }
        own.product.multiply_add(sums, stage, held, (part + 1) % parts);
      }
    }
  }
};

}  // namespace Tegula::Impl

#endif
