// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_LAUNCH_HPP
#define TEGULA_PORTABLE_LAUNCH_HPP

#include "Tegula_Instances.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_PortableKernel.hpp"
#include "Tegula_WithConfig.hpp"
#include "product/Tegula_AnyProducts.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

/// From a planned problem to kernels on the execution space.

namespace Tegula::Impl {

/// Whether every operand of a product can be read by packs.
template <class Product>
bool packs_are_whole(const Product& product) {
  constexpr int pack = pack_size<typename Product::accumulator>;
  return packs_are_whole<pack>(product.left, product.shape.k) && packs_are_whole<pack>(product.right, product.shape.k);
}

/// Queues the kernel of all products, then the reduction of those with split-k.
template <class Tile, class Accumulator, class ExecutionSpace, class... Products>
void queue_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  using Kernel            = PortableKernel<ExecutionSpace, Tile, Accumulator, Products...>;
  const std::string label = KernelLabel(plan).if_heard();
  const bool by_packs     = Tile::threads > 1 && (... && packs_are_whole(products));
  const Kernel kernel{ProductList<Products...>(products...), by_packs, plan.scratch_level};
  const typename Kernel::policy policy(exec, static_cast<int>(plan.teams()), Tile::threads);
  launch_teams(label, policy, plan.scratch_bytes, kernel, plan.scratch_level);
  (launch_split_k_reduce<Accumulator>(exec, label, products), ...);
}

/// Queues the products with the plan's tile.
template <class T, class ExecutionSpace, class... Products>
void launch_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  with_config(typename PortableTiles<is_host_space<ExecutionSpace>, T>::type(), plan, plan.tile(),
              [&]<class Tile>() { queue_products<Tile, T>(exec, plan, products...); });
}

// What the library holds. Everything else is compiled where it is used.
#define TEGULA_PORTABLE_INSTANCE(PREFIX, SPACE, T)                                                 \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const AnyGemmProduct<T>&);    \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const AnyGradientProduct<T>&, \
                                          const AnyGradientProduct<T>&);
TEGULA_ALL_SPACES(TEGULA_PORTABLE_INSTANCE, extern, double)
TEGULA_ALL_SPACES(TEGULA_PORTABLE_INSTANCE, extern, float)

/// Calls launch(products...) with element types and activation as data where Tegula brings them.
template <class Problem, class Launch>
void with_portable_products(const Problem& problem, const Plan& plan, char* workspace, const Launch& launch) {
  if constexpr (is_built_in_problem<Problem>) {
    with_any_products(problem, plan, workspace, launch);
  } else {
    with_products(problem, plan, workspace, launch);
  }
}

template <class ExecutionSpace, class Problem>
void portable_launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
  with_portable_products(problem, plan, workspace, [&](const auto&... products) {
    launch_products<typename Problem::accumulator>(exec, plan, products...);
  });
}

}  // namespace Tegula::Impl

#endif
