// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_FAMILY_HPP
#define TEGULA_PORTABLE_FAMILY_HPP

#include "Tegula_OwnPortable.hpp"
#include "Tegula_PortableLaunch.hpp"
#include "Tegula_PortableMachineOf.hpp"
#include "Tegula_PortablePlan.hpp"
#include "Tegula_PortableRuns.hpp"
#include "host/Tegula_HostSumsBelow.hpp"
#include "product/Tegula_UncutCall.hpp"
#include "reduce/Tegula_SumColumns.hpp"

/// The reference family: plain Kokkos, every execution space, element type, layout and stride. With kernels for CUDA in
/// the library, it is a row of their table (cuda/Tegula_CudaPortable.cpp).

namespace Tegula::Impl {

inline constexpr const char* portable_family = "portable";

/// What a plan of the family chooses among.
struct PortableKernels {
  std::span<const TileChoice> choices;
  std::size_t accumulator_bytes;
};

/// Those for a call on a host, or on a device.
template <bool IsHost>
PortableKernels portable_kernels(const Call& call) {
  if (call.portable != nullptr) return {call.portable->choices, call.portable->accumulator_bytes};
  if (call.accumulator == Element::f64) return {portable_choices<IsHost, double>, sizeof(double)};
  return {portable_choices<IsHost, float>, sizeof(float)};
}

/// Whether a call has types of a user's own, which are functions on runs on hosts.
inline bool is_of_runs(const Call& call) {
  return !call.is_built_in || call.has_own_elements || (call.below && !call.below->is_built_in);
}

/// Null if the family takes a call, or why not.
inline const char* portable_refusal(const PortableMachine& machine, const PortableKernels& kernels) {
  return machine.has_scratch(kernels.choices.back().scratch_bytes) ? nullptr : "a team has too little scratch";
}

/// The plan of a call that the family takes. Its kernels store dA as dZ of the layer below, whose dbias follows.
template <class ExecutionSpace>
Plan plan_portable_call(const ExecutionSpace& exec, const Call& call, const PlanOptions& options,
                        const ArgumentList& arguments) {
  constexpr bool is_host        = is_host_space<ExecutionSpace>;
  const PortableKernels kernels = portable_kernels<is_host>(call);
  Plan plan =
      portable_plan(portable_machine(exec), kernels.choices, uncut_plan(portable_family, ExecutionSpace::name(), call),
                    kernels.accumulator_bytes, options, arguments);
  plan_sums_below(plan, call, kernels.accumulator_bytes, exec.concurrency(), summed_at_once<is_host>);
  return plan;
}

/// Queues the kernels of a planned call.
template <class ExecutionSpace>
void launch_portable_call(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace) {
  if (call.portable != nullptr) return call.portable->launch(&exec, call, plan, workspace);
  const auto launch_of = [&]<class T>() {
    const auto launch = [&](const auto&... products) { launch_products<T>(exec, plan, products...); };
    if constexpr (is_done_at_return<ExecutionSpace>) {
      if (is_of_runs(call)) {
        with_run_products<T>(call, plan, workspace, launch);
      } else {
        with_products_of<T, void, BuiltInActivations>(call, plan, workspace, launch);
      }
      launch_host_sums_below<ExecutionSpace, T>(exec, call, plan, workspace);
    } else {
      with_any_products<T, FormedBy<ExecutionSpace>>(call, plan, workspace, launch);
      // On CUDA the planner has a pass for it.
      if constexpr (!has_cuda_families<ExecutionSpace>) {
        if (call.below) launch_sums_below<T, summed_at_once<false>>(exec, call, plan, workspace, AnySumsBelow<T>(call));
      }
    }
  };
  if (call.accumulator == Element::f64) {
    launch_of.template operator()<double>();
  } else {
    launch_of.template operator()<float>();
  }
}

}  // namespace Tegula::Impl

#endif
