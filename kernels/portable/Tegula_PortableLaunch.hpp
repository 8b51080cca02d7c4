// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_LAUNCH_HPP
#define TEGULA_PORTABLE_LAUNCH_HPP

#include "Tegula_Instances.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_PortableKernel.hpp"
#include "Tegula_PortableTiles.hpp"
#include "reduce/Tegula_SplitReduce.hpp"

/// From a planned problem to kernels on the execution space.

namespace Tegula::Impl {

/// Queues the kernel of all products, then the reduction of those with split-k.
template <class Tile, class Accumulator, bool ByPacks, class ExecutionSpace, class... Products>
void queue_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  using Kernel            = PortableKernel<ExecutionSpace, Tile, Accumulator, ByPacks, Products...>;
  const std::string label = kernel_label(plan);
  const Kernel kernel{ProductList<Products...>(products...), plan.scratch_level};
  const typename Kernel::policy policy(exec, static_cast<int>(plan.teams()), Tile::threads);
  launch_teams(label, policy, plan.scratch_bytes, kernel, plan.scratch_level);
  (launch_split_reduce<Accumulator>(exec, label, products), ...);
}

/// The same, with the kernel that reads operands by packs where all of them allow it.
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

/// Finds the type of the tile that the plan names.
template <class Accumulator, class ExecutionSpace, class Tile, class... Others, class... Products>
void launch_with_tile(TileList<Tile, Others...>, const ExecutionSpace& exec, const Plan& plan,
                      const Products&... products) {
  if (plan.tile() == Tile::shape()) return launch_products<Tile, Accumulator>(exec, plan, products...);
  if constexpr (sizeof...(Others) > 0) {
    launch_with_tile<Accumulator>(TileList<Others...>(), exec, plan, products...);
  } else {
    throw std::logic_error("Tegula: the portable family has no tile " + text(plan.tile()));
  }
}

template <class ExecutionSpace, class Problem>
void portable_launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
  using T = typename Problem::accumulator;
  with_products(problem, plan, workspace, [&](const auto&... products) {
    launch_with_tile<T>(typename PortableTiles<ExecutionSpace, T>::type(), exec, plan, products...);
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
