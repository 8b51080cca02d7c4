// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_KERNEL_CUH
#define TEGULA_NARROW_GRADIENTS_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_NarrowGradientsStep.cuh"

namespace Tegula::Impl {

/// The kernel of the narrow family for gemm_backward. A team has a panel of the depth and a part of the rows, which its
/// warps go down; in the end it adds their sums.
template <class Config, class Input, bool is_by_rows, bool is_in_words, bool has_below>
struct NarrowGradientsKernel : NarrowGradients {
  using Step   = NarrowGradientsStep<Config, Input, is_by_rows, is_in_words, has_below>;
  using teams  = CudaTeams<Config::threads, Config::teams_of(is_in_words), Config::scratch_bytes>;
  using member = typename teams::member;

  explicit NarrowGradientsKernel(const NarrowGradients& gradients) : NarrowGradients(gradients) {}

  __device__ void operator()(const member& team) const {
    float* const scratch =
        static_cast<float*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const int panel = team.league_rank() % this->panels, part = team.league_rank() / this->panels;
    const auto rows          = static_cast<std::int32_t>(this->dC.rows);
    const std::int32_t first = part * this->part_rows,
                       last  = rows - first > this->part_rows ? first + this->part_rows : rows;
    char* const rows_of_dZ   = reinterpret_cast<char*>(scratch) + Config::rows_at;
    Step step(*this, panel * Config::depth, panel == 0, thread % 32,
              reinterpret_cast<char*>(scratch) + Config::other_at, scratch + warp * Config::warp_tile,
              rows_of_dZ + warp * Config::warp_rows_bytes);
    std::int32_t row    = first + warp * Config::warp_rows;
    bool is_other_there = !this->product.is_wanted();
    // Warps without rows go along once: all bring the other operand, and wait for it at the same place.
    do {
      step.add(row, row < last, [&] {
        if (is_other_there) return;
        step.bring_other(thread);
        team.team_barrier();
        is_other_there = true;
      });
      row += Config::rows;
    } while (row < last);
    const bool sums_below = has_below && this->has_sums_below;
    if (!this->sums.is_wanted() && !this->sums.has_sums && !sums_below) return;
    team.team_barrier();
    float* const of_below = reinterpret_cast<float*>(rows_of_dZ);  // where nobody has rows any more
    step.put(scratch + warp * Config::warp_sums);
    if (this->sums.has_sums && panel == 0) step.put_totals(scratch + Config::totals_at + warp * Config::columns);
    if (sums_below) step.put_sums_below(of_below + warp * Config::depth);
    team.team_barrier();
    store(GradientStore<float>(this->sums, part), panel, thread, scratch);
    if (sums_below) store_sums_below(part, panel * Config::depth, thread, of_below);
  }

 private:
  // What all warps have put there.
  template <int apart>
  __device__ static float total(const float* of_warp) {
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < Config::warps; ++warp) sum += of_warp[warp * apart];
    return sum;
  }

  __device__ void store_sums_below(int part, std::int32_t at, int thread, const float* scratch) const {
    static_assert(Config::depth * int(sizeof(float)) <= Config::warp_rows_bytes && Config::depth <= Config::threads);
    if (thread >= Config::depth || at + thread >= this->product.depth) return;
    const float sum = total<Config::depth>(scratch + thread);
    if (this->sums_below != nullptr) {
      this->sums_below[std::int64_t(part) * this->product.depth + at + thread] = sum;
    } else {
      finish(this->total_below, 0, at + thread, sum, this->adds_total_below);
    }
  }

  __device__ void store(const GradientStore<float>& store, int panel, int thread, const float* scratch) const {
    if (this->sums.is_wanted())
      store.sums([&](const auto& put) {
        for (int number = thread; number < Config::columns * Config::depth; number += Config::threads) {
          const int column = number / Config::depth, own = number % Config::depth;
          const std::int32_t at = panel * Config::depth + own;
          if (column < this->sums.lines && at < this->sums.depth)
            put(column, at, total<Config::warp_sums>(scratch + column * Config::pitch + own));
        }
      });
    if (this->sums.has_sums && panel == 0 && thread < this->sums.lines)
      store.line_sum(thread, total<Config::columns>(scratch + Config::totals_at + thread));
  }
};

}  // namespace Tegula::Impl

#endif
