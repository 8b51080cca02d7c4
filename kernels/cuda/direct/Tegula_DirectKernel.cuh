// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_KERNEL_CUH
#define TEGULA_DIRECT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_DirectTeam.cuh"

/// The kernel of the direct family: a team, or a cluster of teams, computes one tile. There is one for each pair of
/// ways to read operands, with a cluster and without, and not one that chooses: a kernel waits for its code, too, and
/// least if that is short and in one piece.

namespace Tegula::Impl {

template <class Config, class Input, DirectRead left_by, DirectRead right_by, bool is_shared>
struct DirectKernel : DirectArguments<bits_t<Input>> {
  using begins_itself = void;

  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = DirectArguments<Bits>;
  using teams     = CudaTeams<direct_threads, direct_teams, direct_scratch<Config, Bits, is_shared>()>;
  using member    = typename teams::member;

  static constexpr int used_bytes = direct_used<Config, Bits, is_shared>();

  explicit DirectKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    Sum* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(used_bytes), int(direct_alignment)));
    DirectTeam<Config, Input, left_by, right_by, DirectAsItLies<Input>, Arguments, is_shared>(
        *this, scratch, team.league_rank(), team.team_rank())
        .compute(team, {});
  }
};

}  // namespace Tegula::Impl

#endif
