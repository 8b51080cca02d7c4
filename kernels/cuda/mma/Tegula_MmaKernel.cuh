// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_KERNEL_CUH
#define TEGULA_MMA_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../Tegula_CudaTiles.hpp"
#include "../async/Tegula_AsyncMainloop.cuh"
#include "../async/Tegula_AsyncShares.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "Tegula_MmaConfig.hpp"
#include "Tegula_MmaDoubleEpilogue.cuh"
#include "Tegula_MmaDoubleMath.cuh"
#include "Tegula_MmaFp32SplitMath.cuh"
#include "Tegula_MmaGather.cuh"
#include "Tegula_MmaMath.cuh"

/// The kernel of the mma family: a team computes one tile, and all its warps fetch and multiply.

namespace Tegula::Impl {

/// Arguments of the kernel.
template <class Sum, class Activation>
struct MmaArguments {
  AsyncOperand left, right;
  CudaTiles tiles;
  std::int32_t depth;
  MmaEpilogueParameters<Sum, Activation> epilogue;
};

/// The kernel for operands that lie so. A wide kernel multiplies more steps of depth at once, if the configuration has
/// one.
template <class Config, class Input, class Activation, MmaOperandsIn operands_in = MmaOperandsIn::any,
          bool wide = false>
struct MmaKernel : MmaArguments<typename Config::sum, Activation> {
  using Sum    = typename Config::sum;
  using teams  = CudaTeamsOf<Config>;
  using member = typename teams::member;

  explicit MmaKernel(const MmaArguments<Sum, Activation>& arguments) : MmaArguments<Sum, Activation>(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    Sum* const bias     = reinterpret_cast<Sum*>(scratch + Config::bias_at);
    const CudaWork work = this->tiles(static_cast<std::uint32_t>(team.league_rank()));
    const int thread    = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);

    // The bias comes now, so that nobody waits for it later. The barriers of the main loop make it visible to all.
    if (epilogue.bias.data != nullptr) share_bias(work.column, thread, bias);
    MmaSums<Config> sums = {};
    if (work.step_begin < work.step_end) {
      multiply(work, ptx::shared_address(scratch), thread, warp, sums);
      if constexpr (Config::warps_k > 1) add_shares<Config>(scratch, thread, sums);
    } else {
      team.team_barrier();
    }
    if (Config::warps_k > 1 && thread >= Config::sharers) return;
    using Epilogue = MmaEpilogue<Config, Input, Activation>;
    static_assert(Config::sharers / 32 * Epilogue::scratch_bytes <= Config::bias_at, "where stages were");
    if (epilogue.needs_scratch()) ptx::named_barrier(1, Config::sharers);  // all have read the last stage
    const int column_in_tile = warp % Config::warps_n * Config::warp_n;
    const std::int32_t row = work.row + warp / Config::warps_n * Config::warp_m, column = work.column + column_in_tile;
    if constexpr (Config::splits)
      form_exactly<Config>(left, right, row, column, work.step_begin * Config::tile_k,
                           min(work.step_end * Config::tile_k, depth), thread % 32, sums);
    Epilogue(epilogue, bias + column_in_tile, scratch + warp * Epilogue::scratch_bytes, work.split, row, column,
             thread % 32)
        .store(sums);
  }

 private:
  using MmaArguments<Sum, Activation>::left;
  using MmaArguments<Sum, Activation>::right;
  using MmaArguments<Sum, Activation>::depth;
  using MmaArguments<Sum, Activation>::epilogue;

  __device__ void share_bias(std::int32_t column0, int thread, Sum* bias) const {
    for (int column = thread; column < Config::tile_n; column += Config::threads)
      if (column0 + column < epilogue.n) bias[column] = load<Sum>(epilogue.bias, 0, column0 + column);
  }

  __device__ __forceinline__ void multiply(const CudaWork& work, std::uint32_t scratch, int thread, int warp,
                                           MmaSums<Config>& sums) const {
    const std::int32_t begin = work.step_begin * Config::tile_k, end = work.step_end * Config::tile_k;
    const std::int32_t depth_end = end < depth ? end : depth;
    const AsyncOrigin left_origin{work.row, begin, depth_end}, right_origin{work.column, begin, depth_end};
    const int steps        = work.step_end - work.step_begin;
    const auto multiply_by = [&]<Major left_major, Major right_major, class LeftFetch, class RightFetch>() {
      using Math            = MmaMath<Config, Input, left_major, right_major, wide>;
      const int left_whole  = LeftFetch::whole_steps(left, left_origin),
                right_whole = RightFetch::whole_steps(right, right_origin);
      AsyncMainloop<Config, Math, LeftFetch, RightFetch>(
          Math(warp, thread % 32), LeftFetch(left, thread, left_origin), RightFetch(right, thread, right_origin), steps,
          left_whole < right_whole ? left_whole : right_whole, scratch, sums)
          .run();
    };
    const auto multiply_units = [&]<int UnitBytes>() {
      with_majors(left, right, [&]<Major left_major, Major right_major>() {
        multiply_by
            .template operator()<left_major, right_major, AsyncFetch<Config, left_major, Config::tile_m, UnitBytes>,
                                 AsyncFetch<Config, right_major, Config::tile_n, UnitBytes>>();
      });
    };
    if constexpr (operands_in == MmaOperandsIn::chunks) {
      multiply_units.template operator()<chunk_bytes>();
    } else if constexpr (operands_in == MmaOperandsIn::any) {
      if (left.whole_chunks && right.whole_chunks) return multiply_units.template operator()<chunk_bytes>();
      multiply_units.template operator()<int(sizeof(Input))>();
    } else if constexpr (operands_in == MmaOperandsIn::words) {
      multiply_units.template operator()<word_bytes>();
    } else {
      multiply_by.template
      operator()<Major::depth, Major::depth, MmaGather<Config, Config::tile_m>, MmaGather<Config, Config::tile_n>>();
    }
  }
};

}  // namespace Tegula::Impl

#endif
