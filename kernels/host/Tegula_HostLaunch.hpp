// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_LAUNCH_HPP
#define TEGULA_HOST_LAUNCH_HPP

#include <utility>

#include "Tegula_HostTileProduct.hpp"
#include "Tegula_Instances.hpp"
#include "Tegula_KernelLabel.hpp"
#include "product/Tegula_ProductList.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

/// From a planned problem to the kernel of the host family.

namespace Tegula::Impl {

/// All products of a call in one launch; a team computes one tile of one of them.
template <class ExecutionSpace, class T, class... Products>
struct HostKernel {
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using member = typename policy::member_type;

  ProductList<Products...> products;
  Instructions instructions;

  void operator()(const member& team) const {
    products.with_team(team.league_rank(), [&](const auto& product, const TeamWork& work) {
      if (product.transposed) {
        compute(team, product, work, product.right, product.left);
      } else {
        compute(team, product, work, product.left, product.right);
      }
    });
  }

 private:
  template <class Product, class RowOperand, class ColumnOperand>
  void compute(const member& team, const Product& product, const TeamWork& work, const RowOperand& row_operand,
               const ColumnOperand& column_operand) const {
    HostTileProduct<T, member, Product, RowOperand, ColumnOperand>(team, instructions, product, work, row_operand,
                                                                   column_operand)
        .compute();
  }
};

template <class T, class ExecutionSpace, class... Products>
void launch_host_products(const ExecutionSpace& exec, const Plan& plan, Instructions instructions,
                          const Products&... products) {
  using Kernel            = HostKernel<ExecutionSpace, T, Products...>;
  const std::string label = KernelLabel(plan).if_heard();
  typename Kernel::policy policy(exec, static_cast<int>(plan.teams()), plan.threads);
  policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(plan.scratch_bytes)));
  Kokkos::parallel_for(label, policy, Kernel{ProductList<Products...>(products...), instructions});
  (launch_split_k_reduce<T>(exec, label, products), ...);
}

template <class ExecutionSpace, class Problem>
void host_launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
  using T                         = typename Problem::accumulator;
  const Instructions instructions = host_instructions();
  const RegisterTileShape shape   = register_tile<T>(instructions);
  with_products(problem, plan, workspace, [&]<class... Products>(const Products&... products) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      launch_host_products<T>(exec, plan, instructions,
                              HostProduct<Products>(products, plan.products[Index], shape)...);
    }
    (std::index_sequence_for<Products...>());
  });
}

}  // namespace Tegula::Impl

TEGULA_INSTANCES(extern, host_launch, TEGULA_HOST_SPACES, double)
TEGULA_INSTANCES(extern, host_launch, TEGULA_HOST_SPACES, float)

#endif
