// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_LAUNCH_CUH
#define TEGULA_NARROW_GRADIENTS_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_NarrowGradientsKernel.cuh"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// Calls function.operator()<Config>() for the configuration with so many columns.
template <class... Configs, class Function>
void with_columns(ConfigList<Configs...>, int columns, const Function& function) {
  ((Configs::columns == columns ? function.template operator()<Configs>() : void()), ...);
}

/// Calls function.operator()<values...>(), which the compiler then knows.
template <bool... known, class Function, class... Values>
void with_constants(const Function& function, bool value, Values... others) {
  const auto with = [&]<bool constant>() {
    if constexpr (sizeof...(others) == 0) {
      function.template operator()<known..., constant>();
    } else {
      with_constants<known..., constant>(function, others...);
    }
  };
  value ? with.template operator()<true>() : with.template operator()<false>();
}

template <class Input>
void launch_narrow_gradients(const CudaLaunch& l) {
  NarrowGradients gradients    = narrow_gradients(l.calls[0]);
  const NarrowGradientsPlan of = narrow_gradients_plan(l.calls[0], l.plan);
  gradients.panels             = static_cast<std::int32_t>(of.cut.panels);
  gradients.part_rows          = static_cast<std::int32_t>(of.cut.part_rows);
  if (l.products[of.summed].split_k > 1)
    gradients.sums.slices = reinterpret_cast<float*>(product_workspace(l.plan, of.summed, l.memory));
  const KernelLaunch how{.begins_early = l.products[l.products[0].teams() > 0 ? 0 : 1].begins_early};
  with_columns(NarrowGradientsConfigs(), of.columns, [&]<class Config>() {
    with_constants(
        [&]<bool by_rows, bool in_words, bool has_below>() {
          launch_kernel(l.exec, KernelLabel(l.plan), static_cast<std::uint32_t>(of.cut.teams()),
                        NarrowGradientsKernel<Config, Input, by_rows, in_words, has_below>(gradients), l.before, how);
        },
        gradients.by_rows, gradients.in_words, l.calls[0].below.has_value());
  });
}

}  // namespace Tegula::Impl

#endif
