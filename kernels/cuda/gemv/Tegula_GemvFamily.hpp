// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_FAMILY_HPP
#define TEGULA_GEMV_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_GemvArguments.hpp"
#include "Tegula_GemvLaunch.hpp"
#include "Tegula_GemvPlan.hpp"

namespace Tegula::Impl {

/// Products of a few rows or columns that memory limits, a matrix times a vector and the like: gemm in float and
/// double, by fused multiply-adds, on compute capability 8.0 and newer. Kernels for it are compiled into the library
/// where CMake finds a CUDA compiler (TEGULA_HAS_MMA).
struct GemvFamily {
  static constexpr const char* name = "gemv";

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
    const auto major = streamed_major(product_call(problem), problem.shape());
    if (!major) return "the long operand is not in aligned runs of 16 bytes";
    if (!is_gemv<T>(problem.shape(), *major, cuda_machine(exec), options))
      return "both m and n are larger than 8, or options ask for another tile";
    return options.family.empty() && !is_best_gemv<T>(problem.shape(), *major) ? faster_elsewhere : nullptr;
  }

  template <class T, class Activation>
  static Plan plan(const Kokkos::Cuda& exec, const GemmProblem<T, T, T, T, T, Activation>& problem,
                   const PlanOptions& options, const ArgumentList& arguments) {
    Plan plan        = uncut_plan<Kokkos::Cuda>(name, problem);
    const auto major = streamed_major(product_call(problem), problem.shape());
    plan_gemv_product<T>(plan, *major, cuda_machine(exec), options, arguments);
    return plan;
  }

  template <class T, class Activation>
  static void launch(const Kokkos::Cuda& exec, const GemmProblem<T, T, T, T, T, Activation>& problem, const Plan& plan,
                     char* workspace) {
    launch_one_by_one(exec, problem, plan, workspace,
                      [&](const auto& call, const ProductPlan& product, char* memory, const CallableRef& before) {
                        before();
                        launch_gemv(exec, call, plan, product, reinterpret_cast<T*>(memory));
                      });
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_cuda_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
