// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FAMILY_HPP
#define TEGULA_MMA_FAMILY_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_StreamedProducts.hpp"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_MmaPlan.hpp"

namespace Tegula::Impl {

/// Compute capability 8.0 and newer: tensor cores through mma.sync, operands brought by cp.async; 16-bit elements and
/// double. Kernels for it are compiled into the library where CMake finds a CUDA compiler (TEGULA_HAS_MMA). Some of its
/// tiles want no more scratch than every Kokkos gives.
struct MmaFamily {
  static constexpr const char* name = "mma";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda> &&
                                      (is_half_problem<Problem> || is_uniform_problem<Problem, double>);
  static constexpr const char* other_types =
      "it takes double throughout, or half_t or bhalf_t times the same, to the same or float, with an activation that "
      "Tegula brings, on Cuda";

  template <class Problem>
  static const char* refusal(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    if (const char* reason = cuda_refusal(exec, problem)) return reason;
    return is_worth_its_kernels(name, exec, problem, options) ? nullptr : faster_elsewhere;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = cuda_plan(name, exec, problem);
    if constexpr (is_uniform_problem<Problem, double>) {
      plan_streamed_products(problem, plan, cuda_machine(exec), options, arguments);
      plan_mma_double_products(plan, cuda_machine(exec), options, arguments);
    } else {
      plan_mma_products(plan, cuda_machine(exec), options, arguments);
      // In small products the kernel gathers unaligned operands itself.
      if (is_worth_preparing(problem)) plan_copies(problem, plan);
    }
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    launch_one_by_one(exec, problem, plan, workspace,
                      [&](const auto& call, const ProductPlan& product, char* memory, const CallableRef& before) {
                        before();
                        if constexpr (is_uniform_problem<Problem, double>) {
                          double* const partial_sums = reinterpret_cast<double*>(memory);
                          product.is_streamed() ? launch_streamed(exec, call, plan, product, partial_sums)
                                                : launch_mma(exec, call, plan, product, partial_sums);
                        } else {
                          const HalfCall copied =
                              launch_copies(exec, kernel_label(plan, product), call, product, memory);
                          launch_mma(exec, copied, plan, product, reinterpret_cast<float*>(memory));
                        }
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
