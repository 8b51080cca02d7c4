// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_LAUNCH_CUH
#define TEGULA_TALL_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_TallKernel.cuh"
#include "Tegula_WithConfig.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <Major major, bool by_elements, class T>
void launch_tall_by(const CudaLaunch& l, const TileShape& tile, std::int64_t teams, const TallArguments<T>& arguments) {
  const KernelLaunch how{.begins_early = l.products[l.products[0].teams() > 0 ? 0 : 1].begins_early};
  with_config(TallConfigs<T>(), l.plan, tile, [&]<class Config>() {
    launch_kernel(l.exec, KernelLabel(l.plan), static_cast<std::uint32_t>(teams),
                  TallKernel<Config, major, by_elements>(arguments), l.before, how);
  });
}

template <class T>
void launch_tall(const CudaLaunch& l) {
  const TallCall<T> call = tall_call<T>(l.calls[0]);
  const ProductPlan &dA = l.products[0], &dB = l.products[1];
  T* const partial_sums    = is_wanted(dB) ? reinterpret_cast<T*>(l.memory) : nullptr;
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
  if (!major) return launch_tall_by<Major::depth, true>(l, tile, teams, arguments);
  *major == Major::depth ? launch_tall_by<Major::depth, false>(l, tile, teams, arguments)
                         : launch_tall_by<Major::lines, false>(l, tile, teams, arguments);
}

}  // namespace Tegula::Impl

#endif
