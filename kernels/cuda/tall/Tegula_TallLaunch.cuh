// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_LAUNCH_CUH
#define TEGULA_TALL_LAUNCH_CUH

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_TallKernel.cuh"
#include "Tegula_TallLaunch.hpp"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

template <Major major, bool by_elements, class T>
void launch_tall_by(const Kokkos::Cuda& exec, const Plan& plan, const TileShape& tile, std::int64_t teams,
                    const TallArguments<T>& arguments, const CallableRef& before) {
  const KernelLaunch how{.begins_early = plan.products[plan.products[0].teams() > 0 ? 0 : 1].begins_early};
  with_config(TallConfigs<T>(), plan, tile, [&]<class Config>() {
    launch_kernel(exec, KernelLabel(plan), static_cast<std::uint32_t>(teams),
                  TallKernel<Config, major, by_elements>(arguments), before, how);
  });
}

template <class T>
void launch_tall(const Kokkos::Cuda& exec, const TallCall<T>& call, const Plan& plan, T* partial_sums,
                 const CallableRef& before) {
  const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
  const TileShape tile     = dA.teams() > 0 ? dA.tile : dB_tile(dB.tile);
  const std::int64_t teams = dA.teams() > 0 ? dA.holding_teams : dB.split_k, tiles = ceil_div(call.dC.rows, tile.m);
  const auto major = tall_major(call);
  const TallSums<T> partial{partial_sums, static_cast<std::int32_t>(dB.shape.m), static_cast<std::int32_t>(dB.shape.n),
                            dB.sums_rows};
  const TallArguments<T> arguments{tall_matrix(call.dC),
                                   tall_matrix(call.saved),
                                   tall_matrix(call.A),
                                   call.B,
                                   call.dA,
                                   call.activation,
                                   call.alpha,
                                   call.adds_dA,
                                   lies_along(call.dA, major.value_or(Major::depth)),
                                   static_cast<std::int32_t>(call.dC.rows),
                                   static_cast<std::int32_t>(ceil_div(tiles, teams) * tile.m),
                                   partial,
                                   elements_of(call.dA, call.adds_dA),
                                   LaneStride(static_cast<std::uint32_t>(std::max<std::int64_t>(1, call.dA.columns)))};
  if (!major) return launch_tall_by<Major::depth, true>(exec, plan, tile, teams, arguments, before);
  *major == Major::depth ? launch_tall_by<Major::depth, false>(exec, plan, tile, teams, arguments, before)
                         : launch_tall_by<Major::lines, false>(exec, plan, tile, teams, arguments, before);
}

}  // namespace Tegula::Impl

#endif
