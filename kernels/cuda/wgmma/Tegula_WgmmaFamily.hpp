// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FAMILY_HPP
#define TEGULA_WGMMA_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_WgmmaLaunch.hpp"
#include "Tegula_WgmmaPlan.hpp"

namespace Tegula::Impl {

/// Hopper (compute capability 9.0): TMA and wgmma. Kernels for it are compiled into the library where CMake
/// finds a CUDA compiler (TEGULA_HAS_WGMMA). They want more scratch than a Kokkos before 5.2 gives.
struct WgmmaFamily {
  static constexpr const char* name = "wgmma";

#if TEGULA_HAS_WGMMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_half_problem<Problem>;
  static constexpr const char* other_types =
      "it takes half_t or bhalf_t times the same, to the same or float, with an activation that Tegula brings, on Cuda";

  template <class Problem>
  static const char* refusal(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (const char* reason = hopper_refusal(exec, problem, least_wgmma_scratch())) return reason;
    const bool takes = !options.family.empty() || is_worth_preparing(problem) || !needs_preparation(exec, problem);
    return takes ? nullptr : faster_elsewhere;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = cuda_plan(name, exec, problem);
    plan_wgmma_products(plan, cuda_machine(exec), options, arguments);
    plan_copies(problem, plan);
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const auto placed       = placed_calls(problem, plan, workspace);
    const std::string label = kernel_label(plan);
    const auto passes       = [&] { launch_before_products(exec, problem, plan, workspace); };
    if (plan.teams() == 0) {
      passes();
      return launch_column_sums(exec, label, placed.column_sums);
    }
    launch_wgmma(exec, placed.calls, placed.column_sums, plan, workspace, CallableRef(passes));
    launch_behind_products(exec, label, problem, plan, workspace);
  }

 private:
  // Whether something must be formed or copied before the products, by kernels of its own and in a workspace.
  template <class Problem>
  static bool needs_preparation(const Kokkos::Cuda& exec, const Problem& problem) {
    Plan plan = cuda_plan(name, exec, problem);
    plan_copies(problem, plan);
    return plan.gradient.teams() > 0 || plan.workspace_bytes() > 0;
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_hopper_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
