// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_LAUNCH_CUH
#define TEGULA_SKINNY_LAUNCH_CUH

#include <algorithm>

#include "../Tegula_LaunchKernel.hpp"
#include "Tegula_SkinnyKernel.cuh"
#include "Tegula_SkinnyLaunch.hpp"
#include "Tegula_SkinnyPlan.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

/// No team is without a tile.
template <class Config>
std::uint32_t skinny_teams(const Kokkos::Cuda& exec, std::int32_t tiles) {
  const std::int64_t most = std::int64_t(exec.cuda_device_prop().multiProcessorCount) * Config::teams * Config::waves;
  return static_cast<std::uint32_t>(std::min(most, ceil_div(tiles, Config::warps)));
}

template <StreamBy by, class T>
void launch_skinny_by(const Kokkos::Cuda& exec, const Plan& plan, const TileShape& tile,
                      const SkinnyArguments<T>& arguments) {
  with_config(SkinnyConfigs<T>(), plan, tile, [&]<class Config>() {
    launch_kernel(exec, plan, skinny_teams<Config>(exec, arguments.tiles), SkinnyKernel<Config, by>(arguments));
  });
}

template <class T>
void launch_skinny(const Kokkos::Cuda& exec, const ProductCall<T>& any_call, const Plan& plan,
                   const ProductPlan& product) {
  const auto [call, shape] = with_long_rows(any_call, product.shape);
  const TileShape tile     = with_long_side(product.shape, product.tile);  // of that call
  const auto arguments     = skinny_arguments<T>(call, shape, tile);
  switch (stream_by(call.left)) {
    case StreamBy::depth:
      return launch_skinny_by<StreamBy::depth>(exec, plan, tile, arguments);
    case StreamBy::lines:
      return launch_skinny_by<StreamBy::lines>(exec, plan, tile, arguments);
    case StreamBy::elements:
      return launch_skinny_by<StreamBy::elements>(exec, plan, tile, arguments);
  }
}

}  // namespace Tegula::Impl

#endif
