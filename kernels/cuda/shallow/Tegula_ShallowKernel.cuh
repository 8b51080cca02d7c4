// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_KERNEL_CUH
#define TEGULA_SHALLOW_KERNEL_CUH

#include <utility>

#include "../Tegula_CudaTeams.cuh"
#include "../Tegula_GradientStore.cuh"
#include "Tegula_ShallowSteps.cuh"

/// The kernel of the shallow family. A team goes down a part of the rows of a panel of columns of dC. In each step its
/// units, some side by side and the others below, form dZ and multiply it there, once for the sums of its rows, which
/// are added across units and leave, and once for those of its columns, which stay until the end.

namespace Tegula::Impl {

template <class Config, class Input, bool in_words>
struct ShallowKernel : ShallowArguments<bits_t<Input>> {
  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = ShallowArguments<Bits>;
  using Unit      = typename Config::Unit;
  using Steps     = ShallowSteps<Config, Input, in_words>;
  using teams     = CudaTeams<Config::threads, Config::teams_of(in_words), Config::scratch_bytes>;
  using member    = typename teams::member;

  explicit ShallowKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    with_across<Config::least_across>([&]<int across>() { compute<across>(team); });
  }

 private:
  static constexpr int units = Config::units;

  // Calls function.operator()<across>() for the units that lie side by side.
  template <int across, class Function>
  __device__ void with_across(const Function& function) const {
    if constexpr (2 * across <= Config::most_across)
      if (this->across != across) return with_across<2 * across>(function);
    function.template operator()<across>();
  }

  // Rows that a team goes down in a step.
  __device__ static constexpr int step(int across) { return units / across * Unit::rows; }

  template <int across>
  __device__ void compute(const member& team) const {
    auto* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int unit       = __shfl_sync(0xFFFFFFFFu, thread / Unit::threads, 0);
    const int depth_part = team.league_rank() % this->depth_parts, teams = team.league_rank() / this->depth_parts;
    const int panel = teams % this->panels, part = teams / this->panels;
    const auto m             = static_cast<std::int32_t>(this->dC.rows);
    const std::int32_t first = part * this->part_rows, last = m - first > this->part_rows ? first + this->part_rows : m;
    const ShallowPlace place{
        panel * across * Config::columns, first,     last, depth_part * Config::depth, step(across), across, unit,
        thread % Unit::threads,           Unit::rows};
    Steps steps(*this, scratch, place);
    go_down<across>(team, steps, place, panel, scratch);
    if (!this->of_columns.is_wanted() && !this->of_columns.has_sums) return;
    team.team_barrier();
    const GradientStore<Sum> store(this->of_columns, part);
    put_columns<across>(team, steps, store, place, scratch);
    if (this->of_columns.has_sums && place.depth_at == 0) put_totals<across>(team, steps, store, place, scratch);
  }

  template <int across>
  __device__ void go_down(const member& team, Steps& steps, const ShallowPlace& place, int panel, Sum* scratch) const {
    const GradientStore<Sum> store(this->of_rows, panel);
    steps.begin(team);
    int turn = 0;
#pragma unroll 1
    for (std::int32_t row = place.first; row < place.last; row += step(across), turn ^= 1) {
      if constexpr (Config::way == ShallowWay::groups) {
        steps.template add<across>(team, store, row, turn);
      } else {
        const Sum* const sums = steps.add(turn);
        team.team_barrier();
        put_rows<across>(team, store, place, row, sums);
        // Where steps do not take turns, the next one has its dZ in the same place.
        if constexpr (!Steps::takes_turns) team.team_barrier();
      }
    }
    if constexpr (Config::way == ShallowWay::groups) steps.end();
  }

  // What units side by side have put into scratch of a row of a step, added up.
  template <int across>
  __device__ static Sum beside(const Sum* steps, int r, int at) {
    const Sum* const sums = steps + r / Unit::rows * across * Config::step_sums + at;
    Sum total             = 0;
#pragma unroll
    for (int other = 0; other < across; ++other) total += sums[other * Config::step_sums];
    return total;
  }

  // The sums of a step's rows.
  template <int across>
  __device__ void put_rows(const member& team, const GradientStore<Sum>& store, const ShallowPlace& place,
                           std::int32_t row, const Sum* steps) const {
    constexpr int rows = step(across), at_once = Config::threads / Config::group;
    if (this->of_rows.is_wanted())
      store.sums([&](const auto& put) {
        const int at = team.team_rank() % Config::group, own = team.team_rank() / Config::group;
#pragma unroll
        for (int next = 0; next < rows; next += at_once) {
          const int r = next + own;
          if (r >= rows || row + r >= place.last) return;
#pragma unroll
          for (int g = 0; g < Config::groups; ++g)
            if (place.depth_at + g * Config::group + at < this->depth)
              put(row + r, place.depth_at + g * Config::group + at,
                  beside<across>(steps, r, r % Unit::rows * Config::sums_pitch + g * Config::group + at));
        }
      });
    if (this->of_rows.has_sums && place.depth_at == 0 && team.team_rank() < rows &&
        row + team.team_rank() < place.last) {
      const int r = team.team_rank();
      store.line_sum(row + r, beside<across>(steps, r, Unit::rows * Config::sums_pitch + r % Unit::rows));
    }
  }

  // What units below each other have put into scratch for a column of the panel.
  template <int across>
  __device__ static Sum below(const Sum* scratch, int column, int at) {
    // Units have blocks side by side, in turn.
    const int block = column / Unit::columns, own = block / across * Unit::columns + column % Unit::columns;
    const Sum* const sums = scratch + block % across * Config::column_sums + at * Config::pitch + own;
    Sum total             = 0;
#pragma unroll
    for (int unit = 0; unit < units; unit += across) total += sums[unit * Config::column_sums];
    return total;
  }

  // Those of a part of the depth.
  template <int across, int number>
  __device__ void put_columns(const member& team, const Steps& steps, const GradientStore<Sum>& store,
                              const ShallowPlace& place, Sum* scratch) const {
    steps.template put<number>(scratch + place.unit * Config::column_sums);
    team.team_barrier();
    store.sums([&](const auto& put) {
      for (int column = team.team_rank() / Config::group; column < Config::columns * across;
           column += Config::threads / Config::group) {
        const std::int32_t line = place.panel_column + column;
        if (line >= this->of_columns.lines) return;
#pragma unroll
        for (int g = 0; g < Config::put_at_once / Config::group; ++g) {
          const int own         = g * Config::group + team.team_rank() % Config::group;
          const std::int32_t at = place.depth_at + number * Config::put_at_once + own;
          if (at < this->depth) put(line, at, below<across>(scratch, column, own));
        }
      }
    });
    team.team_barrier();
  }

  template <int across>
  __device__ void put_columns(const member& team, const Steps& steps, const GradientStore<Sum>& store,
                              const ShallowPlace& place, Sum* scratch) const {
    if (!this->of_columns.is_wanted()) return;
    [&]<int... number>(std::integer_sequence<int, number...>) {
      (put_columns<across, number>(team, steps, store, place, scratch), ...);
    }
    (std::make_integer_sequence<int, Config::depth / Config::put_at_once>());
  }

  template <int across>
  __device__ void put_totals(const member& team, const Steps& steps, const GradientStore<Sum>& store,
                             const ShallowPlace& place, Sum* scratch) const {
    steps.put_totals(scratch + place.unit * Config::column_sums);
    team.team_barrier();
    for (int column = team.team_rank(); column < Config::columns * across; column += Config::threads)
      if (place.panel_column + column < this->of_columns.lines)
        store.line_sum(place.panel_column + column, below<across>(scratch, column, 0));
  }
};

}  // namespace Tegula::Impl

#endif
