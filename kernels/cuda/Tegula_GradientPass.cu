// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ColumnSums.cuh"
#include "Tegula_GradientPassKernel.cuh"

namespace Tegula::Impl {
namespace {

constexpr int team_threads = gradient_threads;

/// Adds the parts of column sums.
template <class Sum>
struct AddColumnSums {
  using teams = CudaTeams<team_threads, gradient_teams>;

  ColumnSumsOf<Sum> sums;

  __device__ void operator()(const typename teams::member& team) const {
    constexpr int warp_lanes = 32, warps = team_threads / warp_lanes;
    add_column_sums(sums, team.league_rank() * warps + team.team_rank() / warp_lanes, team.league_size() * warps,
                    team.team_rank() % warp_lanes);
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

template <class Bits>
void launch_gradient_pass(const Kokkos::Cuda& exec, const KernelLabel& label, const GradientCall<Bits>& call,
                          const GradientPlan& plan, char* workspace, const CallableRef& before) {
  with_input(call, [&]<class Input>() {
    launch_gradient_pass_of<Input>(exec, label, call, plan, workspace, ChosenActivation{call.activation}, before);
  });
}

template <class Sum>
void launch_column_sums(const Kokkos::Cuda& exec, const KernelLabel& label, const ColumnSumsOf<Sum>& sums,
                        const CallableRef& before, bool runs_beside) {
  if (sums.parts_of_sums == nullptr) return before();
  const auto teams = static_cast<std::uint32_t>(ceil_div(sums.n, team_threads / 4));
  launch_kernel(exec, label, teams, AddColumnSums<Sum>{sums}, before, {.runs_beside = runs_beside});
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
