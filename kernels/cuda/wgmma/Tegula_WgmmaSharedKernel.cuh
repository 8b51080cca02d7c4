// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_SHARED_KERNEL_CUH
#define TEGULA_WGMMA_SHARED_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../Tegula_RunResult.cuh"
#include "../ptx/Tegula_PtxCluster.cuh"
#include "../ptx/Tegula_PtxDependents.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxWarpgroup.cuh"
#include "Tegula_WgmmaArguments.cuh"
#include "Tegula_WgmmaConfig.hpp"
#include "Tegula_WgmmaMainloop.cuh"
#include "Tegula_WgmmaProducer.cuh"

/// The kernel of the wgmma family for products whose inner dimension is shared: the teams of a cluster multiply a part
/// of it each, leave their sums of the tile in their scratch, and each finishes some lines of the result by reading
/// those of all. Nothing goes to memory but results, and no kernel follows.

namespace Tegula::Impl {

/// Lines of the result are rows or columns, whichever are contiguous.
template <class Activation>
struct WgmmaSharedArguments {
  CUtensorMap left, right;
  WgmmaFetch left_fetch, right_fetch;
  CudaTiles tiles;
  std::uint32_t tile_count, cluster_log2;
  bool by_columns, is_followed;         // is_followed: see WgmmaArguments
  std::int32_t lines, length;           // of the result
  RunResult<float, Activation> result;  // as rows of lines
};

/// The sums of a tile in the scratch of a team, line by line.
template <class Config>
class WgmmaSharedSums {
 public:
  __device__ WgmmaSharedSums(std::uint32_t scratch, bool by_columns) : at_(scratch), by_columns_(by_columns) {}

  __device__ int lines() const { return by_columns_ ? Config::tile_n : Config::tile_m; }
  __device__ int length() const { return by_columns_ ? Config::tile_m : Config::tile_n; }

  /// Where an element of a line is.
  __device__ std::uint32_t at(int line, int along) const {
    return at_ + 4 * (line * (by_columns_ ? column_pitch : row_pitch) + along);
  }

  /// Stores what a thread of a consumer has, laid out as Wgmma says.
  __device__ void put(int consumer, int thread, const WgmmaSums<Config>& sums) const {
#pragma unroll
    for (int block = 0; block < Config::row_blocks; ++block) {
      const int row = (consumer * Config::row_blocks + block) * 64 + thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
      for (int e = 0; e < Config::tile_n / 2; e += 2)
        put_pair(row + e % 4 / 2 * 8, e / 4 * 8 + thread % 4 * 2, sums[block][e], sums[block][e + 1]);
    }
  }

 private:
  static constexpr int row_pitch    = Config::tile_n + Config::pad_of_rows;
  static constexpr int column_pitch = Config::tile_m + Config::pad_of_columns;

  __device__ void put_pair(int row, int column, float first, float second) const {
    if (by_columns_) {
      ptx::store_element(at(column, row), first);
      ptx::store_element(at(column + 1, row), second);
    } else {
      ptx::store_pair(at(row, column), first, second);
    }
  }

  std::uint32_t at_;
  bool by_columns_;
};

template <class Config, class Input, class Activation>
struct WgmmaSharedKernel : WgmmaSharedArguments<Activation> {
  using begins_itself = void;
  using ends_itself   = void;

  using teams  = CudaTeamsOf<Config>;
  using member = typename teams::member;

  explicit WgmmaSharedKernel(const WgmmaSharedArguments<Activation>& arguments)
      : WgmmaSharedArguments<Activation>(arguments) {}

  __device__ void operator()(const member& team) const {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const std::uint32_t at = ptx::shared_address(scratch);
    const WgmmaPipeline<Config> pipeline(at);
    const int warpgroup = __shfl_sync(0xFFFFFFFFu, team.team_rank() / Config::warpgroup, 0);
    const int rank      = ptx::cluster_rank();
    const auto tile     = static_cast<std::uint32_t>(team.league_rank()) >> this->cluster_log2;
    const CudaWork work = this->tiles(rank * this->tile_count + tile);
    const int steps     = max(0, work.step_end - work.step_begin);

    if (team.team_rank() == 0) {
      ptx::prefetch_map(this->left);
      ptx::prefetch_map(this->right);
      pipeline.init();
    }
    ptx::wait_for_kernel_in_front();
    if (this->is_followed) ptx::let_kernel_behind_begin();
    if (team.team_rank() == 0 && steps > 0) fetch_step(pipeline, 0, *this, work, work.step_begin, 0);
    team.team_barrier();
    // Both roles pass the same barriers, each by code of its own: what follows them for one would else have the
    // registers of the other.
    if (warpgroup == 0) {
      if constexpr (Config::consumers == 2) ptx::leave_registers<40>();
      if (team.team_rank() == 0) fetch_rest(pipeline, work);
      wait_for_teams();
    } else {
      if constexpr (Config::consumers == 2) ptx::take_registers<232>();
      const int thread = team.team_rank() - Config::warpgroup;
      const WgmmaSharedSums<Config> shared(at, this->by_columns);
      multiply(pipeline, shared, warpgroup - 1, thread % Config::warpgroup, steps);
      wait_for_teams();
      finish(shared, work, rank, thread);
    }
    wait_for_teams();  // nobody ends while others read what it has
    ptx::exit_thread();
#endif
  }

 private:
  using Result = RunResult<float, Activation>;
  using Values = typename Result::Values;

  __device__ static void wait_for_teams() {
    __syncwarp();
    ptx::cluster_barrier();
  }

  __device__ void fetch_rest(const WgmmaPipeline<Config>& pipeline, const CudaWork& work) const {
    WgmmaStage<Config> stage{1, 1};
    for (std::int32_t step = work.step_begin + 1; step < work.step_end; ++step) {
      ptx::barrier_wait(pipeline.empty(stage.index), stage.parity);
      fetch_step(pipeline, stage.index, *this, work, step, 0);
      stage.next();
    }
  }

  __device__ void multiply(const WgmmaPipeline<Config>& pipeline, const WgmmaSharedSums<Config>& shared, int consumer,
                           int thread, int steps) const {
    WgmmaStage<Config> stage{0, 0};
    WgmmaSums<Config> sums;
#pragma unroll
    for (auto& block : sums)
#pragma unroll
      for (float& sum : block) sum = 0;
    multiply_add<Config, Input>(pipeline, this->left_fetch.major, this->right_fetch.major, consumer, thread, steps,
                                stage, sums, [] {});
    // Nobody reads the stages any more, in the place of which sums lie from now on.
    ptx::named_barrier(1, Config::consumers * Config::warpgroup);
    shared.put(consumer, thread, sums);
  }

  // Each team has the same number of lines of a tile.
  __device__ void finish(const WgmmaSharedSums<Config>& shared, const CudaWork& work, int rank, int thread) const {
    constexpr int run = Result::run, threads = Config::consumers * Config::warpgroup;
    const int runs = shared.length() / run, lines = shared.lines() >> this->cluster_log2;
    const std::int32_t first_line = this->by_columns ? work.column : work.row,
                       first      = this->by_columns ? work.row : work.column;
#pragma unroll 1
    for (int number = thread; number < lines * runs; number += threads) {
      const int line_of_team = number / runs, along = (number - line_of_team * runs) * run;
      const int line       = rank * lines + line_of_team;
      const std::int32_t i = first_line + line, j = first + along;
      if (i >= this->lines || j >= this->length) continue;
      const int count  = min(run, this->length - j);
      const auto added = this->result.read(i, j, count);
      Values sums      = {};
      add_teams(shared.at(line, along), sums);
      this->result.store(i, j, count, sums, added);
    }
  }

  // Always in the same order.
  __device__ void add_teams(std::uint32_t at, Values& sums) const {
#pragma unroll 2
    for (int rank = 0; rank < 1 << this->cluster_log2; ++rank) {
      float low[4], high[4];
      ptx::load_vector_of_block(at, rank, low);
      ptx::load_vector_of_block(at + 16, rank, high);
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        sums[e] += low[e];
        sums[4 + e] += high[e];
      }
    }
  }
};

}  // namespace Tegula::Impl

#endif
