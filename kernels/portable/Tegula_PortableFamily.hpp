// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_FAMILY_HPP
#define TEGULA_PORTABLE_FAMILY_HPP

#include "Tegula_PortableLaunch.hpp"
#include "Tegula_PortablePlan.hpp"

namespace Tegula::Impl {

/// The reference family: plain Kokkos, every execution space, element type, layout and stride.
struct PortableFamily {
  static constexpr const char* name = "portable";

  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = true;

  template <class ExecutionSpace, class Problem>
  static const char* refusal(const ExecutionSpace& exec, const Problem&, const PlanOptions&) {
    constexpr auto& tiles = portable_tiles<ExecutionSpace, typename Problem::accumulator>;
    return portable_machine(exec).has_scratch(tiles.back().scratch_bytes) ? nullptr : "a team has too little scratch";
  }

  template <class ExecutionSpace, class Problem>
  static Plan plan(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    return portable_plan(name, exec, problem, options, arguments);
  }

  template <class ExecutionSpace, class Problem>
  static void launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
    portable_launch(exec, problem, plan, workspace);
  }
};

}  // namespace Tegula::Impl

#endif
