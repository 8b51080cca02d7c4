// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_LAUNCH_CUH
#define TEGULA_SHALLOW_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_ShallowKernel.cuh"
#include "Tegula_ShallowPlan.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// Calls function.operator()<Config>() for the configuration of a list with this tile.
template <class... Configs, class Function>
void with_config(ConfigList<Configs...>, const ShallowTile& tile, const Function& function) {
  const auto has_tile = [&]<class Config>() {
    return tile.across >= Config::least_across && tile.across <= Config::most_across &&
           shallow_tile_of<Config>(tile.across).choice.tile == tile.choice.tile;
  };
  ((has_tile.template operator()<Configs>() ? function.template operator()<Configs>() : void()), ...);
}

template <class Input, class Configs>
void launch_shallow_of(const CudaLaunch& l) {
  using Bits                       = bits_t<Input>;
  const Call& call                 = l.calls[0];
  const bool transposes            = shallow_transposes(call);
  const ShallowCut cut             = shallow_cut(call, l.plan);
  ShallowArguments<Bits> arguments = shallow_arguments<Bits>(call);
  arguments.depth_parts            = static_cast<std::int32_t>(cut.depth_parts);
  arguments.panels                 = static_cast<std::int32_t>(cut.panels);
  arguments.part_rows              = static_cast<std::int32_t>(cut.part_rows);
  const ShallowTile& tile          = shallow_tile<Bits>(cut.tile);
  arguments.across                 = tile.across;
  const auto slices                = [&](std::size_t product) {
    char* const memory = product_workspace(l.plan, product, l.memory);
    return l.products[product].split_k > 1 ? reinterpret_cast<sum_t<Bits>*>(memory) : nullptr;
  };
  arguments.of_rows.slices    = slices(transposes ? 1 : 0);
  arguments.of_columns.slices = slices(transposes ? 0 : 1);
  const KernelLaunch how{.begins_early = l.products[l.products[0].teams() > 0 ? 0 : 1].begins_early};
  with_config(Configs(), tile, [&]<class Config>() {
    const auto launch = [&]<bool in_words>() {
      launch_kernel(l.exec, KernelLabel(l.plan), static_cast<std::uint32_t>(cut.teams()),
                    ShallowKernel<Config, Input, in_words>(arguments), l.before, how);
    };
    if constexpr (Config::way == ShallowWay::blocks) {
      launch.template operator()<false>();  // a lane reads columns
    } else if constexpr (Config::way == ShallowWay::groups) {
      launch.template operator()<true>();
    } else {
      arguments.reads_words ? launch.template operator()<true>() : launch.template operator()<false>();
    }
  });
}

template <class Input>
void launch_shallow(const CudaLaunch& l) {
  launch_shallow_of<Input, ShallowConfigs<bits_t<Input>>>(l);
}
template <class Input>
void launch_shallow_groups(const CudaLaunch& l) {
  launch_shallow_of<Input, ShallowGroupConfigs>(l);
}

}  // namespace Tegula::Impl

#endif
