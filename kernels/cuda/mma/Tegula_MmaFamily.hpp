// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FAMILY_HPP
#define TEGULA_MMA_FAMILY_HPP

#include <algorithm>
#include <limits>

#include "../Tegula_OperandCopies.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_MmaPlan.hpp"
#include "product/Tegula_ProductList.hpp"
#include "reduce/Tegula_SplitReduce.hpp"

namespace Tegula::Impl {

/// Compute capability 8.0 and newer: tensor cores through mma.sync, operands brought by cp.async. Kernels for it are
/// compiled into the library where CMake finds a CUDA compiler (TEGULA_HAS_MMA). Some of its tiles want no more scratch
/// than every Kokkos gives.
struct MmaFamily {
  static constexpr const char* name = "mma";

#if TEGULA_HAS_MMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_tensor_problem<Problem>;

  template <class Problem>
  static bool supports(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions&) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1024;  // extents are ints, so are tiles'
    const GemmShape shape       = problem.shape();
    return exec.cuda_device_prop().major >= 8 && std::max({shape.m, shape.n, shape.k}) <= most;
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    plan_mma_product(plan, tensor_machine(exec), options, arguments);
    ProductPlan& product = plan.products[0];
    // Operands of small products are gathered instead.
    if (is_worth_copying(product.shape)) plan_copies(product, operand_copies(tensor_call(problem), product.shape));
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const std::string label = kernel_label(plan);
    const TensorCall call   = launch_copies(exec, label, tensor_call(problem), plan.products[0], workspace);
    launch_mma(exec, call, plan, reinterpret_cast<float*>(workspace));
    with_products(problem, plan, workspace, [&](const auto& p) { launch_split_reduce<float>(exec, label, p); });
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = false;
#endif
};

}  // namespace Tegula::Impl

#endif
