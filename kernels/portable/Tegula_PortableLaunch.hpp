// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_LAUNCH_HPP
#define TEGULA_PORTABLE_LAUNCH_HPP

#include "Tegula_PortableKernel.hpp"
#include "Tegula_PortableOperand.hpp"
#include "Tegula_PortableResult.hpp"
#include "Tegula_Problem.hpp"
#include "reduce/Tegula_SplitReduce.hpp"

/// From a planned problem to kernels on the execution space.

namespace Tegula::Impl {

/// Queues the kernel of all products, then the reduction of those with split-k.
template <class Tile, class Accumulator, class ExecutionSpace, class... Products>
void launch_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  using Kernel            = PortableKernel<ExecutionSpace, Tile, Accumulator, Products...>;
  const std::string label = plan.label();
  const Kernel kernel{ProductList<Products...>(products...), plan.scratch_level};
  typename Kernel::policy policy(exec, static_cast<int>(plan.teams()), Tile::threads);
  policy.set_scratch_size(plan.scratch_level, Kokkos::PerTeam(static_cast<int>(plan.scratch_bytes)));
  // Light weight: the functor travels with the launch instead of through constant memory, which would have to wait for
  // the kernel before.
  using Kokkos::Experimental::WorkItemProperty;
  Kokkos::parallel_for(label, Kokkos::Experimental::require(policy, WorkItemProperty::HintLightWeight), kernel);
  (launch_split_reduce<Accumulator>(exec, label, products), ...);
}

/// Finds the type of the tile that the plan names.
template <class Accumulator, class ExecutionSpace, class Tile, class... Others, class... Products>
void launch_with_tile(TileList<Tile, Others...>, const ExecutionSpace& exec, const Plan& plan,
                      const Products&... products) {
  if (plan.tile == Tile::shape()) return launch_products<Tile, Accumulator>(exec, plan, products...);
  if constexpr (sizeof...(Others) > 0) {
    launch_with_tile<Accumulator>(TileList<Others...>(), exec, plan, products...);
  } else {
    throw std::logic_error("Tegula: the portable family has no tile " + text(plan.tile));
  }
}

template <class ExecutionSpace, class A, class B, class C, class Bias, class Z, class Activation>
void portable_launch(const ExecutionSpace& exec, const GemmProblem<A, B, C, Bias, Z, Activation>& problem,
                     const Plan& plan, char* workspace) {
  using T = accumulator_t<C>;
  const auto product =
      make_product<T>(MatrixOperand<T, A>{problem.A}, MatrixOperand<T, B>{problem.B.transposed()},
                      EpilogueResult<T, C, Bias, Z, Activation>{problem.C, problem.bias, problem.Z, problem.activation,
                                                                problem.alpha, problem.beta},
                      plan.products[0], plan.tile, workspace);
  launch_with_tile<T>(typename PortableTiles<ExecutionSpace, T>::type(), exec, plan, product);
}

template <class ExecutionSpace, class DC, class Saved, class A, class B, class DA, class DB, class DBias,
          class Activation>
void portable_launch(const ExecutionSpace& exec,
                     const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& problem, const Plan& plan,
                     char* workspace) {
  using T        = accumulator_t<DC>;
  using Gradient = GradientOperand<T, DC, Saved, Activation>;
  const auto& p  = problem;
  const auto dA =
      make_product<T>(Gradient{p.dC, p.saved, p.activation}, MatrixOperand<T, B>{p.B},
                      GradientResult<T, DA, DBias>{p.dA, {}, p.alpha, p.update_dA == Update::accumulate, false},
                      plan.products[0], plan.tile, workspace);
  const auto dB = make_product<T>(
      Gradient{p.dC.transposed(), p.saved.transposed(), p.activation}, MatrixOperand<T, A>{p.A.transposed()},
      GradientResult<T, DB, DBias>{p.dB.transposed(), p.dbias, p.alpha, p.update_dB == Update::accumulate,
                                   p.update_dbias == Update::accumulate},
      plan.products[1], plan.tile, workspace + plan.products[0].workspace_bytes);
  launch_with_tile<T>(typename PortableTiles<ExecutionSpace, T>::type(), exec, plan, dA, dB);
}

}  // namespace Tegula::Impl

#endif
