// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_FAMILY_HPP
#define TEGULA_SKINNY_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_SkinnyLaunch.hpp"
#include "Tegula_SkinnyPlan.hpp"

namespace Tegula::Impl {

/// Products that memory limits, of a long matrix and one that is short in both directions, in either order: gemm in
/// float and double, by fused multiply-adds, on compute capability 8.0 and newer. Kernels for it are compiled into the
/// library where CMake finds a CUDA compiler (TEGULA_HAS_MMA).
struct SkinnyFamily {
  static constexpr const char* name = "skinny";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda> &&
                                      (is_uniform_gemm<Problem, float> || is_uniform_gemm<Problem, double>);
  static constexpr const char* other_types =
      "it takes gemm in float or double throughout, with an activation that Tegula brings, on Cuda";

  template <class T, class Activation>
  static const char* refusal(const Kokkos::Cuda& exec, const GemmProblem<T, T, T, T, T, Activation>& problem,
                             const PlanOptions& options) {
    if (const char* reason = cuda_refusal(exec, problem)) return reason;
    if (!is_skinny<T>(problem.shape(), cuda_machine(exec), options))
      return "no tile that options allow has room for all of the smaller of m and n";
    const bool takes = !options.family.empty() || is_best_skinny(product_call(problem), problem.shape());
    return takes ? nullptr : faster_elsewhere;
  }

  template <class T, class Activation>
  static Plan plan(const Kokkos::Cuda& exec, const GemmProblem<T, T, T, T, T, Activation>& problem,
                   const PlanOptions& options, const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    plan_skinny_product<T>(plan, cuda_machine(exec), options, arguments);
    return plan;
  }

  template <class T, class Activation>
  static void launch(const Kokkos::Cuda& exec, const GemmProblem<T, T, T, T, T, Activation>& problem, const Plan& plan,
                     char*) {
    launch_skinny(exec, product_call(problem), plan, plan.products[0]);
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_cuda_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
