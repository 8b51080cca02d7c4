// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALL_HPP
#define TEGULA_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "Tegula_Check.hpp"
#include "Tegula_KernelTable.hpp"
#include "Tegula_Plan.hpp"

/// The path that every call shares: checked problem -> kernel family -> plan -> launch.

namespace Tegula {

/// Memory for partial sums, in the memory space of the execution space, aligned as an allocation is. Empty: none given.
template <class ExecutionSpace>
using Workspace = std::type_identity_t<Kokkos::View<char*, typename ExecutionSpace::memory_space>>;

namespace Impl {

/// What checking a call yields: the problem, and the arguments for messages about what is found later.
template <class Problem>
struct CheckedCall {
  ArgumentList arguments;
  Problem problem;
};

template <class ExecutionSpace, class Problem>
Plan plan_call(const ExecutionSpace& exec, const CheckedCall<Problem>& call, const PlanOptions& options) {
  Plan plan;
  visit_family(KernelTable(), exec, call.problem, options, call.arguments,
               [&](auto family) { plan = family.plan(exec, call.problem, options, call.arguments); });
  return plan;
}

template <class ExecutionSpace>
void check_workspace(ArgumentList arguments, std::size_t needed, const Workspace<ExecutionSpace>& workspace) {
  arguments.add<ExecutionSpace>("workspace", Access::output, workspace);
  if (workspace.extent(0) < needed) {
    arguments.fail("the workspace has " + std::to_string(workspace.extent(0)) + " bytes, the plan needs " +
                   std::to_string(needed));
  }
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % alignof(std::max_align_t) != 0) {
    arguments.fail("the workspace is not aligned to " + std::to_string(alignof(std::max_align_t)) + " bytes");
  }
  arguments.check_memory();
}

template <class ExecutionSpace, class Problem>
void run_call(const ExecutionSpace& exec, const CheckedCall<Problem>& call, const PlanOptions& options,
              const Workspace<ExecutionSpace>& workspace) {
  visit_family(KernelTable(), exec, call.problem, options, call.arguments, [&](auto family) {
    const Plan plan          = family.plan(exec, call.problem, options, call.arguments);
    const std::size_t needed = plan.workspace_bytes();
    if (workspace.extent(0) > 0) check_workspace<ExecutionSpace>(call.arguments, needed, workspace);
    if (plan.teams() == 0) return;
    if (needed == 0 || workspace.extent(0) > 0) {
      family.launch(exec, call.problem, plan, workspace.data());
    } else {
      const Kokkos::View<char*, typename ExecutionSpace::memory_space> own(
          Kokkos::view_alloc(std::string("Tegula::workspace"), Kokkos::WithoutInitializing), needed);
      family.launch(exec, call.problem, plan, own.data());
      exec.fence();  // the kernels must be done with the memory before it goes
    }
  });
}

}  // namespace Impl
}  // namespace Tegula

#endif
