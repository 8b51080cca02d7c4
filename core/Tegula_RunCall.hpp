// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_CALL_HPP
#define TEGULA_RUN_CALL_HPP

#include "Tegula_Planner.hpp"
#include "Tegula_Workspace.hpp"

/// The path that every call shares: checked call -> plan -> kernels.

namespace Tegula::Impl {

/// A matrix, to overloads that may have an execution space or a plan in its place.
template <class T>
concept IsMatrixArgument = !IsExecutionSpace<T> && !std::is_same_v<T, Plan>;

/// What checking a call yields: the arguments, for messages about what is found later, and the call.
struct CheckedCall {
  ArgumentList arguments;
  Call call;
};

template <class ExecutionSpace>
Plan plan_call(const ExecutionSpace& exec, const CheckedCall& checked, const PlanOptions& options) {
  return plan_call(exec, checked.call, options, checked.arguments);
}

template <class ExecutionSpace>
int threads_of(const ExecutionSpace& exec) {
  return static_cast<int>(exec.concurrency());
}

template <class ExecutionSpace>
PlannedPlace place_of(const ExecutionSpace& exec) {
  PlannedPlace place{ExecutionSpace::name(), 0, 0, has_cuda_families<ExecutionSpace>};
  if constexpr (requires { exec.cuda_device(); }) {
    place.device = exec.cuda_device();
  } else if constexpr (requires { exec.hip_device(); }) {
    place.device = exec.hip_device();
  } else if constexpr (is_host_space<ExecutionSpace>) {
    place.threads = threads_of(exec);
  }
  return place;
}

/// A plan that remembers the call, to be run again.
template <class ExecutionSpace>
Plan make_plan_of(const ExecutionSpace& exec, const CheckedCall& checked, const PlanOptions& options) {
  Plan plan        = plan_call(exec, checked, options);
  plan.planned_for = planned_for(place_of(exec), checked.call, options);
  return plan;
}

/// Runs a plan that the call was planned by.
template <class ExecutionSpace>
void run_planned(const ExecutionSpace& exec, const CheckedCall& checked, const Plan& plan,
                 const Workspace<ExecutionSpace>& workspace) {
  const bool is_given = workspace.extent(0) > 0;
  if (is_given) check_workspace<ExecutionSpace>(checked.arguments, plan.workspace_bytes(), workspace);
  if (!plan.is_empty()) run_plan(exec, checked.call, plan, is_given ? workspace.data() : nullptr);
}

/// then(plan) follows.
template <class ExecutionSpace, class Then>
void run_call(const ExecutionSpace& exec, const CheckedCall& checked, const PlanOptions& options,
              const Workspace<ExecutionSpace>& workspace, const Then& then) {
  const auto run = [&](const Plan& plan) {
    run_planned(exec, checked, plan, workspace);
    then(plan);
  };
  with_plan(exec, checked.call, options, checked.arguments, PlanUse(run));
}

template <class ExecutionSpace>
void run_call(const ExecutionSpace& exec, const CheckedCall& checked, const PlanOptions& options,
              const Workspace<ExecutionSpace>& workspace) {
  run_call(exec, checked, options, workspace, [](const Plan&) {});
}

/// Runs a plan that was made for a call like this one.
template <class ExecutionSpace>
void run_call(const ExecutionSpace& exec, const Plan& plan, const CheckedCall& checked, const PlanOptions& options,
              const Workspace<ExecutionSpace>& workspace) {
  check_planned(plan.planned_for, place_of(exec), checked.call, options, checked.arguments);
  run_planned(exec, checked, plan, workspace);
}

}  // namespace Tegula::Impl

#endif
