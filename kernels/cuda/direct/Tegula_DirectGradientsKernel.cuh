// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_GRADIENTS_KERNEL_CUH
#define TEGULA_DIRECT_GRADIENTS_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_DirectGradients.hpp"
#include "Tegula_DirectTeam.cuh"

/// The kernel of the direct family for gemm_backward: all gradients in one launch. Every team forms of dZ what it
/// needs.

namespace Tegula::Impl {

/// A left operand that is formed: dZ = dC act'(saved), and the sums of a lane's lines of it.
template <class Config, class Input>
struct DirectFormed {
  using Bits = bits_t<Input>;
  using Sum  = sum_t<Bits>;

  template <int usual>
  static constexpr int batch = direct_gradient_batch(usual);

  template <DirectRead by, int Lines, int Depth>
  struct Fragment {
    DirectFragment<Input, by, Lines, Depth> dC, saved;
    Sum dZ[Lines][Depth];

    __device__ Sum get(int line, int step) const { return dZ[line][step]; }
  };

  const DirectGradient<Bits>& p;
  Sum row_sums[Config::rows] = {};

  template <class Fragment>
  __device__ void read(Fragment& fragment, const Bits* const (&first)[Config::rows], std::int64_t offset,
                       std::int64_t depth_stride) const {
    fragment.dC.read(first, offset, depth_stride);
    if (!p.slope.is_one) fragment.saved.read(first, offset + p.saved, depth_stride);
  }

  template <class Fragment>
  __device__ void read_some(Fragment& fragment, const Bits* const (&first)[Config::rows], std::int64_t depth_stride,
                            int left) const {
    fragment.dC.read_some(first, depth_stride, left);
    if (p.slope.is_one) return;
    const Bits* saved[Config::rows];
#pragma unroll
    for (int r = 0; r < Config::rows; ++r) saved[r] = first[r] + p.saved;
    fragment.saved.read_some(saved, depth_stride, left);
  }

  template <DirectRead by, int Depth>
  __device__ void form(Fragment<by, Config::rows, Depth>& fragment) {
#pragma unroll
    for (int r = 0; r < Config::rows; ++r)
#pragma unroll
      for (int step = 0; step < Depth; ++step) {
        const Sum dC = fragment.dC.get(r, step);
        // Nothing was read of `saved` where act' is 1.
        const Sum dZ         = p.slope.is_one ? dC : dC * p.slope(fragment.saved.get(r, step));
        fragment.dZ[r][step] = dZ;
        row_sums[r] += dZ;
      }
  }
};

template <class Config, class Input, DirectGradientReads reads, bool is_shared>
struct DirectGradientsKernel : DirectGradients<bits_t<Input>> {
  using begins_itself = void;

  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = DirectGradients<Bits>;
  using teams     = CudaTeams<direct_threads, direct_teams, direct_scratch<Config, Bits, is_shared>()>;
  using member    = typename teams::member;

  static constexpr int used_bytes = direct_used<Config, Bits, is_shared>();

  explicit DirectGradientsKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    const int number = team.league_rank();
    number < this->first_teams ? compute<0>(team, number) : compute<1>(team, number - this->first_teams);
  }

 private:
  template <std::size_t product>
  __device__ void compute(const member& team, int number) const {
    constexpr DirectRead by = direct_read_in<reads, product>;
    using Left              = DirectFormed<Config, Input>;
    Sum* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(used_bytes), int(direct_alignment)));
    const auto& p = this->products[product];
    DirectTeam<Config, Input, by, by, Left, DirectGradient<Bits>, is_shared>(p, scratch, number, team.team_rank())
        .compute(team, Left{p});
  }
};

}  // namespace Tegula::Impl

#endif
