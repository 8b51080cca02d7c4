// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLANNER_HPP
#define TEGULA_PLANNER_HPP

#include <string>
#include <vector>

#include "Tegula_Call.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Check.hpp"
#include "Tegula_Plan.hpp"

/// From a checked call to kernels: the library's part, compiled once for every execution space of the Kokkos at hand.

namespace Tegula::Impl {

/// A function of a plan, which outlives the reference.
using PlanUse = FunctionRef<const Plan&>;

/// The plan of a call: kernel family, tiles, workspace. An option that cannot be met, or a call that no family takes,
/// ends in arguments.fail().
template <class ExecutionSpace>
Plan plan_call(const ExecutionSpace& exec, const Call& call, const PlanOptions& options, const ArgumentList& arguments);

/// The same for a call that runs at once: use(plan). A thread does not plan again what it planned lately.
template <class ExecutionSpace>
void with_plan(const ExecutionSpace& exec, const Call& call, const PlanOptions& options, const ArgumentList& arguments,
               const PlanUse& use);

/// Queues the kernels of a plan that has any, for the call that it was made of. The workspace has the bytes that the
/// plan needs; null: memory of the library's own, if it needs some. Throws std::runtime_error, before anything is
/// written, if there is no memory.
template <class ExecutionSpace>
void run_plan(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace);

/// The names of all kernel families.
std::vector<std::string> family_names();

}  // namespace Tegula::Impl

#endif
