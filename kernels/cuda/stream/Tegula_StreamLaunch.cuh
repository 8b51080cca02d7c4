// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_LAUNCH_CUH
#define TEGULA_STREAM_LAUNCH_CUH

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_StreamKernel.cuh"
#include "Tegula_StreamLaunch.hpp"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

template <class T>
void launch_stream(const Kokkos::Cuda& exec, const StreamArguments<T>& arguments, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before) {
  with_config(StreamConfigs<T>(), plan, with_long_side(product.shape, product.tile), [&]<class Config>() {
    const auto teams  = static_cast<std::uint32_t>(product.holding_teams);
    const auto launch = [&](const auto& kernel) { launch_product(exec, plan, product, teams, kernel, before); };
    arguments.C.is_packed() ? launch(StreamKernel<Config, true>(arguments))
                            : launch(StreamKernel<Config, false>(arguments));
  });
}

}  // namespace Tegula::Impl

#endif
