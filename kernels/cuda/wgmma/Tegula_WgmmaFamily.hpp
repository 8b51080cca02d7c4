// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FAMILY_HPP
#define TEGULA_WGMMA_FAMILY_HPP

#include <algorithm>
#include <limits>

#include "../Tegula_CudaSelfCheck.hpp"
#include "../Tegula_EngineCopy.hpp"
#include "../Tegula_GradientPass.hpp"
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
    if (exec.cuda_device_prop().major != 9 || machine(exec).scratch_max < least_wgmma_scratch()) return false;
    if (!cuda_facts().functors_stay_parameters) return false;
    bool worth_preparing = false;
    for (const ProductPlan& product : uncut_products(problem)) {
      const GemmShape& shape = product.shape;
      if (std::max({shape.m, shape.n, shape.k}) > most) return false;
      worth_preparing = worth_preparing || is_worth_preparing(shape);
    }
    return !options.family.empty() || worth_preparing || !needs_preparation(exec, problem);
  }

  template <class Problem>
  static Plan plan(const Kokkos::Cuda& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    prepare(exec, problem, plan);
    plan_wgmma_products(plan, machine(exec), options, arguments);
    add_copies(problem, plan);
    return plan;
  }

  template <class A, class C, class Bias, class Z, class Activation>
  static void launch(const Kokkos::Cuda& exec, const GemmProblem<A, A, C, Bias, Z, Activation>& problem,
                     const Plan& plan, char* workspace) {
    launch_wgmma(exec, planned_calls(problem, plan), {}, plan, workspace);
    reduce(exec, problem, plan, workspace);
  }

  template <class T, class Saved, class DA, class DB, class DBias, class Activation>
  static void launch(const Kokkos::Cuda& exec,
                     const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem, const Plan& plan,
                     char* workspace) {
    const std::string label = kernel_label(plan);
    const FormedGradient gradient =
        launch_gradient_pass(exec, label, gradient_call(problem), plan.gradient, workspace + plan.gradient_workspace());
    if (plan.teams() == 0) return launch_column_sums(exec, label, gradient.dbias);
    launch_wgmma(exec, tensor_calls(problem, gradient.dZ), gradient.dbias, plan, workspace);
    auto without_dbias  = problem;  // which is done
    without_dbias.dbias = {};
    reduce(exec, without_dbias, plan, workspace);
  }

 private:
  template <class A, class C, class Bias, class Z, class Activation>
  static void prepare(const Kokkos::Cuda&, const GemmProblem<A, A, C, Bias, Z, Activation>&, Plan&) {}

  // dZ and dbias are left to a pass before the products, unless dC is dZ.
  template <class T, class Saved, class DA, class DB, class DBias, class Activation>
  static void prepare(const Kokkos::Cuda& exec,
                      const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem, Plan& plan) {
    bool reads_dZ = false;
    for (ProductPlan& product : plan.products) {
      product.left_bytes = sizeof(T);
      product.sums_rows  = false;
      if (problem.alpha == 0) product.shape.k = 0;  // zero is added, whatever the data are
      reads_dZ = reads_dZ || (is_wanted(product) && product.shape.k > 0);
    }
    plan.gradient = plan_gradient_pass(gradient_call(problem), reads_dZ, machine(exec).multiprocessors);
  }

  template <class A, class C, class Bias, class Z, class Activation>
  static TensorCalls planned_calls(const GemmProblem<A, A, C, Bias, Z, Activation>& problem, const Plan&) {
    return {tensor_call(problem), TensorCall{}};
  }

  // dZ lies nowhere yet; how it will lie is known.
  template <class T, class Saved, class DA, class DB, class DBias, class Activation>
  static TensorCalls planned_calls(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem,
                                   const Plan& plan) {
    const auto dC = bits_of(problem.dC);
    return tensor_calls(problem, plan.gradient.stores_dZ ? engine_copy_at(dC, nullptr) : dC);
  }

  // Whether something must be formed or copied before the products, by kernels of its own and in a workspace.
  template <class Problem>
  static bool needs_preparation(const Kokkos::Cuda& exec, const Problem& problem) {
    Plan plan = uncut_plan<Kokkos::Cuda>(name, problem);
    prepare(exec, problem, plan);
    add_copies(problem, plan);
    return plan.gradient.teams() > 0 || plan.workspace_bytes() > 0;
  }

  template <class Problem>
  static void add_copies(const Problem& problem, Plan& plan) {
    const TensorCalls calls = planned_calls(problem, plan);
    for (std::size_t p = 0; p < calls.size(); ++p) {
      ProductPlan& product = plan.products[p];
      if (!is_wanted(product)) continue;
      const WgmmaCopies copies = wgmma_copies(calls[p], product.shape);
      product.left_copy_bytes  = copies.left_bytes;
      product.right_copy_bytes = copies.right_bytes;
      product.workspace_bytes += copies.left_bytes + copies.right_bytes;
    }
  }

  // Adds the slices of products with split-k.
  template <class Problem>
  static void reduce(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace) {
    const std::string label = kernel_label(plan);
    with_products(problem, plan, workspace,
                  [&](const auto&... products) { (launch_split_reduce<float>(exec, label, products), ...); });
  }

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
