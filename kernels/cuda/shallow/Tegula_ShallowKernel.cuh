// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_KERNEL_CUH
#define TEGULA_SHALLOW_KERNEL_CUH

#include <utility>

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_ShallowFma.cuh"
#include "Tegula_ShallowGradient.cuh"
#include "Tegula_ShallowMma.cuh"
#include "Tegula_ShallowStore.cuh"

/// The kernel of the shallow family. A team goes down a part of the rows of a panel of columns of dC. In each step its
/// warps, some side by side and the others below, form dZ in registers and multiply it there, once for the sums of its
/// rows, which are added across warps and leave, and once for those of its columns, which stay until the end.

namespace Tegula::Impl {

template <class Config, class Input, bool in_words>
struct ShallowKernel : ShallowArguments<bits_t<Input>> {
  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = ShallowArguments<Bits>;
  using Warp      = typename Config::Warp;
  using Gradient  = ShallowGradient<Config, Input, in_words>;
  using Products  = ShallowProducts<Config, Input>;
  using teams = CudaTeams<Config::threads, shallow_teams(Config::teams, in_words, sizeof(Bits)), Config::scratch_bytes>;
  using member = typename teams::member;

  explicit ShallowKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    switch (this->across_log2) {
      case 0:
        return compute<0>(team);
      case 1:
        return compute<1>(team);
      default:
        compute<2>(team);
    }
  }

 private:
  // Warps side by side, and rows that a team goes down in a step.
  __device__ static constexpr int across(int across_log2) { return 1 << across_log2; }
  __device__ static constexpr int step(int across_log2) { return shallow_warps / across(across_log2) * Warp::rows; }

  template <int across_log2>
  __device__ void compute(const member& team) const {
    auto* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank(), lane = thread % 32;
    // All threads of a warp have the same value, and the compiler should know.
    const int warp  = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const int panel = team.league_rank() % this->panels, part = team.league_rank() / this->panels;
    const std::int32_t panel_column = panel * (Warp::columns << across_log2),
                       column       = panel_column + (warp & (across(across_log2) - 1)) * Warp::columns;
    const auto m                    = static_cast<std::int32_t>(this->dC.rows);
    const std::int32_t first = part * this->part_rows, last = m - first > this->part_rows ? first + this->part_rows : m;
    const std::int32_t row = first + (warp >> across_log2) * Warp::rows;

    Products products(*this, scratch, column, row, step(across_log2), last, warp, lane);
    Gradient gradient(*this, column, row, step(across_log2), last, lane);
    go_down<across_log2>(team, products, gradient, first, last, panel, warp, scratch);
    if (!this->of_columns.is_wanted() && !this->of_columns.has_sums) return;
    team.team_barrier();
    const ShallowStore<Sum> store(this->of_columns, part);
    put_columns<across_log2>(team, products, store, panel_column, warp, scratch);
    if (this->of_columns.has_sums) put_totals<across_log2>(team, products, store, panel_column, warp, scratch);
  }

  template <int across_log2>
  __device__ void go_down(const member& team, Products& products, Gradient& gradient, std::int32_t first,
                          std::int32_t last, int panel, int warp, Sum* scratch) const {
    const ShallowStore<Sum> store(this->of_rows, panel);
    typename Gradient::Asked asked;
    typename Products::Left left;
    gradient.ask(asked);
    products.ask(left);
    products.bring_right();
    int turn = 0;
#pragma unroll 1
    for (std::int32_t row = first; row < last; row += step(across_log2), turn ^= 1) {
      Sum dZ[shallow_runs][Gradient::run];
      gradient.form(asked, dZ);
      const typename Products::Left now = left;
      gradient.ask(asked);
      products.ask(left);
      Sum* const steps = scratch + turn * shallow_warps * Config::step_sums;
      Sum* const sums  = steps + warp * Config::step_sums;
      products.add(dZ, now, sums);
      if (this->of_rows.has_sums) products.sum_rows(dZ, sums + Warp::rows * Config::depth);
      team.team_barrier();
      put_rows<across_log2>(team, store, row, last, steps);
    }
  }

  // What warps side by side have put into scratch of a row of a step, added up.
  template <int across_log2>
  __device__ static Sum beside(const Sum* steps, int r, int at) {
    const Sum* const sums = steps + (r / Warp::rows << across_log2) * Config::step_sums + at;
    Sum total             = 0;
#pragma unroll
    for (int other = 0; other < across(across_log2); ++other) total += sums[other * Config::step_sums];
    return total;
  }

  // The sums of a step's rows. The next step has other places in scratch.
  template <int across_log2>
  __device__ void put_rows(const member& team, const ShallowStore<Sum>& store, std::int32_t row, std::int32_t last,
                           const Sum* steps) const {
    constexpr int rows = step(across_log2), at_once = shallow_threads / Config::group;
    if (this->of_rows.is_wanted())
      store.sums([&](const auto& put) {
        const int at = team.team_rank() % Config::group, own = team.team_rank() / Config::group;
#pragma unroll
        for (int next = 0; next < rows; next += at_once) {
          const int r = next + own;
          if (r >= rows || row + r >= last) return;
#pragma unroll
          for (int g = 0; g < Config::groups; ++g)
            if (g * Config::group + at < this->depth)
              put(row + r, g * Config::group + at,
                  beside<across_log2>(steps, r, r % Warp::rows * Config::depth + g * Config::group + at));
        }
      });
    if (this->of_rows.has_sums && team.team_rank() < rows && row + team.team_rank() < last) {
      const int r = team.team_rank();
      store.line_sum(row + r, beside<across_log2>(steps, r, Warp::rows * Config::depth + r % Warp::rows));
    }
  }

  // What warps below each other have put into scratch for a column of the panel.
  template <int across_log2>
  __device__ static Sum below(const Sum* scratch, int column, int at) {
    const Sum* const sums =
        scratch + column / Warp::columns * Config::column_sums + at * Config::pitch + column % Warp::columns;
    Sum total = 0;
#pragma unroll
    for (int warp = 0; warp < shallow_warps; warp += across(across_log2)) total += sums[warp * Config::column_sums];
    return total;
  }

  template <int across_log2, int g>
  __device__ void put_group(const member& team, const Products& products, const ShallowStore<Sum>& store,
                            std::int32_t first, int warp, Sum* scratch) const {
    products.template put<g>(scratch + warp * Config::column_sums);
    team.team_barrier();
    store.sums([&](const auto& put) {
      const int at = team.team_rank() % Config::group;
      for (int column = team.team_rank() / Config::group; column < Warp::columns << across_log2;
           column += shallow_threads / Config::group)
        if (first + column < this->of_columns.lines && g * Config::group + at < this->depth)
          put(first + column, g * Config::group + at, below<across_log2>(scratch, column, at));
    });
    team.team_barrier();
  }

  template <int across_log2>
  __device__ void put_columns(const member& team, const Products& products, const ShallowStore<Sum>& store,
                              std::int32_t first, int warp, Sum* scratch) const {
    if (!this->of_columns.is_wanted()) return;
    [&]<int... g>(std::integer_sequence<int, g...>) {
      (put_group<across_log2, g>(team, products, store, first, warp, scratch), ...);
    }
    (std::make_integer_sequence<int, Config::groups>());
  }

  template <int across_log2>
  __device__ void put_totals(const member& team, const Products& products, const ShallowStore<Sum>& store,
                             std::int32_t first, int warp, Sum* scratch) const {
    products.put_totals(scratch + warp * Config::column_sums);
    team.team_barrier();
    for (int column = team.team_rank(); column < Warp::columns << across_log2; column += shallow_threads)
      if (first + column < this->of_columns.lines)
        store.line_sum(first + column, below<across_log2>(scratch, column, 0));
  }
};

}  // namespace Tegula::Impl

#endif
