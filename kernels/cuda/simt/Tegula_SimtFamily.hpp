// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_FAMILY_HPP
#define TEGULA_SIMT_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_StreamedProducts.hpp"
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
  static constexpr const char* other_types =
      "it takes float throughout, with an activation that Tegula brings, on Cuda";

  template <class Problem>
  static const char* refusal(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (const char* reason = cuda_refusal(exec, problem)) return reason;
    if (!has_short_strides(problem)) return "a stride is too large to be counted in 32 bits";
    return is_worth_its_kernels(name, exec, problem, options) ? nullptr : faster_elsewhere;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = cuda_plan(name, exec, problem);
    plan_streamed_products(problem, plan, cuda_machine(exec), options, arguments);
    plan_simt_products(plan, cuda_machine(exec), options, arguments);
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    launch_one_by_one(exec, problem, plan, workspace,
                      [&](const auto& call, const ProductPlan& product, char* memory, const CallableRef& before) {
                        before();
                        float* const partial_sums = reinterpret_cast<float*>(memory);
                        product.is_streamed() ? launch_streamed(exec, call, plan, product, partial_sums)
                                              : launch_simt(exec, call, plan, product, partial_sums);
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
