// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostLaunch.hpp"

#include <string>

#include "Tegula_HostKernel.hpp"
#include "Tegula_HostProducts.hpp"
#include "Tegula_HostSumsBelow.hpp"
#include "Tegula_Instances.hpp"
#include "Tegula_PackPanels.hpp"
#include "Tegula_StepObserver.hpp"

namespace Tegula::Impl {
namespace {

/// A team computes one tile of one product.
template <class ExecutionSpace, class T>
struct HostTeams {
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using member = typename policy::member_type;

  const HostCall<T>* call;

  void operator()(const member& team) const {
    constexpr auto alignment  = static_cast<int>(PanelScratch::alignment);
    const std::size_t scratch = call->plan->scratch_bytes - PanelScratch::alignment;  // whatever its address is
    const auto barrier        = [&] { team.team_barrier(); };
    compute_host_tile(
        *call, team.league_rank(),
        {team.team_rank(), team.team_size(),
         static_cast<char*>(team.team_scratch(1).get_shmem_aligned(scratch, alignment)), CallableRef(barrier)});
  }
};

/// Adds the slices of split-k.
template <class T>
struct HostSlices {
  const HostProduct<T>* product;

  void operator()(std::int64_t part) const { add_host_slices(*product, part); }
};

/// A kernel of one team of one thread with little scratch, if no tool listens: a function call. To launch it would take
/// as long as a small product.
template <class T>
bool compute_at_once(const HostCall<T>& call) {
  const Plan& plan = *call.plan;
  if (plan.teams() != 1 || plan.threads != 1 || plan.scratch_bytes > most_scratch_at_once) return false;
  if (KernelLabel::is_heard()) return false;
  alignas(PanelScratch::alignment) char scratch[most_scratch_at_once];
  const auto no_barrier = [] {};
  launch_observed(KernelLabel(plan), [&] { compute_host_tile(call, 0, {0, 1, scratch, CallableRef(no_barrier)}); });
  return true;
}

template <class ExecutionSpace, class T>
void launch_host(const ExecutionSpace& exec, const HostCall<T>& call) {
  if (compute_at_once(call)) return;
  using Teams = HostTeams<ExecutionSpace, T>;
  using Parts = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  typename Teams::policy policy(exec, static_cast<int>(call.plan->teams()), call.plan->threads);
  policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(call.plan->scratch_bytes)));
  const KernelLabel products(*call.plan);
  launch_observed(products, [&] { Kokkos::parallel_for(products.if_heard(), policy, Teams{&call}); });
  auto planned = call.plan->products.begin();
  for (const HostProduct<T>& product : call.products) {
    const KernelLabel label = KernelLabel(*call.plan, *planned++) + split_k_step;
    if (product.partial_sums == nullptr) continue;
    const Parts parts(exec, 0, host_slice_parts(product));
    launch_observed(label, [&] { Kokkos::parallel_for(label.if_heard(), parts, HostSlices<T>{&product}); });
  }
}

}  // namespace

template <class ExecutionSpace>
void launch_host_call(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace) {
  check_panels(call);
  const auto launch = [&]<class T>(const HostCall<T>& host_call) {
    if (!call.below) return launch_host(exec, host_call);
    if (plan.teams() > 0) launch_host(exec, host_call);
    launch_host_sums_below<ExecutionSpace, T>(exec, call, plan, workspace);
  };
  if (call.accumulator == Element::f64) {
    with_host_call<double>(call, plan, workspace, launch);
  } else {
    with_host_call<float>(call, plan, workspace, launch);
  }
}

#define TEGULA_HOST_LAUNCH(PREFIX, SPACE, ...) \
  PREFIX template void launch_host_call(const SPACE&, const Call&, const Plan&, char*);
TEGULA_HOST_SPACES(TEGULA_HOST_LAUNCH, , )

}  // namespace Tegula::Impl
