// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_LAUNCH_HPP
#define TEGULA_PORTABLE_LAUNCH_HPP

#include "Tegula_Instances.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_PortableKernel.hpp"
#include "Tegula_PortableTiles.hpp"
#include "Tegula_WithConfig.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

/// From a planned problem to kernels on the execution space.

namespace Tegula::Impl {

/// Queues the kernel of all products, then the reduction of those with split-k.
template <class Tile, class Accumulator, bool ByPacks, class ExecutionSpace, class... Products>
void queue_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  using Kernel            = PortableKernel<ExecutionSpace, Tile, Accumulator, ByPacks, Products...>;
  const std::string label = KernelLabel(plan).if_heard();
  const Kernel kernel{ProductList<Products...>(products...), plan.scratch_level};
  const typename Kernel::policy policy(exec, static_cast<int>(plan.teams()), Tile::threads);
  launch_teams(label, policy, plan.scratch_bytes, kernel, plan.scratch_level);
  (launch_split_k_reduce<Accumulator>(exec, label, products), ...);
}

/// Queues the products with the kernel that reads operands by packs if every operand allows it, else with the other
/// one.
template <class Tile, class Accumulator, class ExecutionSpace, class... Products>
void launch_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  if constexpr (Tile::threads > 1) {
    constexpr int pack = pack_size<Accumulator>;
    if ((... && (packs_are_whole<pack>(products.left, products.shape.k) &&
                 packs_are_whole<pack>(products.right, products.shape.k))))
      return queue_products<Tile, Accumulator, true>(exec, plan, products...);
  }
  queue_products<Tile, Accumulator, false>(exec, plan, products...);
}

template <class ExecutionSpace, class Problem>
void portable_launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
  using T = typename Problem::accumulator;
  with_products(problem, plan, workspace, [&](const auto&... products) {
    with_config(typename PortableTiles<ExecutionSpace, T>::type(), plan, plan.tile(),
                [&]<class Tile>() { launch_products<Tile, T>(exec, plan, products...); });
  });
}

}  // namespace Tegula::Impl

TEGULA_INSTANCES(extern, portable_launch, TEGULA_ALL_SPACES, double)
TEGULA_INSTANCES(extern, portable_launch, TEGULA_ALL_SPACES, float)
#if TEGULA_HAS_HALF
TEGULA_INSTANCES(extern, portable_launch, TEGULA_ALL_SPACES, Tegula::half_t)
#endif
#if TEGULA_HAS_BHALF
TEGULA_INSTANCES(extern, portable_launch, TEGULA_ALL_SPACES, Tegula::bhalf_t)
#endif

#endif
