// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_CALL_HPP
#define TEGULA_RUN_CALL_HPP

#include <cstddef>

#include "Tegula_CheckViews.hpp"
#include "Tegula_KernelTable.hpp"
#include "Tegula_OwnMemory.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_Workspace.hpp"

/// The path that every call shares: checked problem -> kernel family -> plan -> launch.

namespace Tegula {

namespace Impl {

/// What checking a call yields: the arguments, for messages about what is found later, and the problem.
template <class Problem>
struct CheckedCall {
  ArgumentList arguments;
  Problem problem;
};

template <class ExecutionSpace, class Problem>
Plan plan_call(const ExecutionSpace& exec, const CheckedCall<Problem>& call, const PlanOptions& options) {
  Plan plan;
  visit_family(exec, call.problem, options, call.arguments,
               [&](auto family) { plan = family.plan(exec, call.problem, options, call.arguments); });
  return plan;
}

template <class ExecutionSpace, class Problem>
void run_call(const ExecutionSpace& exec, const CheckedCall<Problem>& call, const PlanOptions& options,
              const Workspace<ExecutionSpace>& workspace) {
  visit_family(exec, call.problem, options, call.arguments, [&](auto family) {
    const Plan plan          = family.plan(exec, call.problem, options, call.arguments);
    const std::size_t needed = plan.workspace_bytes();
    if (workspace.extent(0) > 0) check_workspace<ExecutionSpace>(call.arguments, needed, workspace);
    if (plan.is_empty()) return;
    const auto launch = [&](char* memory) { family.launch(exec, call.problem, plan, memory); };
    if (needed == 0 || workspace.extent(0) > 0) return launch(workspace.data());
    with_own_memory(exec, plan.call, needed, launch);
  });
}

}  // namespace Impl
}  // namespace Tegula

#endif
