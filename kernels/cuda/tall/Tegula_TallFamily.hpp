// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_FAMILY_HPP
#define TEGULA_TALL_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "Tegula_TallLaunch.hpp"
#include "Tegula_TallPlan.hpp"

namespace Tegula::Impl {

/// All gradients of a long matrix times a small one, which memory limits, in one pass: gemm_backward in float and
/// double on compute capability 8.0 and newer. Kernels for it are compiled into the library where CMake finds a CUDA
/// compiler (TEGULA_HAS_MMA).
struct TallFamily {
  static constexpr const char* name = "tall";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda> &&
                                      (is_uniform_backward<Problem, float> || is_uniform_backward<Problem, double>);

  template <class T, class Activation>
  static bool supports(const Kokkos::Cuda& exec, const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& problem,
                       const PlanOptions& options) {
    if (cuda_device(exec).major < 8 || !has_cuda_extents(problem) || problem.alpha == 0) return false;
    if (!is_tall<T>(shape_of(problem), cuda_machine(exec), options)) return false;
    const TallCall<T> call = tall_call(problem);
    const auto major       = tall_major(call);
    return major && (!options.family.empty() || (is_best_tall<T>(shape_of(problem)) && lies_along(call.dA, *major)));
  }

  template <class T, class Activation>
  static Plan plan(const Kokkos::Cuda& exec, const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& problem,
                   const PlanOptions& options, const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    plan_tall_products<T>(plan, shape_of(problem), cuda_machine(exec), options, arguments);
    return plan;
  }

  template <class T, class Activation>
  static void launch(const Kokkos::Cuda& exec, const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& problem,
                     const Plan& plan, char* workspace) {
    const bool has_sums = is_wanted(plan.products[1]);
    launch_tall<T>(exec, tall_call(problem), plan, has_sums ? reinterpret_cast<T*>(workspace) : nullptr);
    launch_split_k_reduces(exec, kernel_label(plan), problem, plan, workspace);
  }

 private:
  template <class T, class Activation>
  static GemmShape shape_of(const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& problem) {
    return {problem.dC.rows, problem.dC.columns, problem.A.columns};
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = false;
#endif
};

}  // namespace Tegula::Impl

#endif
