// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_KERNEL_CUH
#define TEGULA_GEMV_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "Tegula_GemvFetch.cuh"
#include "Tegula_GemvProduct.cuh"

/// The kernel of the gemv family: a team computes one tile, or a part of its sums. Threads wait for each other only for
/// the short operand.

namespace Tegula::Impl {

template <class Config, bool is_aligned>
struct GemvKernel : GemvArguments<typename Config::element> {
  using T         = typename Config::element;
  using Arguments = GemvArguments<T>;
  using teams     = CudaTeamsOf<Config>;
  using member    = typename teams::member;

  explicit GemvKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const CudaWork work = this->tiles(static_cast<std::uint32_t>(team.league_rank()));
    const int thread    = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);

    GemvSums<Config> sums = {};
    multiply(work, ptx::shared_address(scratch), thread, warp, sums);
    __syncthreads();
    const GemvTotals<Config> totals(scratch);
    totals.put(warp, thread % 32, sums);
    __syncthreads();
    store(work, thread, totals);
  }

 private:
  __device__ std::int32_t line_of(const CudaWork& work) const { return this->lines_are_rows ? work.row : work.column; }

  __device__ void multiply(const CudaWork& work, std::uint32_t scratch, int thread, int warp,
                           GemvSums<Config>& sums) const {
    const std::int32_t depth = static_cast<std::int32_t>(this->streamed.columns), end = work.step_end * Config::tile_k;
    const GemvOrigin origin{line_of(work), work.step_begin * Config::tile_k, end < depth ? end : depth};
    GemvFetch<Config, is_aligned> fetch_streamed(this->streamed, origin, warp, thread % 32);
    const auto fetch = [&](int step, int stage) {
      if (step < work.step_end) {
        const std::uint32_t to = scratch + stage * Config::stage_bytes;
        fetch_streamed(to);
        fetch_held<Config>(this->held, step * Config::tile_k, origin.depth_end, to + Config::long_bytes, thread);
      }
      ptx::commit_copies();
    };

#pragma unroll 1
    for (int stage = 0; stage < Config::stages - 1; ++stage) fetch(work.step_begin + stage, stage);
    int stage = 0, free = Config::stages - 1;
#pragma unroll 1
    for (int step = work.step_begin; step < work.step_end; ++step) {
      ptx::wait_copies<Config::stages - 2>();
      __syncthreads();
      fetch(step + Config::stages - 1, free);
      multiply_stage(scratch + stage * Config::stage_bytes, warp, thread % 32, sums);
      free  = stage;
      stage = stage + 1 == Config::stages ? 0 : stage + 1;
    }
    ptx::wait_copies<0>();
  }

  __device__ static void multiply_stage(std::uint32_t stage, int warp, int lane, GemvSums<Config>& sums) {
    const std::uint32_t streamed = stage + warp * Config::rows * Config::row_bytes + lane * 16,
                        held     = stage + Config::long_bytes;
    if constexpr (Config::by_lines) {
      multiply_along_lines<Config>(streamed, held + held_offset<Config>(0, warp * Config::rows), sums);
    } else {
      multiply_along_depth<Config>(streamed, held + lane * 16, sums);
    }
  }

  __device__ void store(const CudaWork& work, int thread, const GemvTotals<Config>& totals) const {
    // The result may be stored as its transpose.
    const bool is_tall = this->lines_are_rows != this->result.is_transposed;
    is_tall ? store_as<true>(work, thread, totals) : store_as<false>(work, thread, totals);
  }

  // Stores vectors of a result, whose rows or columns are lines of the long operand.
  template <bool is_tall>
  __device__ void store_as(const CudaWork& work, int thread, const GemvTotals<Config>& totals) const {
    constexpr int row_vectors = (is_tall ? Config::lines : Config::tile_lines) / Config::unit;
    const VectorEpilogue<T> epilogue(this->result, work.split);
    const std::int32_t line = line_of(work);
#pragma unroll 1
    for (int v = thread; v < Config::lines * Config::tile_lines / Config::unit; v += Config::threads) {
      const int i = v / row_vectors, j = v % row_vectors * Config::unit;
      Vector<T> values;
#pragma unroll
      for (int e = 0; e < Config::unit; ++e)
        values.of[e] = this->result.alpha * (is_tall ? totals.get(j + e, i) : totals.get(i, j + e));
      epilogue.store(is_tall ? line + i : i, is_tall ? j : line + j, values);
    }
  }
};

}  // namespace Tegula::Impl

#endif
