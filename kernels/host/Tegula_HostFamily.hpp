// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_FAMILY_HPP
#define TEGULA_HOST_FAMILY_HPP

#include "Tegula_FamilyRefusal.hpp"
#include "Tegula_HostLaunch.hpp"
#include "Tegula_HostProblem.hpp"

namespace Tegula::Impl {

/// Processors: panels packed into scratch, register tiles of vectors, for the set of instructions that the processor
/// has. Every element type that accumulates in float or double, every layout and stride.
struct HostFamily {
  static constexpr const char* name = host_refusal.name;

  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = is_done_at_return<ExecutionSpace> &&
                                      (std::is_same_v<typename Problem::accumulator, float> ||
                                       std::is_same_v<typename Problem::accumulator, double>);

  static constexpr const char* other_types = host_refusal.reason;

  template <class ExecutionSpace, class Problem>
  static const char* refusal(const ExecutionSpace&, const Problem&, const PlanOptions&) {
    return nullptr;
  }

  template <class ExecutionSpace, class Problem>
  static Plan plan(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    return host_plan(name, exec, problem, options, arguments);
  }

  template <class ExecutionSpace, class Problem>
  static void launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
    with_host_call(problem, plan, workspace, [&](const auto& call) { launch_host(exec, call); });
  }
};

}  // namespace Tegula::Impl

#endif
