// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Planner.hpp"

#include <algorithm>
#include <cstring>

#include "Tegula_FamilyRefusal.hpp"
#include "Tegula_Instances.hpp"
#include "Tegula_OwnMemory.hpp"
#include "Tegula_PlanCache.hpp"
#include "Tegula_RunCall.hpp"
#include "cuda/Tegula_CudaPlanRefusal.hpp"
#include "cuda/Tegula_CudaPlanner.hpp"
#include "cuda/Tegula_CudaRunPlan.hpp"
#include "cuda/Tegula_CudaTunedWays.hpp"
#include "host/Tegula_HostFamily.hpp"
#include "host/Tegula_HostLaunch.hpp"
#include "portable/Tegula_PortableFamily.hpp"
#include "tuning/Tegula_PlanningDevice.hpp"

/// Which kernel family takes a call: on CUDA what cuda/Tegula_CudaPlanner.hpp says, elsewhere the host family, or the
/// portable family where that does not run.

namespace Tegula::Impl {
namespace {

template <class ExecutionSpace>
HostSpace host_space_of(const ExecutionSpace& exec) {
  return {ExecutionSpace::name(), exec.concurrency(),
          static_cast<std::size_t>(Kokkos::TeamPolicy<ExecutionSpace>::scratch_size_max(1))};
}

/// An execution space whose families are these: host, where kernels are done when they return, and portable.
template <class ExecutionSpace>
struct PlainSpace {
  static constexpr bool has_host_family = is_done_at_return<ExecutionSpace>;

  static const char* refusal_of_host(const Call& call) { return has_host_family ? host_refusal(call) : host_types; }

  static Plan plan(const ExecutionSpace& exec, const Call& call, const PlanOptions& options,
                   const ArgumentList& arguments) {
    const char* const space = ExecutionSpace::name();
    const auto is_allowed   = [&](const char* name) { return options.family.empty() || options.family == name; };

    const char* const host = refusal_of_host(call);
    if (host == nullptr && is_allowed(host_family))
      return plan_host_call(call, host_space_of(exec), options, arguments);
    const PortableMachine machine = portable_machine(exec);
    const PortableKernels kernels = portable_kernels<is_host_space<ExecutionSpace>>(call);
    const char* const portable    = portable_refusal(machine, kernels);
    if (portable == nullptr && is_allowed(portable_family)) return plan_portable_call(exec, call, options, arguments);
    std::vector<FamilyRefusal> refusals = refusals_without_cuda();
    refusals.insert(refusals.begin(), {host_family, host});
    refusals.push_back({portable_family, portable});
    fail_without_family(arguments, options.family, space, refusals);
  }

  static void launch(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace) {
    if constexpr (has_host_family) {
      // Most often it is the same constant.
      if (plan.family == host_family || std::strcmp(plan.family, host_family) == 0)
        return launch_host_call(exec, call, plan, workspace);
    }
    launch_portable_call(exec, call, plan, workspace);
  }
};

template <class ExecutionSpace>
Plan plan_as_predicted(const ExecutionSpace& exec, const Call& call, const PlanOptions& options,
                       const ArgumentList& arguments) {
  if constexpr (has_cuda_families<ExecutionSpace>) {
    return plan_cuda_call(call, cuda_machine(exec), options, arguments);
  } else {
    return PlainSpace<ExecutionSpace>::plan(exec, call, options, arguments);
  }
}

/// Nothing, or std::invalid_argument, if the way is not possible.
template <class ExecutionSpace>
std::optional<Plan> plan_of_way(const ExecutionSpace& exec, const Call& call, const TunedWay& way,
                                const ArgumentList& arguments) {
  if constexpr (has_cuda_families<ExecutionSpace>) {
    return plan_cuda_way(call, cuda_machine(exec), way, arguments);
  } else {
    if (host_refusal(call) != nullptr) return std::nullopt;
    return plan_host_way(call, host_space_of(exec), way);
  }
}

}  // namespace

template <class ExecutionSpace>
Plan plan_call(const ExecutionSpace& exec, const Call& call, const PlanOptions& options,
               const ArgumentList& arguments) {
  const auto own = [&] { return plan_as_predicted(exec, call, options, arguments); };
  if constexpr (is_tuned<ExecutionSpace>) {
    if (is_planning_watched.load(std::memory_order_relaxed))
      return plan_as_tuned(call, options, planning_device(exec), own,
                           [&](const TunedWay& way) { return plan_of_way(exec, call, way, arguments); });
  }
  return own();
}

template <class ExecutionSpace>
void with_plan(const ExecutionSpace& exec, const Call& call, const PlanOptions& options, const ArgumentList& arguments,
               const PlanUse& use) {
  const PlannedPlace place = place_of(exec);
  PlanCache::of_this_thread().with_plan(
      {place, call, options}, [&] { return plan_call(exec, call, options, arguments); }, use);
}

template <class ExecutionSpace>
void run_plan(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace) {
  const auto launch = [&](char* memory) {
    if constexpr (has_cuda_families<ExecutionSpace>) {
      launch_cuda_plan(exec, call, plan, memory);
    } else {
      PlainSpace<ExecutionSpace>::launch(exec, call, plan, memory);
    }
  };
  const std::size_t needed = plan.workspace_bytes();
  if (needed == 0 || workspace != nullptr) return launch(workspace);
  with_own_memory(exec, plan.call, needed, launch);
}

std::vector<std::string> family_names() {
  std::vector<std::string> names{host_family};
  for (const CudaFamily* family : cuda_families())
    if (std::find(names.begin(), names.end(), family->name) == names.end()) names.emplace_back(family->name);
  return names;
}

#define TEGULA_PLANNER(PREFIX, SPACE, ...)                                                                            \
  PREFIX template Plan plan_call(const SPACE&, const Call&, const PlanOptions&, const ArgumentList&);                 \
  PREFIX template void with_plan(const SPACE&, const Call&, const PlanOptions&, const ArgumentList&, const PlanUse&); \
  PREFIX template void run_plan(const SPACE&, const Call&, const Plan&, char*);
TEGULA_ALL_SPACES(TEGULA_PLANNER, , )

}  // namespace Tegula::Impl
