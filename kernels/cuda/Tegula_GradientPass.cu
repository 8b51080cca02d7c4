// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ColumnSums.cuh"
#include "Tegula_GradientPassKernel.cuh"

namespace Tegula::Impl {
namespace {

constexpr int team_threads = gradient_threads;

/// Adds the parts of column sums: a warp those of some columns, or, where there are many, a team. It knows which before
/// it waits.
template <class Sum>
struct AddColumnSums {
  using begins_itself = void;

  static constexpr int warp_lanes = 32, warps = team_threads / warp_lanes;
  static constexpr int scratch_bytes = int(sizeof(Sum)) * warps * summed_columns;
  using teams                        = CudaTeams<team_threads, gradient_teams, scratch_bytes>;

  ColumnSumsOf<Sum> sums;

  TEGULA_HOST_DEVICE bool is_by_teams() const { return sums.parts >= 8 * lanes_of_column; }
  std::uint32_t league() const {
    return static_cast<std::uint32_t>(ceil_div(sums.n, is_by_teams() ? summed_columns : warps * summed_columns));
  }

  __device__ void operator()(const typename teams::member& team) const {
    const int warp = team.team_rank() / warp_lanes, lane = team.team_rank() % warp_lanes;
    if (is_by_teams()) return add_by_team(team, warp, lane);
    begin_in_order(team);
    add_column_sums(sums, team.league_rank() * warps + warp, team.league_size() * warps, lane);
  }

 private:
  __device__ void add_by_team(const typename teams::member& team, int warp, int lane) const {
    auto* const of_warps = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(scratch_bytes), sizeof(Sum)));
    const int column = lane % summed_columns, share = warp * lanes_of_column + lane / summed_columns;
    const std::int32_t j = team.league_rank() * summed_columns + column;
    begin_in_order(team);
    const Sum of_warp = added_over_column(sum_of_parts<8>(sums, j, share, warps * lanes_of_column));
    if (lane < summed_columns) of_warps[warp * summed_columns + column] = of_warp;
    team.team_barrier();
    if (warp != 0 || lane >= summed_columns) return;
    Sum total = 0;
    for (int w = 0; w < warps; ++w) total += of_warps[w * summed_columns + column];
    store_total(sums, j, total);
  }
};

template <class Function>
void with_input(const GradientCall<std::uint16_t>& call, const Function& function) {
  call.input == Element::bf16 ? function.template operator()<Bf16>() : function.template operator()<F16>();
}
template <class T, class Function>
void with_input(const GradientCall<T>&, const Function& function) {
  function.template operator()<T>();
}

}  // namespace

/// A kernel for each activation: with all of them in one, it would fetch instructions from everywhere in it, which took
/// a third of its time.
template <class Bits>
void launch_gradient_pass(const Kokkos::Cuda& exec, const KernelLabel& label, const GradientCall<Bits>& call,
                          const GradientPlan& plan, char* workspace, const CallableRef& before) {
  with_input(call, [&]<class Input>() {
    with_built_in(BuiltInActivations(), call.activation, [&]<class Activation>(const Activation&) {
      launch_gradient_pass_of<Input>(exec, label, call, plan, workspace, KnownActivation<Activation>{call.activation},
                                     before);
    });
  });
}

template <class Sum>
void launch_column_sums(const Kokkos::Cuda& exec, const KernelLabel& label, const ColumnSumsOf<Sum>& sums,
                        const CallableRef& before, bool runs_beside) {
  if (sums.parts_of_sums == nullptr) return before();
  const AddColumnSums<Sum> kernel{sums};
  launch_kernel(exec, label, kernel.league(), kernel, before, {.runs_beside = runs_beside});
}

#define TEGULA_GRADIENT_PASS(BITS)                                                                       \
  template void launch_gradient_pass(const Kokkos::Cuda&, const KernelLabel&, const GradientCall<BITS>&, \
                                     const GradientPlan&, char*, const CallableRef&);
TEGULA_GRADIENT_PASS(std::uint16_t)
TEGULA_GRADIENT_PASS(float)
TEGULA_GRADIENT_PASS(double)
#undef TEGULA_GRADIENT_PASS
template void launch_column_sums(const Kokkos::Cuda&, const KernelLabel&, const ColumnSumsOf<float>&,
                                 const CallableRef&, bool);
template void launch_column_sums(const Kokkos::Cuda&, const KernelLabel&, const ColumnSumsOf<double>&,
                                 const CallableRef&, bool);

}  // namespace Tegula::Impl
