// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_FAMILY_HPP
#define TEGULA_PANEL_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
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
  static constexpr const char* other_types =
      "it takes gemm in double throughout, with an activation that Tegula brings, on Cuda";

  template <class Problem>
  static const char* refusal(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (const char* reason = hopper_refusal(exec, problem, PanelConfig::scratch_bytes)) return reason;
    if (!is_panel(product_call(problem), problem.shape(), options))
      return "k is 0 or too large, a matrix is not in aligned runs of 16 bytes, the epilogue is not simple, or options "
             "ask for another tile, a group or a split";
    return options.family.empty() && !is_best_panel(problem.shape()) ? faster_elsewhere : nullptr;
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
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_hopper_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
