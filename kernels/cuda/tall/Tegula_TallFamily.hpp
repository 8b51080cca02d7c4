// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_FAMILY_HPP
#define TEGULA_TALL_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_TallArguments.hpp"
#include "Tegula_TallLaunch.hpp"
#include "Tegula_TallPlan.hpp"

namespace Tegula::Impl {

template <class T, class Activation>
TallCall<T> tall_call(const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& p) {
  return {p.dC,
          Activation::saved == Saved::nothing ? MatrixRef<const T>{} : p.saved,
          p.dB.data == nullptr ? MatrixRef<const T>{} : p.A,
          p.B,
          p.dA,
          activation_choice(p.activation),
          p.alpha_of(p.dA_shape()),
          p.update_dA == Update::accumulate};
}

/// All gradients of a long matrix times a small one, which memory limits, in one pass: gemm_backward in float and
/// double on compute capability 8.0 and newer. Kernels for it are compiled into the library where CMake finds a CUDA
/// compiler (TEGULA_HAS_MMA).
struct TallFamily {
  static constexpr const char* name = "tall";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda> &&
                                      (is_uniform_backward<Problem, float> || is_uniform_backward<Problem, double>);
  static constexpr const char* other_types =
      "it takes gemm_backward in float or double throughout, with an activation that Tegula brings, on Cuda";

  template <class T, class Activation>
  static const char* refusal(const Kokkos::Cuda& exec,
                             const GemmBackwardProblem<T, T, T, T, T, T, T, Activation>& problem,
                             const PlanOptions& options) {
    if (const char* reason = cuda_refusal(exec, problem)) return reason;
    if (problem.alpha == 0) return "alpha is 0";
    if (!is_tall<T>(shape_of(problem), cuda_machine(exec), options))
      return "n or k is 0 or wider than a tile, m is not larger than one, or options ask for another tile or a split";
    const TallCall<T> call = tall_call(problem);
    const auto major       = tall_major(call);
    if (!major) return "dC, saved and A are not all contiguous in one direction, in aligned runs of 16 bytes";
    const bool takes = !options.family.empty() || (is_best_tall<T>(shape_of(problem)) && lies_along(call.dA, *major));
    return takes ? nullptr : faster_elsewhere;
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
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_cuda_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
