// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FAMILY_HPP
#define TEGULA_WGMMA_FAMILY_HPP

#include <algorithm>
#include <limits>

#include "../Tegula_CudaSelfCheck.hpp"
#include "../Tegula_EngineCopy.hpp"
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
    if (exec.cuda_device_prop().major != 9 || machine(exec).scratch_max < least_wgmma_scratch()) return false;
    if (!cuda_facts().functors_stay_parameters || std::max({shape.m, shape.n, shape.k}) > most) return false;
    // What must be copied first takes two kernels more, and a workspace.
    const TensorCall call = tensor_call(problem);
    return !options.family.empty() || wgmma_copies(call, shape).none() || is_worth_copying(shape);
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    plan_wgmma_product(plan, machine(exec), options, arguments);
    ProductPlan& product     = plan.products[0];
    const WgmmaCopies copies = wgmma_copies(tensor_call(problem), product.shape);
    product.left_copy_bytes  = copies.left_bytes;
    product.right_copy_bytes = copies.right_bytes;
    product.workspace_bytes += copies.left_bytes + copies.right_bytes;
    return plan;
  }

  template <class Problem>
  static void launch(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const ProductPlan& product = plan.products[0];
    const std::string label    = kernel_label(plan);
    TensorCall call            = tensor_call(problem);
    char* right_copy           = workspace + product.workspace_bytes - product.right_copy_bytes;
    char* left_copy            = right_copy - product.left_copy_bytes;
    if (product.left_copy_bytes > 0) call.left = launch_engine_copy(exec, label, call.left, left_copy);
    if (product.right_copy_bytes > 0) call.right = launch_engine_copy(exec, label, call.right, right_copy);
    launch_wgmma(exec, call, plan, reinterpret_cast<float*>(workspace));
    with_products(problem, plan, workspace, [&](const auto& p) { launch_split_reduce<float>(exec, label, p); });
  }

 private:
  static WgmmaMachine machine(const Kokkos::Cuda& exec) {
    // scratch_size_max speaks of the largest team; what smaller ones may have is the device's limit less what Kokkos
    // keeps for a team. Before Kokkos 5.2 there is no more than the 48 KiB that need no asking.
    constexpr std::size_t unasked = 48 * 1024, kept = 8 * 1024;
    const cudaDeviceProp& device = exec.cuda_device_prop();
    const bool asks              = Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0) > int(unasked);
    return {device.multiProcessorCount, asks ? device.sharedMemPerBlockOptin - kept : 0};
  }
#else
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = false;
#endif
};

}  // namespace Tegula::Impl

#endif
