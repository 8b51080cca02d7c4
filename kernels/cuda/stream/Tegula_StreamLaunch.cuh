// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_LAUNCH_CUH
#define TEGULA_STREAM_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_StreamKernel.cuh"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <class T>
void launch_stream(const CudaLaunch& l) {
  const ProductPlan& product = l.products[0];
  const auto arguments       = *stream_arguments<T>(l.calls[0]);
  with_config(StreamConfigs<T>(), l.plan, with_long_side(product.shape, product.tile), [&]<class Config>() {
    const auto launch = [&](const auto& kernel) {
      launch_product(l.exec, l.plan, product, static_cast<std::uint32_t>(product.holding_teams), kernel, l.before);
    };
    arguments.C.is_packed() ? launch(StreamKernel<Config, true>(arguments))
                            : launch(StreamKernel<Config, false>(arguments));
  });
}

}  // namespace Tegula::Impl

#endif
