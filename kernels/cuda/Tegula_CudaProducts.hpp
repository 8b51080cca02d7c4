// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PRODUCTS_HPP
#define TEGULA_CUDA_PRODUCTS_HPP

#include <algorithm>
#include <limits>
#include <utility>

#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaDevice.hpp"
#include "Tegula_CudaProblem.hpp"
#include "Tegula_GradientPass.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchCopies.hpp"
#include "product/Tegula_ProductList.hpp"
#include "product/Tegula_UncutPlan.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

/// What the families for CUDA have in common before and after their products. The products of gemm_backward take dZ
/// from memory: it is dC, or a pass forms it in the workspace.

namespace Tegula::Impl {

/// Whether every extent is one that kernels can count in 32 bits, boundaries of tiles included.
template <class Problem>
bool has_cuda_extents(const Problem& problem) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1024;
  for (const ProductPlan& product : uncut_products(problem))
    if (std::max({product.shape.m, product.shape.n, product.shape.k}) > most) return false;
  return true;
}

/// Whether a call is so large that preparing its operands in a workspace pays, even if the workspace must be allocated.
template <class A, class C, class Bias, class Z, class Activation>
bool is_worth_preparing(const GemmProblem<A, A, C, Bias, Z, Activation>& problem) {
  return is_worth_copying(problem.shape());
}
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
bool is_worth_preparing(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem) {
  constexpr double least = 1 << 24;  // the portable kernel of gradients takes as long then
  const auto size        = [](const GemmShape& s) {
    return static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
  };
  return size(problem.dA_shape()) >= least || size(problem.dB_shape()) >= least;
}

template <class A, class C, class Bias, class Z, class Activation>
void plan_before_products(const GemmProblem<A, A, C, Bias, Z, Activation>&, Plan&, const CudaMachine&) {}

/// Leaves dZ and dbias to a pass before the products, unless dC is dZ and no dbias is wanted.
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
void plan_before_products(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem, Plan& plan,
                          const CudaMachine& machine) {
  bool reads_dZ = false;
  for (ProductPlan& product : plan.products) {
    product.left_bytes = sizeof(T);
    product.sums_rows  = false;
    if (problem.alpha == 0) product.shape.k = 0;  // zero is added, whatever the data are
    reads_dZ = reads_dZ || (is_wanted(product) && product.shape.k > 0);
  }
  // Kernels for larger elements copy them to scratch one by one if they do not lie in runs.
  constexpr bool wants_runs = is_16_bit<T>;
  plan.gradient             = plan_gradient_pass(gradient_call(problem), reads_dZ, wants_runs, machine.multiprocessors);
}

template <class A, class C, class Bias, class Z, class Activation>
ProductCalls<bits_t<A>> planned_calls(const GemmProblem<A, A, C, Bias, Z, Activation>& problem, const Plan&) {
  return {product_call(problem), {}};
}

/// The calls as they will be: dZ has no address yet, but its layout is known.
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
ProductCalls<bits_t<T>> planned_calls(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem,
                                      const Plan& plan) {
  const auto dC = bits_of(problem.dC);
  return product_calls(problem, plan.gradient.stores_dZ ? aligned_copy_at(dC, nullptr) : dC);
}

/// Adds to every product the copies that it wants.
template <class Problem>
void plan_copies(const Problem& problem, Plan& plan) {
  const auto calls = planned_calls(problem, plan);
  for (std::size_t p = 0; p < calls.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (is_wanted(product)) plan_copies(product, operand_copies(calls[p], product.shape));
  }
}

#ifdef KOKKOS_ENABLE_CUDA
/// The plan of a call before its products are cut.
template <class Problem>
Plan cuda_plan(const char* family, const Kokkos::Cuda& exec, const Problem& problem) {
  Plan plan = uncut_plan<Kokkos::Cuda>(family, problem);
  plan_before_products(problem, plan, cuda_machine(exec));
  return plan;
}

/// The products of a call, whose operands lie where the plan puts them, and column sums that are to be added up.
template <class Bits>
struct PlacedCalls {
  ProductCalls<Bits> calls;
  ColumnSumsOf<sum_t<Bits>> column_sums;
};

template <class A, class C, class Bias, class Z, class Activation>
PlacedCalls<bits_t<A>> placed_calls(const GemmProblem<A, A, C, Bias, Z, Activation>& problem, const Plan& plan, char*) {
  return {planned_calls(problem, plan), {}};
}
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
PlacedCalls<bits_t<T>> placed_calls(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem,
                                    const Plan& plan, char* workspace) {
  const auto formed = formed_gradient(gradient_call(problem), plan.gradient, workspace + plan.gradient_workspace());
  return {product_calls(problem, formed.dZ), formed.dbias};
}

/// Queues what comes before the products of gemm_backward.
template <class A, class C, class Bias, class Z, class Activation>
void launch_before_products(const Kokkos::Cuda&, const GemmProblem<A, A, C, Bias, Z, Activation>&, const Plan&, char*) {
}
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
void launch_before_products(const Kokkos::Cuda& exec,
                            const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& problem,
                            const Plan& plan, char* workspace) {
  launch_gradient_pass(exec, kernel_label(plan), gradient_call(problem), plan.gradient,
                       workspace + plan.gradient_workspace());
}

/// Whether a family that forms dZ in a kernel of its own takes a call: always if options name it, otherwise unless the
/// call is too small to be worth that kernel and its workspace.
template <class Problem>
bool is_worth_its_kernels(const char* family, const Kokkos::Cuda& exec, const Problem& problem,
                          const PlanOptions& options) {
  return !options.family.empty() || is_worth_preparing(problem) ||
         cuda_plan(family, exec, problem).gradient.teams() == 0;
}

/// Whether any product is wanted, and is_worth(p) holds for all that are wanted.
template <class Products, class IsWorth>
bool are_worth(const Products& products, const IsWorth& is_worth) {
  std::size_t wanted = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    if (!is_wanted(products[p])) continue;
    if (!is_worth(p)) return false;
    ++wanted;
  }
  return wanted > 0;
}

/// Where a product's slices and copies lie. The products' parts of the workspace follow each other.
inline char* product_workspace(const Plan& plan, std::size_t product, char* workspace) {
  return product == 0 ? workspace : workspace + plan.products[0].workspace_bytes;
}

template <class A, class C, class Bias, class Z, class Activation>
auto without_dbias(const GemmProblem<A, A, C, Bias, Z, Activation>& problem) {
  return problem;
}
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
auto without_dbias(GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation> problem) {
  problem.dbias = {};
  return problem;
}

/// Queues the addition of the slices of products with split-k.
template <class Problem>
void launch_split_k_reduces(const Kokkos::Cuda& exec, const std::string& label, const Problem& problem,
                            const Plan& plan, char* workspace) {
  with_products(problem, plan, workspace, [&](const auto&... products) {
    (launch_split_k_reduce<typename Problem::accumulator>(exec, label, products), ...);
  });
}

/// The same without dbias, which was formed before the products.
template <class Problem>
void launch_behind_products(const Kokkos::Cuda& exec, const std::string& label, const Problem& problem,
                            const Plan& plan, char* workspace) {
  launch_split_k_reduces(exec, label, without_dbias(problem), plan, workspace);
}

/// Queues all of a call whose products have a kernel each. launch_product(call, product, memory, before) makes ready
/// all that can fail, calls before(), and queues the product; `memory` is its part of the workspace. The first product
/// is queued by the before() of the second, so nothing is queued until everything is ready.
template <class Problem, class LaunchProduct>
void launch_one_by_one(const Kokkos::Cuda& exec, const Problem& problem, const Plan& plan, char* workspace,
                       const LaunchProduct& launch_product) {
  const auto placed           = placed_calls(problem, plan, workspace);
  const auto launch_if_wanted = [&](std::size_t p, const CallableRef& before) {
    if (plan.products[p].teams() == 0) return before();
    launch_product(placed.calls[p], plan.products[p], product_workspace(plan, p, workspace), before);
  };
  const auto passes = [&] { launch_before_products(exec, problem, plan, workspace); };
  const auto first  = [&] { launch_if_wanted(0, CallableRef(passes)); };
  launch_if_wanted(1, CallableRef(first));
  const std::string label = kernel_label(plan);
  launch_column_sums(exec, label, placed.column_sums);
  launch_behind_products(exec, label, problem, plan, workspace);
}
#endif

}  // namespace Tegula::Impl

#endif
