// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_FAMILY_HPP
#define TEGULA_TF32_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_Tf32Launch.hpp"
#include "Tegula_Tf32Plan.hpp"

namespace Tegula::Impl {

/// Hopper (compute capability 9.0), Compute::tf32: products of floats that TMA rounds to TF32, by wgmma.
/// Compiled into the library as the wgmma family is.
struct Tf32Family {
  static constexpr const char* name = "tf32";

#if TEGULA_HAS_WGMMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_uniform_problem<Problem, float>;
  static constexpr const char* other_types =
      "it takes float throughout, with an activation that Tegula brings, on Cuda";

  template <class Problem>
  static const char* refusal(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (problem.compute != Compute::tf32) return "the call does not allow Compute::tf32";
    if (const char* reason = hopper_refusal(exec, problem, most_tf32_scratch())) return reason;
    return options.family.empty() && !is_worth_tf32(exec, problem) ? faster_elsewhere : nullptr;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = cuda_plan(name, exec, problem);
    plan_tf32_products(plan, planned_calls(problem, plan), cuda_machine(exec), options, arguments);
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    launch_one_by_one(exec, problem, plan, workspace,
                      [&](const auto& call, const ProductPlan& product, char* memory, const CallableRef& before) {
                        launch_tf32(exec, call, product, plan, memory, before);
                      });
  }

 private:
  template <class Problem>
  static bool is_worth_tf32(const Kokkos::Cuda& exec, const Problem& problem) {
    const Plan plan  = cuda_plan(name, exec, problem);
    const auto calls = planned_calls(problem, plan);
    return are_worth(plan.products, [&](std::size_t p) {
      const GemmShape& shape = plan.products[p].shape;
      return Impl::is_worth_tf32(shape, plan.gradient.teams() > 0 || !tf32_copies(calls[p], shape).none());
    });
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_hopper_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
