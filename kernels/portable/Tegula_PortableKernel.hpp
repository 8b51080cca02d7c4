// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_KERNEL_HPP
#define TEGULA_PORTABLE_KERNEL_HPP

#include "Tegula_PortableTileProduct.hpp"
#include "product/Tegula_ProductList.hpp"

namespace Tegula::Impl {

/// The portable kernel: all products of a call, with one tile configuration, in one launch.
template <class ExecutionSpace, class Tile, class T, class... Products>
struct PortableKernel {
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Tile::threads, 1>>;
  using member = typename policy::member_type;

  ProductList<Products...> products;
  int scratch_level;

  KOKKOS_FUNCTION void operator()(const member& team) const {
    // Copies, since get_shmem_aligned takes references and a device has no address for a static member.
    constexpr std::size_t left_bytes = Tile::template left_bytes<T>, right_bytes = Tile::template right_bytes<T>,
                          alignment = Tile::alignment;
    const auto& scratch             = team.team_scratch(scratch_level);
    T* left                         = static_cast<T*>(scratch.get_shmem_aligned(left_bytes, alignment));
    T* right                        = static_cast<T*>(scratch.get_shmem_aligned(right_bytes, alignment));
    products.with_team(team.league_rank(), [&](const auto& product, const TeamWork& work) {
      TileProduct<Tile, T, member>::compute(team, product, work, left, right);
    });
  }
};

}  // namespace Tegula::Impl

#endif
