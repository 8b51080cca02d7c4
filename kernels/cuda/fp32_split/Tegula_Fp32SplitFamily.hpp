// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_FAMILY_HPP
#define TEGULA_FP32_SPLIT_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_Fp32SplitLaunch.hpp"
#include "Tegula_Fp32SplitPlan.hpp"

namespace Tegula::Impl {

/// Hopper (compute capability 9.0), Compute::fp32_split: products of floats from products of 16-bit parts, by wgmma.
/// See Tegula_Fp32SplitScheme.hpp for what is computed. Compiled into the library as the wgmma family is.
struct Fp32SplitFamily {
  static constexpr const char* name = "fp32_split";

#if TEGULA_HAS_WGMMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_uniform_problem<Problem, float>;
  static constexpr const char* other_types =
      "it takes float throughout, with an activation that Tegula brings, on Cuda";

  template <class Problem>
  static const char* refusal(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (problem.compute != Compute::fp32_split) return "the call does not allow Compute::fp32_split";
    if (const char* reason = hopper_refusal(exec, problem, most_split_scratch())) return reason;
    if (!has_split_extents(problem)) return "an extent, times the parts of a number, is too large for 32 bits";
    return options.family.empty() && !is_worth_splitting(problem) ? faster_elsewhere : nullptr;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    const CudaMachine machine = cuda_machine(exec);
    Plan plan                 = cuda_plan(name, exec, problem);
    plan_split_products(plan, machine, options, arguments);
    const auto calls = planned_calls(problem, plan);
    for (std::size_t p = 0; p < calls.size(); ++p) {
      ProductPlan& product = plan.products[p];
      if (is_wanted(product))
        Impl::plan_copies(product, split_copies(calls[p], product.shape, machine.multiprocessors));
    }
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    launch_one_by_one(exec, problem, plan, workspace,
                      [&](const auto& call, const ProductPlan& product, char* memory, const CallableRef& before) {
                        launch_split(exec, call, product, plan, memory, before);
                      });
  }

 private:
  // The rows of all parts are counted in 32 bits.
  template <class Problem>
  static bool has_split_extents(const Problem& problem) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / (Fp32SplitOperand::most_parts + 1);
    for (const ProductPlan& product : uncut_products(problem))
      if (std::max({product.shape.m, product.shape.n, product.shape.k}) > most) return false;
    return true;
  }

  template <class Problem>
  static bool is_worth_splitting(const Problem& problem) {
    const auto products = uncut_products(problem);
    return are_worth(products, [&](std::size_t p) { return Impl::is_worth_splitting(products[p].shape); });
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types        = false;
  static constexpr const char* other_types = no_hopper_kernels;
#endif
};

}  // namespace Tegula::Impl

#endif
