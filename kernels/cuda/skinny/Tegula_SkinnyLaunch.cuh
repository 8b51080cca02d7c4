// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_LAUNCH_CUH
#define TEGULA_SKINNY_LAUNCH_CUH

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_SkinnyKernel.cuh"
#include "Tegula_SkinnyLaunch.hpp"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

template <StreamBy by, class T>
void launch_skinny_by(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                      const SkinnyArguments<T>& arguments, const CallableRef& before) {
  with_config(SkinnyConfigs<T>(), plan, with_long_side(product.shape, product.tile), [&]<class Config>() {
    launch_product(exec, plan, product, static_cast<std::uint32_t>(product.holding_teams),
                   SkinnyKernel<Config, by>(arguments), before);
  });
}

template <class T>
void launch_skinny(const Kokkos::Cuda& exec, const ProductCall<T>& any_call, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before) {
  const auto [call, shape] = with_long_rows(any_call, product.shape);
  const auto arguments     = skinny_arguments<T>(call, shape, with_long_side(product.shape, product.tile));
  switch (stream_by(call.left)) {
    case StreamBy::depth:
      return launch_skinny_by<StreamBy::depth>(exec, plan, product, arguments, before);
    case StreamBy::lines:
      return launch_skinny_by<StreamBy::lines>(exec, plan, product, arguments, before);
    case StreamBy::depth_by_elements:
      return launch_skinny_by<StreamBy::depth_by_elements>(exec, plan, product, arguments, before);
    case StreamBy::lines_by_elements:
      return launch_skinny_by<StreamBy::lines_by_elements>(exec, plan, product, arguments, before);
  }
}

}  // namespace Tegula::Impl

#endif
