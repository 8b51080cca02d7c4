// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_FAMILY_HPP
#define TEGULA_PANEL_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_HopperKernels.hpp"
#include "Tegula_PanelConfig.hpp"
#include "Tegula_PanelLaunch.hpp"
#include "Tegula_PanelPlan.hpp"

namespace Tegula::Impl {

/// Hopper (compute capability 9.0): gemm in double of a large result and a short inner dimension, where stores take as
/// long as products. Compiled into the library as the wgmma family is.
struct PanelFamily {
  static constexpr const char* name = "panel";

#if TEGULA_HAS_WGMMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_uniform_gemm<Problem, double>;

  template <class Problem>
  static bool supports(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (!runs_hopper_kernels(exec, PanelConfig::scratch_bytes) || !has_cuda_extents(problem)) return false;
    if (!is_panel(product_call(problem), problem.shape(), options)) return false;
    return !options.family.empty() || is_best_panel(problem.shape());
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    plan_panel_product(plan, cuda_machine(exec), product_call(problem), options, arguments);
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char*) {
    launch_panel(exec, product_call(problem), plan, plan.products[0]);
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = false;
#endif
};

}  // namespace Tegula::Impl

#endif
