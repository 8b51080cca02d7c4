// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_FAMILY_HPP
#define TEGULA_SIMT_FAMILY_HPP

#include "../Tegula_TensorProducts.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_SimtLaunch.hpp"
#include "Tegula_SimtOperand.hpp"
#include "Tegula_SimtPlan.hpp"

namespace Tegula::Impl {

/// Compute capability 8.0 and newer: IEEE single precision by fused multiply-adds, operands of any layout brought by
/// cp.async. Kernels for it are compiled into the library where CMake finds a CUDA compiler (TEGULA_HAS_MMA).
struct SimtFamily {
  static constexpr const char* name = "simt";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_uniform_problem<Problem, float>;

  template <class Problem>
  static bool supports(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (exec.cuda_device_prop().major < 8 || !has_tensor_extents(problem) || !has_short_strides(problem)) return false;
    // dZ takes a kernel of its own, and a workspace.
    return !options.family.empty() || is_worth_preparing(problem) ||
           tensor_plan(name, exec, problem).gradient.teams() == 0;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = tensor_plan(name, exec, problem);
    plan_simt_products(plan, tensor_machine(exec), options, arguments);
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const std::string label         = kernel_label(plan);
    const auto [calls, column_sums] = launch_before_products(exec, label, problem, plan, workspace);
    for (std::size_t p = 0; p < calls.size(); ++p) {
      const ProductPlan& product = plan.products[p];
      if (product.teams() > 0)
        launch_simt(exec, calls[p], plan, product, reinterpret_cast<float*>(product_workspace(plan, p, workspace)));
    }
    launch_column_sums(exec, label, column_sums);
    launch_behind_products(exec, label, problem, plan, workspace);
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = false;
#endif
};

}  // namespace Tegula::Impl

#endif
