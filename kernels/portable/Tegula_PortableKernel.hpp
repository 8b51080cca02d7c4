// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_KERNEL_HPP
#define TEGULA_PORTABLE_KERNEL_HPP

#include "Tegula_PortableTeamProduct.hpp"
#include "Tegula_PortableTileProduct.hpp"
#include "product/Tegula_ProductList.hpp"

namespace Tegula::Impl {

/// What a team computes, by the number of its threads.
template <class Tile, class T, class Member>
using PortableTileProduct =
    std::conditional_t<Tile::threads == 1, TileProduct<Tile, T, Member>, TeamProduct<Tile, T, Member>>;

/// The teams of a multiprocessor that registers are to suffice for, as Kokkos::LaunchBounds wants them. AMD's compiler
/// takes the number as wavefronts of each SIMD unit, which makes two to four times the teams, and spills registers for
/// their sake: it is asked for one.
template <class ExecutionSpace, class Tile>
inline constexpr int least_teams = Tile::teams;
#ifdef KOKKOS_ENABLE_HIP
template <class Tile>
inline constexpr int least_teams<Kokkos::HIP, Tile> = 1;
#endif

/// The portable kernel: all products of a call, with one tile configuration, in one launch.
template <class ExecutionSpace, class Tile, class T, class ByPacks, class... Products>
struct PortableKernel {
  using policy =
      Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Tile::threads, least_teams<ExecutionSpace, Tile>>>;
  using member  = typename policy::member_type;
  using Scratch = TileScratch<Tile, T>;

  ProductList<Products...> products;
  ByPacks by_packs;  // every operand can be read so
  int scratch_level;

  KOKKOS_FUNCTION void operator()(const member& team) const {
    // Copies, since get_shmem_aligned takes references and a device has no address for a static member. A team of
    // several threads has its scratch at level 0, and only a constant lets compilers know what memory that is.
    constexpr std::size_t bytes = Scratch::bytes, alignment = Scratch::alignment;
    const int level  = Tile::threads > 1 ? 0 : scratch_level;
    T* const scratch = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(bytes, alignment));
    products.with_team(team.league_rank(), [&](const auto& product, const TeamWork& work) {
      PortableTileProduct<Tile, T, member>::compute(team, product, work, by_packs, scratch);
    });
  }
};

}  // namespace Tegula::Impl

#endif
