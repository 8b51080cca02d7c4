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

/// Calls function.operator()<Config>() for the configuration of a list with this depth.
template <class... Configs, class Function>
void with_depth(ConfigList<Configs...>, int depth, const Function& function) {
  ((Configs::depth == depth ? function.template operator()<Configs>() : void()), ...);
}

template <class Input>
void launch_shallow(const CudaLaunch& l) {
  using Bits                       = bits_t<Input>;
  const Call& call                 = l.calls[0];
  const bool transposes            = shallow_transposes(call);
  const ShallowCut cut             = shallow_cut(call, l.plan);
  ShallowArguments<Bits> arguments = shallow_arguments<Bits>(call);
  arguments.depth_parts            = static_cast<std::int32_t>(cut.depth_parts);
  arguments.panels                 = static_cast<std::int32_t>(cut.panels);
  arguments.part_rows              = static_cast<std::int32_t>(cut.part_rows);
  arguments.across                 = shallow_tile<Bits>(cut.tile).across;
  const auto slices                = [&](std::size_t product) {
    char* const memory = product_workspace(l.plan, product, l.memory);
    return l.products[product].split_k > 1 ? reinterpret_cast<sum_t<Bits>*>(memory) : nullptr;
  };
  arguments.of_rows.slices    = slices(transposes ? 1 : 0);
  arguments.of_columns.slices = slices(transposes ? 0 : 1);
  const KernelLaunch how{.begins_early = l.products[l.products[0].teams() > 0 ? 0 : 1].begins_early};
  with_depth(ShallowConfigs<Bits>(), cut.tile.k, [&]<class Config>() {
    const auto launch = [&]<bool in_words>() {
      launch_kernel(l.exec, KernelLabel(l.plan), static_cast<std::uint32_t>(cut.teams()),
                    ShallowKernel<Config, Input, in_words>(arguments), l.before, how);
    };
    if constexpr (Config::by_scratch) {
      launch.template operator()<false>();  // a lane reads columns
    } else {
      arguments.reads_words ? launch.template operator()<true>() : launch.template operator()<false>();
    }
  });
}

}  // namespace Tegula::Impl

#endif
