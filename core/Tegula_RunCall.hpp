// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_CALL_HPP
#define TEGULA_RUN_CALL_HPP

#include "Tegula_Planner.hpp"
#include "Tegula_Workspace.hpp"

/// The path that every call shares: checked call -> plan -> kernels.

namespace Tegula::Impl {

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
void run_call(const ExecutionSpace& exec, const CheckedCall& checked, const PlanOptions& options,
              const Workspace<ExecutionSpace>& workspace) {
  const Plan plan     = plan_call(exec, checked, options);
  const bool is_given = workspace.extent(0) > 0;
  if (is_given) check_workspace<ExecutionSpace>(checked.arguments, plan.workspace_bytes(), workspace);
  if (!plan.is_empty()) run_plan(exec, checked.call, plan, is_given ? workspace.data() : nullptr);
}

}  // namespace Tegula::Impl

#endif
