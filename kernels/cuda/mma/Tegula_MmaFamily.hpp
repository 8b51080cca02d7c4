// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FAMILY_HPP
#define TEGULA_MMA_FAMILY_HPP

#include "../Tegula_TensorProducts.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_MmaPlan.hpp"

namespace Tegula::Impl {

/// Compute capability 8.0 and newer: tensor cores through mma.sync, operands brought by cp.async; 16-bit elements and
/// double. Kernels for it are
/// compiled into the library where CMake finds a CUDA compiler (TEGULA_HAS_MMA). Some of its tiles want no more scratch
/// than every Kokkos gives.
struct MmaFamily {
  static constexpr const char* name = "mma";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda> &&
                                      (is_tensor_problem<Problem> || is_uniform_problem<Problem, double>);

  template <class Problem>
  static bool supports(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (exec.cuda_device_prop().major < 8 || !has_tensor_extents(problem)) return false;
    // dZ takes a kernel of its own, and a workspace.
    return !options.family.empty() || is_worth_preparing(problem) ||
           tensor_plan(name, exec, problem).gradient.teams() == 0;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = tensor_plan(name, exec, problem);
    if constexpr (is_uniform_problem<Problem, double>) {
      plan_mma_double_products(plan, tensor_machine(exec), options, arguments);
    } else {
      plan_mma_products(plan, tensor_machine(exec), options, arguments);
      // Operands of small products are gathered instead.
      if (is_worth_preparing(problem)) plan_copies(problem, plan);
    }
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const std::string label         = kernel_label(plan);
    const auto [calls, column_sums] = launch_before_products(exec, label, problem, plan, workspace);
    for (std::size_t p = 0; p < calls.size(); ++p) {
      const ProductPlan& product = plan.products[p];
      if (product.teams() == 0) continue;
      char* const memory = product_workspace(plan, p, workspace);
      if constexpr (is_uniform_problem<Problem, double>) {
        launch_mma(exec, calls[p], plan, product, reinterpret_cast<double*>(memory));
      } else {
        const TensorCall call = launch_copies(exec, label, calls[p], product, memory);
        launch_mma(exec, call, plan, product, reinterpret_cast<float*>(memory));
      }
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
