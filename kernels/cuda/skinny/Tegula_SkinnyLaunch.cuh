// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_LAUNCH_CUH
#define TEGULA_SKINNY_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_SkinnyKernel.cuh"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <StreamBy by, class T>
void launch_skinny_by(const CudaLaunch& l, const TileShape& tile, const SkinnyArguments<T>& arguments) {
  with_config(SkinnyConfigs<T>(), l.plan, tile, [&]<class Config>() {
    launch_product(l.exec, l.plan, l.products[0], static_cast<std::uint32_t>(l.products[0].holding_teams),
                   SkinnyKernel<Config, by>(arguments), l.before);
  });
}

template <class T>
void launch_skinny(const CudaLaunch& l) {
  const ProductPlan& product = l.products[0];
  const auto [call, shape]   = with_long_rows(product_call<T>(l.calls[0]), product.shape);
  const TileShape tile       = with_long_side(product.shape, product.tile);
  const auto arguments       = skinny_arguments<T>(call, shape, tile);
  switch (stream_by(call.left)) {
    case StreamBy::depth:
      return launch_skinny_by<StreamBy::depth>(l, tile, arguments);
    case StreamBy::lines:
      return launch_skinny_by<StreamBy::lines>(l, tile, arguments);
    case StreamBy::depth_by_elements:
      return launch_skinny_by<StreamBy::depth_by_elements>(l, tile, arguments);
    case StreamBy::lines_by_elements:
      return launch_skinny_by<StreamBy::lines_by_elements>(l, tile, arguments);
  }
}

}  // namespace Tegula::Impl

#endif
