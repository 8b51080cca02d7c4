// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FAMILY_HPP
#define TEGULA_WGMMA_FAMILY_HPP

#include <algorithm>
#include <limits>

#include "../Tegula_CudaSelfCheck.hpp"
#include "../Tegula_OperandCopies.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_WgmmaLaunch.hpp"
#include "Tegula_WgmmaPlan.hpp"
#include "product/Tegula_ProductList.hpp"
#include "reduce/Tegula_SplitReduce.hpp"

namespace Tegula::Impl {

/// Hopper (compute capability 9.0): the copy engine and wgmma. Kernels for it are compiled into the library where CMake
/// finds a CUDA compiler (TEGULA_HAS_WGMMA). They want more scratch than a Kokkos before 5.2 gives.
struct WgmmaFamily {
  static constexpr const char* name = "wgmma";

#if TEGULA_HAS_WGMMA
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = std::is_same_v<ExecutionSpace, Kokkos::Cuda>&& is_tensor_problem<Problem>;

  template <class Problem>
  static bool supports(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1024;  // extents are coordinates of boxes
    const GemmShape shape       = problem.shape();
    if (exec.cuda_device_prop().major != 9 || tensor_machine(exec).scratch_max < least_wgmma_scratch()) return false;
    if (!cuda_facts().functors_stay_parameters || std::max({shape.m, shape.n, shape.k}) > most) return false;
    // What must be copied first takes two kernels more, and a workspace.
    return !options.family.empty() || operand_copies(tensor_call(problem), shape).none() || is_worth_copying(shape);
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    plan_wgmma_product(plan, tensor_machine(exec), options, arguments);
    plan_copies(plan.products[0], operand_copies(tensor_call(problem), plan.products[0].shape));
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const std::string label = kernel_label(plan);
    const TensorCall call   = launch_copies(exec, label, tensor_call(problem), plan.products[0], workspace);
    launch_wgmma(exec, call, plan, reinterpret_cast<float*>(workspace));
    with_products(problem, plan, workspace, [&](const auto& p) { launch_split_reduce<float>(exec, label, p); });
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = false;
#endif
};

}  // namespace Tegula::Impl

#endif
