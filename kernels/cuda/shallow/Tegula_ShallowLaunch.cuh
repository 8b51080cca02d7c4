// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_LAUNCH_CUH
#define TEGULA_SHALLOW_LAUNCH_CUH

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_ShallowKernel.cuh"
#include "Tegula_ShallowLaunch.hpp"
#include "Tegula_ShallowPlan.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

/// Calls function.operator()<Config>() for the configuration of a list with this depth.
template <class... Configs, class Function>
void with_depth(ConfigList<Configs...>, int depth, const Function& function) {
  ((Configs::depth == depth ? function.template operator()<Configs>() : void()), ...);
}

template <class Input>
void launch_shallow_of(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory,
                       const CallableRef& before) {
  using Bits                       = bits_t<Input>;
  const bool transposes            = shallow_transposes(call);
  const ShallowCut cut             = shallow_cut(call, plan);
  ShallowArguments<Bits> arguments = shallow_arguments<Bits>(call);
  arguments.depth_parts            = static_cast<std::int32_t>(cut.depth_parts);
  arguments.panels                 = static_cast<std::int32_t>(cut.panels);
  arguments.part_rows              = static_cast<std::int32_t>(cut.part_rows);
  arguments.across                 = shallow_tile<Bits>(cut.tile).across;
  const auto slices                = [&](std::size_t product) {
    return plan.products[product].split_k > 1 ? reinterpret_cast<sum_t<Bits>*>(product_workspace(plan, product, memory))
                                                             : nullptr;
  };
  arguments.of_rows.slices    = slices(transposes ? 1 : 0);
  arguments.of_columns.slices = slices(transposes ? 0 : 1);
  const KernelLaunch how{.begins_early = plan.products[plan.products[0].teams() > 0 ? 0 : 1].begins_early};
  with_depth(ShallowConfigs<Bits>(), cut.tile.k, [&]<class Config>() {
    const auto launch = [&]<bool in_words>() {
      launch_kernel(exec, KernelLabel(plan), static_cast<std::uint32_t>(cut.teams()),
                    ShallowKernel<Config, Input, in_words>(arguments), before, how);
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
